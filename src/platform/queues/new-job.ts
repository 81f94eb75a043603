export interface NewJob<Name extends string = string, Data = unknown> {
  /** A job whose id the queue still has is not added again. No `:`, not only digits. */
  id: string;
  name: Name;
  /** Ids only, never names, phones or addresses. */
  data: Data;
  /** W3C `traceparent` of the span that the job continues. Default: the current one. */
  traceparent?: string | null;
  /** Milliseconds. */
  delay?: number;
  /** Runs before all waiting jobs. */
  isUrgent?: boolean;
  /**
   * `id` names the subject of the job, and at most one job of a subject runs. A job that is added while another one of its
   * subject waits is left out; while it is delayed, that one becomes due after `delay`; while it runs, the last one that is
   * added follows it. It is removed when it is completed. Default: false.
   */
  isSingle?: boolean;
}
