import { Queue, type QueueOptions } from 'bullmq';
import { withTimeout } from '../timeouts/with-timeout.js';
import { QueueStore, type PausableQueue } from './queue-store.js';

/** Jobs per second that no queue reaches. */
const UNREACHED = 1_000_000_000;

/** Milliseconds; queues are closed one after another, and the stop has a limit. */
const CLOSE_LIMIT_MS = 1_000;

/** The queue that `@InjectQueue` injects: on the application's store, and closed within a limit. */
export class AppQueue extends Queue implements PausableQueue {
  constructor(name: string, options: QueueOptions) {
    const store = QueueStore.of(options.connection);
    super(name, options, store.backend);
    store.queues.push(this);
    store.reportOutages(this, name);
  }

  /**
   * Pauses the queue, for all processes, for so many milliseconds at least. BullMQ pauses only queues that have a limit; in
   * PostgreSQL the workers of such a queue take their jobs one after another, so it has one only until `endPause`.
   */
  async pauseFor(ms: number): Promise<void> {
    await this.setGlobalRateLimit(UNREACHED, 1_000);
    if ((await this.getRateLimitTtl()) < ms) await this.rateLimit(ms);
  }

  /** Takes the limit away once a pause is over. @returns false if the queue pauses. */
  async endPause(): Promise<boolean> {
    if ((await this.getRateLimitTtl()) > 0) return false;
    await this.removeGlobalRateLimit();
    return true;
  }

  override async close(): Promise<void> {
    await withTimeout(CLOSE_LIMIT_MS, super.close()).catch(() => undefined);
  }
}
