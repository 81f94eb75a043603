/** ms after which a measurement is repeated, because clocks drift and servers are replaced. */
const REMEASURE_MS = 60_000;

/**
 * Converts timestamps of this process (`performance.now()`) to the database server's clock. Estimates low, so that a
 * deadline accepted by the server has not passed in this process.
 *
 * A round trip to the server, with known send and receive times, bounds the clock offset from both sides. The lower
 * bound is kept. Each round trip that narrows it raises it; one that contradicts it (a clock was set) replaces it.
 */
export class ServerClock {
  /** The server's milliseconds since 1970 minus `performance.now()`; never above the true offset. */
  private offsetMs: number | undefined;
  private measuredAt = -Infinity;
  /** Counts the calls of `forget`; a measurement in flight during one is dropped. */
  private generation = 0;

  /** @param readServerMs asks the server for its time, in milliseconds since 1970. */
  constructor(private readonly readServerMs: () => Promise<number>) {}

  /** The server's time at `moment`, in milliseconds since 1970, or a little earlier. */
  async serverMs(moment: number): Promise<number> {
    if (performance.now() - this.measuredAt > REMEASURE_MS && this.offsetMs !== undefined) this.remeasure();
    // Measures again if the server was replaced meanwhile.
    while (this.offsetMs === undefined) await this.measure();
    return moment + this.offsetMs;
  }

  /** To be called when another server takes over: its clock differs. */
  forget(): void {
    this.offsetMs = undefined;
    this.generation++;
  }

  async measure(): Promise<void> {
    const { generation } = this;
    const sentAt = performance.now();
    const serverMs = await this.readServerMs();
    const receivedAt = performance.now();
    if (generation !== this.generation) return;
    this.measuredAt = receivedAt;
    const lowest = serverMs - receivedAt;
    const highest = serverMs - sentAt;
    if (this.offsetMs === undefined || this.offsetMs < lowest || this.offsetMs > highest)
      this.offsetMs = lowest;
  }

  /** In the background: the caller does not wait. After a failure the old offset stays. */
  private remeasure(): void {
    this.measuredAt = performance.now();
    this.measure().catch(() => undefined);
  }
}
