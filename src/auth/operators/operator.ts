export interface Operator {
  id: string;
  name: string;
  /** Whether it sees and moves test guides only. */
  isTest: boolean;
}
