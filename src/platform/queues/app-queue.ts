import { Queue, type QueueOptions } from 'bullmq';
import { withTimeout } from '../timeouts/with-timeout.js';
import type { QueueStore } from './queue-store.js';

/** ms; timeout of closing a queue. Queues are closed one after another, and the shutdown has a time limit. */
const CLOSE_LIMIT_MS = 1_000;

/** About how many events of a queue BullMQ keeps; its default is 10,000, and nobody reads them. */
const KEPT_EVENTS = 1;

/** The queue that `@InjectQueue` injects: on the application's store, and closed within a time limit. */
export class AppQueue extends Queue {
  constructor(store: QueueStore, name: string, options: QueueOptions) {
    super(name, { streams: { events: { maxLen: KEPT_EVENTS } }, ...options }, store.backend);
    store.queues.push(this);
    store.reportErrors(this, name);
  }

  override async close(): Promise<void> {
    await withTimeout(CLOSE_LIMIT_MS, super.close()).catch(() => undefined);
  }
}

/** The class for `BullModule.queueClass`: @nestjs/bullmq passes it a name and options alone. */
export function queueClassOn(store: QueueStore) {
  return class extends AppQueue {
    constructor(name: string, options: QueueOptions) {
      super(store, name, options);
    }
  };
}
