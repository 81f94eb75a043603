interface Slots {
  free: number;
  /** First come, first served. */
  readonly waiting: (() => void)[];
}

/** Limits the concurrent attempts of each merchant in one queue of this process, to all of its endpoints together. */
export class MerchantSlots {
  private readonly merchants = new Map<string, Slots>();

  /** @param limit of each merchant. */
  constructor(private readonly limit: number) {}

  /** Waits for a slot of a merchant and holds it until `attempt` has ended. */
  async run<T>(merchant: string, attempt: () => Promise<T>): Promise<T> {
    const slots = this.merchants.get(merchant) ?? { free: this.limit, waiting: [] };
    this.merchants.set(merchant, slots);
    if (slots.free > 0) slots.free--;
    else await new Promise<void>((resolve) => slots.waiting.push(resolve));
    try {
      return await attempt();
    } finally {
      const next = slots.waiting.shift();
      if (next) next();
      else if (++slots.free === this.limit) this.merchants.delete(merchant);
    }
  }
}
