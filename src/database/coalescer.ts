import { AppError } from '../errors/app-error.js';

export interface CoalescerOptions {
  /** Batches in flight at the same time. */
  concurrency: number;
  /** Calls in one batch. */
  maxBatch: number;
  /**
   * Whether one call alone may have caused this error; no error by default. Its batch must have had no effect; its halves
   * are run again.
   */
  isFaultOfOneCall?: (error: unknown) => boolean;
  /**
   * Whether a batch failed because a deadline passed; no error by default. It must have had no effect; the calls that
   * still have time are run again.
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
 * Runs calls made at the same time as one batch. Calls that arrive while all batches are in flight wait for the next one,
 * so batches grow with the load, and the cost of a call falls. Without load a call waits for the end of its tick only.
 */
export class Coalescer<In, Out> {
  private waiting: Call<In, Out>[] = [];
  private inFlight = 0;
  private isGathering = false;

  /**
   * @param run returns the outputs in the order of its inputs. `deadline` is the earliest of theirs.
   */
  constructor(
    private readonly run: (inputs: In[], deadline: number) => Promise<Out[]>,
    private readonly options: CoalescerOptions,
  ) {}

  /**
   * @param deadline as `performance.now()` counts; none by default.
   * @throws AppError `no_disponible` when the deadline passes before the call was run; it will not be run later.
   */
  call(input: In, deadline = Infinity): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, deadline, resolve, reject });
      if (this.isGathering || this.inFlight === this.options.concurrency) return;
      this.isGathering = true;
      setImmediate(() => {
        this.isGathering = false;
        while (this.inFlight < this.options.concurrency && this.waiting.length > 0) void this.drain();
      });
    });
  }

  private async drain(): Promise<void> {
    this.inFlight++;
    while (this.waiting.length > 0) await this.settle(this.waiting.splice(0, this.options.maxBatch));
    this.inFlight--;
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
      timely.forEach(({ resolve }, i) => resolve(outputs[i]!));
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
    // The earliest deadline has passed: there is at least one call less each time.
    else if (isPastDeadline?.(error) && calls.some(({ deadline }) => deadline <= performance.now()))
      await this.settle(calls);
    else for (const { reject } of calls) reject(error);
  }
}

function pastDeadline(): AppError {
  return new AppError('no_disponible', { cause: new Error('the deadline passed before the call was run') });
}
