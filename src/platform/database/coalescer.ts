import { AppError } from '../errors/app-error.js';

/**
 * ms after which a batch in flight counts as slow, and the next one starts beside it. Several times the duration of a
 * statement, so that only a statement that waits for a lock or an unreachable server is slow.
 */
const SLOW_AFTER_MS = 50;

export interface CoalescerOptions {
  /** Maximum batches in flight; more than one only while the earlier ones are slow. */
  concurrency: number;
  maxBatch: number;
  /**
   * Whether a single call may have caused this error; default: never. The batch must have had no effect; its two halves
   * are then retried separately.
   */
  isFaultOfOneCall?: (error: unknown) => boolean;
  /**
   * Whether a batch failed because a deadline passed; default: never. The batch must have had no effect; calls that
   * still have time are retried.
   */
  isPastDeadline?: (error: unknown) => boolean;
}

interface Call<In, Out> {
  input: In;
  deadline: number;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Runs calls made at the same time as one batch. Calls that arrive while a batch is in flight wait for its end, so batches
 * grow with the load, and the cost of a call falls. A slow batch does not hold up the others: after `SLOW_AFTER_MS` the next
 * starts beside it. Without load a call waits for the end of its tick only.
 */
export class Coalescer<In, Out> {
  private waiting: Call<In, Out>[] = [];
  private inFlight = 0;
  /** Batches in flight that have taken longer than `SLOW_AFTER_MS`. */
  private slow = 0;
  private isGathering = false;

  /** @param run returns the outputs in the order of its inputs. `deadline` is the earliest of theirs. */
  constructor(
    private readonly run: (inputs: In[], deadline: number) => Promise<Out[]>,
    private readonly options: CoalescerOptions,
  ) {}

  /**
   * @param deadline as a `performance.now()` timestamp; none by default.
   * @throws AppError `no_disponible` if the deadline passes before the call has run; it will not run later.
   */
  call(input: In, deadline = Infinity): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, deadline, resolve, reject });
      if (this.isGathering || !this.canStart()) return;
      this.isGathering = true;
      setImmediate(() => {
        this.isGathering = false;
        this.startNext();
      });
    });
  }

  private canStart(): boolean {
    return this.inFlight === this.slow && this.inFlight < this.options.concurrency;
  }

  private startNext(): void {
    if (this.waiting.length > 0 && this.canStart()) void this.runBatch();
  }

  private async runBatch(): Promise<void> {
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      this.slow++;
      this.startNext();
    }, SLOW_AFTER_MS);
    this.inFlight++;
    await this.settle(this.waiting.splice(0, this.options.maxBatch));
    this.inFlight--;
    clearTimeout(timer);
    if (isSlow) this.slow--;
    this.startNext();
  }

  private async settle(calls: Call<In, Out>[]): Promise<void> {
    const now = performance.now();
    const timely = calls.filter(({ deadline }) => deadline > now);
    for (const { deadline, reject } of calls) if (deadline <= now) reject(pastDeadline());
    if (timely.length === 0) return;
    try {
      const earliest = Math.min(...timely.map(({ deadline }) => deadline));
      const outputs = await this.run(
        timely.map(({ input }) => input),
        earliest,
      );
      // Later, so that the next batch is sent first and runs while these callers go on.
      setImmediate(() => timely.forEach(({ resolve }, i) => resolve(outputs[i]!)));
    } catch (error) {
      await this.recover(timely, error);
    }
  }

  private async recover(calls: Call<In, Out>[], error: unknown): Promise<void> {
    const { isFaultOfOneCall, isPastDeadline } = this.options;
    if (calls.length > 1 && isFaultOfOneCall?.(error)) {
      const middle = calls.length >> 1;
      await this.settle(calls.slice(0, middle));
      await this.settle(calls.slice(middle));
    }
    // Terminates: the earliest deadline has passed, so each round has at least one call less.
    else if (isPastDeadline?.(error) && calls.some(({ deadline }) => deadline <= performance.now()))
      await this.settle(calls);
    else for (const { reject } of calls) reject(error);
  }
}

function pastDeadline(): AppError {
  return new AppError('no_disponible', { cause: new Error('the deadline passed before the call was run') });
}
