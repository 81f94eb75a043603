import type { Queue } from 'bullmq';

/** A limit that no queue reaches. */
const UNREACHED = { max: 1_000_000_000, durationMs: 1_000 };

/**
 * Pauses a queue, for all processes, for some milliseconds. BullMQ pauses only queues that have a limit; in PostgreSQL
 * the workers of such a queue take their jobs one after another, so a queue has one only from its pause to `endPause`.
 */
export async function pauseQueue(queue: Queue, ms: number): Promise<void> {
  await queue.setGlobalRateLimit(UNREACHED.max, UNREACHED.durationMs);
  await queue.rateLimit(ms);
}

/** Ends a pause, and the limit that it needed. */
export async function endPause(queue: Queue): Promise<void> {
  await queue.removeGlobalRateLimit();
}
