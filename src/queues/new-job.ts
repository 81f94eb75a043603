/** A job to be added. */
export interface NewJob<Name extends string = string, Data = unknown> {
  /** Idempotent: an id that the queue still keeps is not added again. No `:`, not only digits. */
  id: string;
  name: Name;
  /** Ids only, never names, phones or addresses. */
  data: Data;
  /** W3C `traceparent` of what it follows from. Default: what is running. */
  traceparent?: string | null;
  /** Milliseconds. */
  delay?: number;
  /** Runs before all waiting jobs. */
  isUrgent?: boolean;
}
