interface Waiter {
  readonly owner: string;
  admit(): void;
}

export interface SlotLimits {
  readonly total: number;
  readonly perOwner: number;
}

/** Limits concurrency in total and for each owner. First come, first served. */
export class Slots {
  private taken = 0;
  private readonly takenBy = new Map<string, number>();
  private readonly queue = new Set<Waiter>();

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, waiting up to `waitMs` until one is free.
   * @returns the function that releases the slot, to be called once; undefined if no slot became free in
   *   time.
   */
  take(owner: string, waitMs: number): Promise<(() => void) | undefined> {
    if (this.hasRoom(owner)) return Promise.resolve(this.occupy(owner));
    return new Promise((resolve) => {
      const leave = (release?: () => void) => {
        clearTimeout(timer);
        this.queue.delete(waiter);
        resolve(release);
      };
      const waiter = { owner, admit: () => leave(this.occupy(owner)) };
      const timer = setTimeout(leave, waitMs);
      this.queue.add(waiter);
    });
  }

  private hasRoom(owner: string): boolean {
    return this.taken < this.limits.total && this.countOf(owner) < this.limits.perOwner;
  }

  private countOf(owner: string): number {
    return this.takenBy.get(owner) ?? 0;
  }

  private occupy(owner: string): () => void {
    this.taken += 1;
    this.takenBy.set(owner, this.countOf(owner) + 1);
    return () => this.release(owner);
  }

  private release(owner: string): void {
    this.taken -= 1;
    const left = this.countOf(owner) - 1;
    if (left === 0) this.takenBy.delete(owner);
    else this.takenBy.set(owner, left);
    for (const waiter of this.queue) {
      if (this.hasRoom(waiter.owner)) return waiter.admit();
    }
  }
}
