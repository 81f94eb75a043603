interface Slots {
  free: number;
  /** First come, first served. */
  readonly waiting: (() => void)[];
}

/** Limits the concurrent attempts of each merchant or operator, in one queue of this process, to all its endpoints. */
export class OwnerSlots {
  private readonly owners = new Map<string, Slots>();

  /** @param limit of each owner. */
  constructor(private readonly limit: number) {}

  /** Waits for a slot of an owner and holds it until `attempt` has ended. */
  async run<T>(owner: string, attempt: () => Promise<T>): Promise<T> {
    const slots = this.owners.get(owner) ?? { free: this.limit, waiting: [] };
    this.owners.set(owner, slots);
    if (slots.free > 0) slots.free--;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await attempt();
    } finally {
      const next = slots.waiting.shift();
      if (next) next();
      else if (++slots.free === this.limit) this.owners.delete(owner);
    }
  }
}
