import { AppError } from '../errors/app-error.js';

interface TurnsOptions {
  /** Calls that run at once. */
  slots: number;
  /** ms until a call that waits is refused. */
  waitMs: number;
}

/**
 * Runs at most one call of a key at a time, in order, and at most `slots` calls in all. A key whose call has ended goes behind
 * the keys that wait: many calls of one key hold one slot, and the others pass.
 */
export class Turns {
  private readonly options: TurnsOptions;
  private free: number;
  /** The waiting calls of each key that runs or is `ready`, oldest first. */
  private readonly waiting = new Map<string, (() => void)[]>();
  /** Keys that wait for a slot, oldest first. */
  private readonly ready: string[] = [];

  constructor(options: TurnsOptions) {
    this.options = options;
    this.free = options.slots;
  }

  /** @throws AppError `no_disponible` if it waits longer than `waitMs`; it does not run then. */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    await this.turnOf(key);
    try {
      return await work();
    } finally {
      this.end(key);
    }
  }

  private turnOf(key: string): Promise<void> | undefined {
    let calls = this.waiting.get(key);
    if (!calls) {
      calls = [];
      this.waiting.set(key, calls);
      if (this.free > 0) {
        this.free--;
        return undefined;
      }
      this.ready.push(key);
    }
    return this.waitIn(calls);
  }

  private waitIn(calls: (() => void)[]): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        calls.splice(calls.indexOf(start), 1);
        reject(
          new AppError('no_disponible', { cause: new Error('no turn in time: too many changes at once') }),
        );
      }, this.options.waitMs);
      calls.push(start);
    });
  }

  private end(key: string): void {
    this.free++;
    if (this.waiting.get(key)!.length > 0) this.ready.push(key);
    else this.waiting.delete(key);
    this.startNext();
  }

  private startNext(): void {
    while (this.free > 0 && this.ready.length > 0) {
      const key = this.ready.shift()!;
      const start = this.waiting.get(key)!.shift();
      // All of its calls have been refused.
      if (!start) this.waiting.delete(key);
      else {
        this.free--;
        start();
      }
    }
  }
}
