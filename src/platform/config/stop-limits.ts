/** ms; time left for running jobs and requests in flight. Requests have a deadline of 4.8 s. */
export const WORK_LIMIT_MS = 4_800;

/** ms between failing /readyz and closing the port, so that a load balancer notices; 0 in embedded mode. */
const DRAIN_MS = 2_000;

/** ms since the signal; then the process exits at once. The contract allows 10 s. */
export const STOP_LIMIT_MS = 9_500;

/** The deadline of each step of a stop, in ms since the signal; a step that is late is cut off. */
export interface StopLimits {
  drain: number;
  /** Jobs and requests. */
  work: number;
  /** Connections to database and queues. */
  connections: number;
  /** The embedded PostgreSQL. */
  database: number;
}

export function stopLimits({ isEmbedded }: { isEmbedded: boolean }): StopLimits {
  const drain = isEmbedded ? 0 : DRAIN_MS;
  const work = drain + WORK_LIMIT_MS;
  return { drain, work, connections: work + 1_200, database: 9_000 };
}
