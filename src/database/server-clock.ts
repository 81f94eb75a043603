/** Milliseconds after which a measurement is repeated: clocks drift, and servers are replaced. */
const REMEASURE_MS = 60_000;

/**
 * Converts moments of this process (`performance.now()`) to the clock of the database server, never too late: what the
 * server believes to be in time is in time here, too.
 *
 * An exchange with the server, sent and received at known moments, bounds the offset between the two clocks from both
 * sides. The lower bound is kept, and raised by each exchange that narrows it; an exchange that contradicts it (a clock
 * was set) replaces it.
 */
export class ServerClock {
  /** Milliseconds from `performance.now()` to the server's time since 1970; at most. */
  private offsetMs: number | undefined;
  private measuredAt = -Infinity;

  /** @param readServerMs asks the server for its time, in milliseconds since 1970. */
  constructor(private readonly readServerMs: () => Promise<number>) {}

  /** The server's time at `moment`, in milliseconds since 1970, or a little earlier. */
  async serverMs(moment: number): Promise<number> {
    if (this.offsetMs === undefined) await this.measure();
    else if (performance.now() - this.measuredAt > REMEASURE_MS) this.remeasure();
    return moment + this.offsetMs!;
  }

  /** Asks the server for its time. */
  async measure(): Promise<void> {
    const sentAt = performance.now();
    const serverMs = await this.readServerMs();
    const receivedAt = performance.now();
    this.measuredAt = receivedAt;
    const lowest = serverMs - receivedAt;
    const highest = serverMs - sentAt;
    if (this.offsetMs === undefined || this.offsetMs < lowest || this.offsetMs > highest)
      this.offsetMs = lowest;
  }

  /** In the background: who asks for the time does not wait, and a failure shows in their own query. */
  private remeasure(): void {
    this.measuredAt = performance.now();
    this.measure().catch(() => undefined);
  }
}
