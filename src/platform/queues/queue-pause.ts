import type { Queue } from 'bullmq';
import { withTimeout } from '../timeouts/with-timeout.js';

/** Jobs per second that no queue reaches. */
const UNREACHED = 1_000_000_000;

/** Milliseconds. */
const PAUSE_LIMIT_MS = 5_000;

/**
 * Pauses a queue for all processes, for at least `ms`. BullMQ pauses only queues with a rate limit; on PostgreSQL the
 * workers of such a queue run one job at a time, so `endPause` removes the limit.
 * @throws within seconds if the store does not answer.
 */
export function pauseQueue(queue: Queue, ms: number): Promise<void> {
  const pause = async () => {
    if ((await pauseLeft(queue)) < ms) await queue.rateLimit(ms);
    // Last: an `endPause` that removes it afterwards finds the time above.
    await setLimit(queue);
  };
  return withTimeout(PAUSE_LIMIT_MS, pause());
}

/** Removes the rate limit once a pause is over. @returns false if the queue is still paused. */
export async function endPause(queue: Queue): Promise<boolean> {
  if ((await pauseLeft(queue)) > 0) return false;
  await queue.removeGlobalRateLimit();
  if ((await pauseLeft(queue)) <= 0) return true;
  // A pause began meanwhile.
  await setLimit(queue);
  return false;
}

/** Milliseconds. */
function pauseLeft(queue: Queue): Promise<number> {
  return queue.getRateLimitTtl(UNREACHED);
}

async function setLimit(queue: Queue): Promise<void> {
  await queue.setGlobalRateLimit(UNREACHED, 1_000);
}
