import { LRUCache } from 'lru-cache';

/** Whose slots an attempt takes; both are ids. */
export interface SlotOwner {
  readonly endpoint: string;
  readonly merchant: string;
}

export interface SlotLimits {
  /** Concurrent attempts to one endpoint. */
  readonly endpoint: number;
  /** Concurrent attempts to all endpoints of one merchant, deleted ones included. */
  readonly merchant: number;
  /** ms between the turns of jobs that wait for slots of the same endpoint or merchant, at first. */
  readonly turnMs: number;
}

/**
 * Turns follow one another sooner with each job that comes back and finds a slot, and later with each that comes back in vain: so
 * about one in ten does, however long the endpoint's attempts take.
 */
const SOONER = 0.98;
const LATER = 1.2;

/** ms between turns. */
const MIN_TURN_MS = 1;
const MAX_TURN_MS = 500;

/** Turns until the first job that waits comes back: attempts that are running may end until then. */
const FIRST_TURN = 20;

/** ms; the longest wait. */
const MAX_WAIT_MS = 300_000;

/** Endpoints and merchants whose turns are remembered; of others the jobs come back sooner than necessary. */
const MAX_LINES = 10_000;

/** Jobs that wait for slots of an endpoint or merchant. */
interface Line {
  /** When the next job that finds no slot comes back; ms of a monotonic clock. */
  nextAt: number;
  turnMs: number;
}

/**
 * A bulkhead: the concurrent attempts of this process in one queue, limited for each endpoint and each merchant, so
 * that none of them occupies a worker. Nothing waits here: a job without a slot goes back to the queue for a while.
 */
export class Slots {
  private readonly taken = new Map<string, number>();
  private readonly lines = new LRUCache<string, Line>({ max: MAX_LINES });

  constructor(private readonly limits: SlotLimits) {}

  /**
   * Takes a slot, which must be released.
   * @param hasWaited whether the job was sent back before.
   * @param now ms of a monotonic clock.
   * @returns 0; or, if there is no slot, how many ms to wait before asking again.
   */
  take(owner: SlotOwner, hasWaited: boolean, now = performance.now()): number {
    const full = this.fullOf(owner);
    if (full !== undefined) return this.queueUp(full, hasWaited, now);
    for (const id of [owner.merchant, owner.endpoint]) {
      this.add(id, 1);
      const line = this.lines.get(id);
      if (line && hasWaited) line.turnMs = Math.max(line.turnMs * SOONER, MIN_TURN_MS);
    }
    return 0;
  }

  release({ endpoint, merchant }: SlotOwner): void {
    this.add(merchant, -1);
    this.add(endpoint, -1);
  }

  private fullOf({ endpoint, merchant }: SlotOwner): string | undefined {
    if (this.count(merchant) >= this.limits.merchant) return merchant;
    return this.count(endpoint) >= this.limits.endpoint ? endpoint : undefined;
  }

  /** Turns are one after another, so that of thousands of waiting jobs few come back in vain. */
  private queueUp(id: string, hasWaited: boolean, now: number): number {
    const line = this.lines.get(id) ?? { nextAt: 0, turnMs: this.limits.turnMs };
    if (hasWaited) line.turnMs = Math.min(line.turnMs * LATER, MAX_TURN_MS);
    const at = Math.max(line.nextAt, now + FIRST_TURN * line.turnMs);
    line.nextAt = Math.min(at + line.turnMs, now + MAX_WAIT_MS);
    this.lines.set(id, line);
    return at - now;
  }

  private count(id: string): number {
    return this.taken.get(id) ?? 0;
  }

  private add(id: string, change: 1 | -1): void {
    const count = this.count(id) + change;
    if (count === 0) this.taken.delete(id);
    else this.taken.set(id, count);
  }
}
