import { Attempts } from './attempts.js';
import type { DeliveryOutcome } from './delivery.client.js';
import { WEBHOOKS_LENTOS } from './deliveries.queue.js';

/** Concurrent attempts to one endpoint, and its deliveries that are loaded at a time. */
interface Lane {
  concurrency: number;
  batch: number;
}

const QUICK: Lane = { concurrency: 4, batch: 64 };
const SLOW: Lane = { concurrency: 2, batch: 8 };

/** The same of an operator's endpoint, which gets the events of all merchants. */
const OPERATOR_QUICK: Lane = { concurrency: 32, batch: 256 };
const OPERATOR_SLOW: Lane = { concurrency: 16, batch: 64 };

/** ms after which an endpoint's job goes back to its queue, behind those of other endpoints. */
const TURN_MS = 10_000;

/** ms after which a job looks for more to do while its attempts wait for responses: at first, and later. */
const FIRST_LOOK_MS = 200;
const LAST_LOOK_MS = 2_000;

/** One run of an endpoint's job: the attempts that it makes side by side, and what ends it. */
export class EndpointTurn {
  readonly isSlow: boolean;
  readonly attempts: Attempts;
  /** Deliveries that are loaded at a time. */
  batch: number;
  /** When the earliest later delivery is due that a job was added for, in ms since 1970. */
  announced = Infinity;
  hasFailed = false;
  /** As a `performance.now()` timestamp. */
  private endsAt = performance.now() + TURN_MS;
  /** The endpoint is gone, or a quick one failed: it is loaded again before the next attempt. */
  private isCut = false;
  private lookMs = FIRST_LOOK_MS;

  /** @param isStopping whether the worker begins no more attempts. */
  constructor(
    readonly webhookId: string,
    readonly queue: string,
    private readonly isStopping: () => boolean,
  ) {
    this.isSlow = queue === WEBHOOKS_LENTOS;
    const { concurrency, batch } = this.isSlow ? SLOW : QUICK;
    this.attempts = new Attempts(concurrency);
    this.batch = batch;
  }

  /** Gives it the limits of operators' endpoints. */
  widen(): void {
    const { batch, concurrency } = this.isSlow ? OPERATOR_SLOW : OPERATOR_QUICK;
    this.batch = batch;
    this.attempts.limit = concurrency;
  }

  isOver(): boolean {
    return this.isStopping() || performance.now() > this.endsAt;
  }

  /** Whether attempts that wait for their share of the owner's may no longer begin. */
  isHeld(): boolean {
    return this.isCut || this.isStopping() || this.attempts.errors.length > 0;
  }

  /** @param quickMs longest attempt that lets the turn go on. */
  noteFailure({ gone, ms }: DeliveryOutcome, quickMs: number): void {
    this.hasFailed = true;
    // An endpoint that hangs makes room for others after each attempt, not only at the end of its time.
    if (ms > quickMs) this.endsAt = -Infinity;
    this.isCut ||= gone || !this.isSlow;
  }

  /**
   * Waits until deliveries may be loaded again: for all attempts if it is over or cut, and for a moment if no more are due
   * now. An attempt that takes long does not hold up what becomes due meanwhile.
   * @param due how many there were. @param isFull whether there may be more.
   * @throws why an attempt could not be made, or recorded.
   */
  async rest(due: number, isFull: boolean): Promise<void> {
    if (this.isOver() || this.isCut) await this.attempts.end();
    else if (!isFull) {
      this.lookMs = due > 0 ? FIRST_LOOK_MS : Math.min(2 * this.lookMs, LAST_LOOK_MS);
      await this.attempts.end(this.lookMs);
    }
    if (this.attempts.errors.length > 0) throw this.attempts.errors[0];
    if (this.isCut) await this.attempts.end();
    this.isCut = false;
  }
}
