/** ms that a running job, or a request in flight, may still take. Requests are answered in 4.8 s. */
export const WORK_LIMIT_MS = 4_800;

/** ms between /readyz failing and the close, for a load balancer to notice; embedded mode has none. */
const DRAIN_MS = 2_000;

/** ms since the signal; a process that is still there ends at once. The contract allows 10 s. */
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
