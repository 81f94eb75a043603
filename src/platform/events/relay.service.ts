import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { StartupError } from '../errors/startup-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import { detached } from '../tracing/spans.js';
import { DispatcherService } from './dispatcher.service.js';
import { claimEventos, claimParkedEvento } from './relay.queries.js';

/** Events per transaction; large enough that round trips cost little. */
const BATCH = 500;

/** The same while requests come in: a batch does not delay them noticeably. */
const BATCH_BESIDE_REQUESTS = 100;

/** Each failure divides the batch size by this, because the batch may be too large; each success multiplies it again. */
const SHRINK = 8;

/** After this many failures a batch is one event. */
const MAX_FAILURES = 3;

/** Milliseconds; events of a process that died wait this long at most. */
const SWEEP_MS = 2_000;

/** Parked events retried per sweep, one by one. */
const PARKED_PER_SWEEP = 20;

/** Concurrent batches when there is a backlog: one queries the database while the other adds jobs. */
const CONCURRENT_BATCHES = 2;

/** While requests come in, the relay pauses for up to this many times the duration of its last batch. */
const GIVE_WAY = 4;

/** Milliseconds between checks for requests during that pause. */
const GIVE_WAY_CHECK_MS = 2;

/**
 * The outbox relay: dispatches recorded events to their subscribers. Wakes up when its own process has written an
 * event, and polls for events of processes that died. Any number of relays can run concurrently: each locks its batch,
 * and commits when the subscribers are done. An event that cannot be dispatched is parked: it is retried later,
 * separately from the others.
 */
@Injectable()
export class RelayService implements BeforeApplicationShutdown {
  private running: Promise<void> | undefined;
  private retrying: Promise<void> | undefined;
  private looking: Promise<void> | undefined;
  private isWoken = false;
  private isFailing = false;
  /** Incremented by each failed batch, decremented by each successful one; 0 to `MAX_FAILURES`. */
  private failures = 0;
  private sweep: NodeJS.Timeout | undefined;
  private isServing = () => false;

  constructor(
    private readonly dispatcher: DispatcherService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * @param sweepMs between two looks for events that nobody announced.
   * @throws StartupError if a relayed type has no subscriber.
   */
  start(sweepMs = SWEEP_MS): void {
    const orphans = this.dispatcher.orphans();
    if (orphans.length > 0) throw new StartupError(`events without a subscriber: ${orphans.join(', ')}`);
    this.sweep = setInterval(() => {
      this.looking ??= this.wakeIfDue().finally(() => (this.looking = undefined));
    }, sweepMs);
    this.wake();
  }

  /** @param isServing whether requests come in; then draining a backlog leaves them most of the process. */
  giveWayWhile(isServing: () => boolean): void {
    this.isServing = isServing;
  }

  /** Waits for the batches in flight and starts no more. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.sweep);
    this.sweep = undefined;
    this.isWoken = false;
    await this.looking;
    await Promise.all([this.running, this.retrying]);
  }

  /** Starts dispatching in the background; does nothing if the relay is not started. */
  wake(): void {
    if (!this.sweep) return;
    this.isWoken = true;
    this.running ??= detached(() => this.run());
  }

  /** One statement while nothing is due: a batch takes a transaction. */
  private async wakeIfDue(): Promise<void> {
    // Reports no failure: a batch fails likewise, and reports its own.
    const due = await this.dispatcher.due().catch(() => ({ waiting: true, parked: true }));
    if (due.waiting) this.wake();
    if (due.parked) this.retrying ??= this.retryParked().finally(() => (this.retrying = undefined));
  }

  private async run(): Promise<void> {
    while (this.isWoken) {
      this.isWoken = false;
      try {
        if (await this.dispatchBatch()) await this.drain();
      } catch (error) {
        // Log once per outage; the sweep retries every few seconds.
        if (!this.isFailing) this.logger.warn({ err: error }, 'events wait: the relay will try again');
        this.isFailing = true;
        this.failures = Math.min(this.failures + 1, MAX_FAILURES);
      }
    }
    // In the same tick as the last check of `isWoken`, or a wake-up in between would be lost.
    this.running = undefined;
  }

  private async drain(): Promise<void> {
    const dispatchAll = async () => {
      while (await this.dispatchBatch());
    };
    // If one fails, wait for the other too, so that there are never more than this many.
    const ended = await Promise.allSettled(Array.from({ length: CONCURRENT_BATCHES }, dispatchAll));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** @returns whether there may be more. */
  private async dispatchBatch(): Promise<boolean> {
    const began = performance.now();
    const size = this.batchSize();
    const taken = await this.dispatcher.dispatch(claimEventos(size));
    // An empty batch does not prove recovery: another relay may hold the failing events.
    if (this.isFailing && taken > 0) this.logger.info('the relay dispatches events again');
    if (taken > 0) {
      this.isFailing = false;
      this.failures = Math.max(this.failures - 1, 0);
    }
    if (taken < size) return false;
    const until = performance.now() + GIVE_WAY * (performance.now() - began);
    while (this.sweep && this.isServing() && performance.now() < until) await sleep(GIVE_WAY_CHECK_MS);
    return this.sweep !== undefined;
  }

  private batchSize(): number {
    if (this.failures === MAX_FAILURES) return 1;
    const size = this.isServing() ? BATCH_BESIDE_REQUESTS : BATCH;
    return Math.ceil(size / SHRINK ** this.failures);
  }

  /** Logs no failure: `run` uses the same database and queue store, and logs theirs. */
  private async retryParked(): Promise<void> {
    try {
      for (let n = 0; n < PARKED_PER_SWEEP && this.sweep; n++)
        if ((await this.dispatcher.dispatch(claimParkedEvento())) === 0) return;
    } catch {
      // Ignored: the next sweep retries.
    }
  }
}
