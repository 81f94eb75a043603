/**
 * Counts a client's messages to PostgreSQL.
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
export class WireTap {
  private messages = new Map<string, number>();

  /** Makes a listener for the bytes of one connection. */
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
          this.messages.set(type, (this.messages.get(type) ?? 0) + 1);
        }
        isStarted = true;
        rest = rest.subarray(end);
      }
    };
  };

  /** Round trips (Sync or Query messages) and parsed statements (Parse or Query) while `run` runs. */
  async during(run: () => Promise<unknown>): Promise<{ roundTrips: number; parsed: number }> {
    this.messages = new Map();
    await run();
    const count = (type: string) => this.messages.get(type) ?? 0;
    return { roundTrips: count('S') + count('Q'), parsed: count('P') + count('Q') };
  }
}
