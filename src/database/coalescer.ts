import { AppError } from '../errors/app-error.js';

export interface CoalescerLimits {
  /** Runs under way at the same time. */
  lanes: number;
  /** Calls in one run. */
  size: number;
  /** Milliseconds that a call may wait for the run that answers it to begin. */
  waitMs: number;
  /** Whether an error is of one call's making. Then each call of the run is run by itself: nothing may have come of them. */
  isFaultOfOne: (error: unknown) => boolean;
}

interface Call<In, Out> {
  input: In;
  since: number;
  resolve: (output: Out) => void;
  reject: (error: unknown) => void;
}

/**
 * Gathers calls that are made at the same time into one run, and those that come while all lanes are busy into the
 * next: the fuller the house, the cheaper each call. A single call waits for nothing but the end of its tick.
 */
export class Coalescer<In, Out> {
  private waiting: Call<In, Out>[] = [];
  private busy = 0;
  private isGathering = false;

  /** @param run answers each of its inputs, in their order. */
  constructor(
    private readonly run: (inputs: In[]) => Promise<Out[]>,
    private readonly limits: CoalescerLimits,
  ) {}

  /**
   * @param since when the wait began, as `performance.now()` says.
   * @throws AppError `no_disponible` where the wait was too long: the call was not made, and will not be.
   */
  call(input: In, since = performance.now()): Promise<Out> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ input, since, resolve, reject });
      if (this.isGathering || this.busy === this.limits.lanes) return;
      this.isGathering = true;
      setImmediate(() => {
        this.isGathering = false;
        while (this.busy < this.limits.lanes && this.waiting.length > 0) void this.work();
      });
    });
  }

  /** One lane, until nothing waits. */
  private async work(): Promise<void> {
    this.busy++;
    while (this.waiting.length > 0) {
      const calls = this.waiting.splice(0, this.limits.size);
      await this.settle(calls);
    }
    this.busy--;
  }

  private isInTime({ since, reject }: Call<In, Out>): boolean {
    const isInTime = performance.now() - since <= this.limits.waitMs;
    if (!isInTime) reject(new AppError('no_disponible', { cause: new Error('waited too long for a lane') }));
    return isInTime;
  }

  private async settle(calls: Call<In, Out>[]): Promise<void> {
    const inTime = calls.filter((call) => this.isInTime(call));
    if (inTime.length === 0) return;
    try {
      const outputs = await this.run(inTime.map(({ input }) => input));
      inTime.forEach(({ resolve }, i) => resolve(outputs[i]!));
    } catch (error) {
      if (inTime.length === 1 || !this.limits.isFaultOfOne(error))
        for (const { reject } of inTime) reject(error);
      else for (const call of inTime) await this.settle([call]);
    }
  }
}
