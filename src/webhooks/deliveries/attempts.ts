import { setTimeout as sleep } from 'node:timers/promises';

/** The attempts of one endpoint's job that are under way, or not recorded yet. */
export class Attempts {
  /** Ids of their deliveries. */
  readonly ids = new Set<string>();
  /** Why attempts could not be made, or recorded. */
  readonly errors: unknown[] = [];
  private readonly running = new Set<Promise<unknown>>();
  private readonly unrecorded = new Set<Promise<unknown>>();

  /** @param limit of concurrent attempts; it may rise. */
  constructor(public limit: number) {}

  /** Waits until another attempt may begin. */
  async room(): Promise<void> {
    while (this.running.size >= this.limit) await Promise.race(this.running);
  }

  /** Begins an attempt; the next may begin while its outcome is recorded. */
  begin<Outcome>(
    id: string,
    attempt: () => Promise<Outcome>,
    record: (outcome: Outcome) => Promise<void>,
  ): void {
    this.ids.add(id);
    const attempted = attempt();
    keep(this.running, attempted);
    keep(
      this.unrecorded,
      attempted
        .then(record)
        .catch((error: unknown) => this.errors.push(error))
        .finally(() => this.ids.delete(id)),
    );
  }

  /** Waits until all are recorded. @param ms at most. */
  async end(ms?: number): Promise<void> {
    const all = Promise.all(this.unrecorded);
    await (ms === undefined ? all : Promise.race([all, sleep(ms, undefined, { ref: false })]));
  }
}

/** Keeps a promise in a set until it is settled. */
function keep(set: Set<Promise<unknown>>, promise: Promise<unknown>): void {
  const kept = promise
    .catch(() => undefined)
    .finally(() => {
      set.delete(kept);
    });
  set.add(kept);
}
