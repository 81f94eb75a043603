/**
 * Counts what a client says to PostgreSQL, message by message: what a query costs is what goes over the wire.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export class WireTap {
  private said = new Map<string, number>();

  /** For each connection. */
  readonly listen = (): ((chunk: Buffer) => void) => {
    let rest = Buffer.alloc(0);
    let isStarted = false;
    return (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      for (;;) {
        // The first message has no type.
        const lengthAt = isStarted ? 1 : 0;
        if (rest.length < lengthAt + 4) return;
        const end = lengthAt + rest.readInt32BE(lengthAt);
        if (rest.length < end) return;
        if (isStarted) {
          const type = String.fromCharCode(rest[0]!);
          this.said.set(type, (this.said.get(type) ?? 0) + 1);
        }
        isStarted = true;
        rest = rest.subarray(end);
      }
    };
  };

  /** Questions (Sync, or Query) and statements parsed (Parse, or Query) while something runs. */
  async during(run: () => Promise<unknown>): Promise<{ roundTrips: number; parsed: number }> {
    this.said = new Map();
    await run();
    const count = (type: string) => this.said.get(type) ?? 0;
    return { roundTrips: count('S') + count('Q'), parsed: count('P') + count('Q') };
  }
}
