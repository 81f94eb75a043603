import { Queue, type QueueOptions } from 'bullmq';
import { within } from '../errors/within.js';
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
    store.reportErrors(this, name);
  }

  /**
   * Pauses the queue, for all processes, for so many milliseconds at least. BullMQ pauses only queues that have a limit; in
   * PostgreSQL the workers of such a queue take their jobs one after another, so it has one only until `endPause`.
   */
  async pauseFor(ms: number): Promise<void> {
    if ((await this.pauseLeft()) < ms) await this.rateLimit(ms);
    // Last: an `endPause` that removes it afterwards finds the time above.
    await this.setLimit();
  }

  /** Takes the limit away once a pause is over. @returns false if the queue pauses. */
  async endPause(): Promise<boolean> {
    if ((await this.pauseLeft()) > 0) return false;
    await this.removeGlobalRateLimit();
    if ((await this.pauseLeft()) <= 0) return true;
    // A pause began meanwhile.
    await this.setLimit();
    return false;
  }

  /** Milliseconds. */
  private pauseLeft(): Promise<number> {
    return this.getRateLimitTtl(UNREACHED);
  }

  private async setLimit(): Promise<void> {
    await this.setGlobalRateLimit(UNREACHED, 1_000);
  }

  override async close(): Promise<void> {
    await within(CLOSE_LIMIT_MS, super.close()).catch(() => undefined);
  }
}
