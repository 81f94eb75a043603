/** Concurrent attempts to one endpoint in this process. */
export const SLOTS = 4;

/** ms; an endpoint whose last attempt took longer is slow: one slot until an attempt is faster. */
const SLOW_MS = 5_000;

/** ms; bounds of the wait that a job without a slot is told. */
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 60_000;

/** ms; duration that is assumed for a new endpoint, and the least that is assumed for any. */
const INITIAL_ESTIMATE_MS = 200;
const MIN_ESTIMATE_MS = 20;

/** ms; an endpoint unused for this long is evicted, and above this number the least recently used ones are. */
const IDLE_MS = 600_000;
const MAX_ENDPOINTS = 10_000;

/** Waiting jobs remembered for one endpoint; more than that come back at their time, not earlier. */
const MAX_WAITING = 10_000;

/** ms; for this long a slot is kept free for a job that was woken up. */
const WAKE_UP_MS = 1_000;

/** ms; a job that is due this soon is not woken up: the queue may be starting it already. */
const SOON_MS = 500;

/** Multiples of it, modulo 1, are spread evenly over 0 to 1. */
const GOLDEN_RATIO = 0.618_033_988_749_895;

/** The right to make one attempt. */
export interface Slot {
  /**
   * To be called when the attempt has ended; further calls do nothing.
   * @param ms duration of the attempt; omitted if none was made, which leaves the estimate as it is.
   * @returns ids of waiting jobs to wake up: there is a slot for each of them now.
   */
  release(ms?: number): string[];
}

/**
 * Limits the concurrent attempts per endpoint, so that one that hangs does not occupy all workers. Nothing blocks
 * here: a job without a slot is told when to come back, and may be woken up earlier when a slot is released.
 */
export class EndpointSlots {
  /** Least recently used first. */
  private readonly endpoints = new Map<string, Endpoint>();

  /** Endpoints in memory. */
  get size(): number {
    return this.endpoints.size;
  }

  /**
   * @param jobId the same when the job comes back.
   * @param now ms of a monotonic clock.
   * @returns a slot; or how many ms to wait, 100 to 60,000. Waits are staggered: each job is told another time, at
   * the pace at which slots are expected to become free.
   */
  acquire(endpointId: string, jobId: string, now = performance.now()): Slot | number {
    this.evict(now);
    const endpoint = this.endpoints.get(endpointId) ?? new Endpoint();
    this.endpoints.delete(endpointId);
    this.endpoints.set(endpointId, endpoint);
    return endpoint.acquire(jobId, now);
  }

  private evict(now: number): void {
    for (const [id, endpoint] of this.endpoints) {
      if (now - endpoint.usedAt < IDLE_MS && this.endpoints.size <= MAX_ENDPOINTS) return;
      if (!endpoint.isBusy) this.endpoints.delete(id);
    }
  }
}

class Endpoint {
  usedAt = 0;
  private readonly running = new Set<{ readonly startedAt: number }>();
  private lastMs = 0;
  /** Moving average of the attempts' durations. */
  private averageMs = INITIAL_ESTIMATE_MS;
  /** Until then the slots are promised to waiting jobs. */
  private promisedUntil = 0;
  /** Jobs told a time that was too far away to be promised. */
  private unpromised = 0;
  /** Ids of waiting jobs, the first to wait first, and when they are due. */
  private readonly waiting = new Map<string, number>();
  /** Ids of jobs that were woken up and are not back yet, and when they were. */
  private readonly woken = new Map<string, number>();

  get isBusy(): boolean {
    return this.running.size > 0;
  }

  acquire(jobId: string, now: number): Slot | number {
    this.usedAt = now;
    this.waiting.delete(jobId);
    this.woken.delete(jobId);
    if (this.running.size >= this.slots) {
      const waitMs = this.nextTurn(now);
      if (this.waiting.size < MAX_WAITING) this.waiting.set(jobId, now + waitMs);
      return waitMs;
    }
    const attempt = { startedAt: now };
    this.running.add(attempt);
    return {
      release: (ms) => {
        if (!this.running.delete(attempt)) return [];
        if (ms !== undefined) this.learn(ms, now + ms);
        return this.wakeUp(now + (ms ?? 0));
      },
    };
  }

  private get slots(): number {
    return this.lastMs > SLOW_MS ? 1 : SLOTS;
  }

  /** ms until the turn of one more waiting job. */
  private nextTurn(now: number): number {
    const at = Math.max(this.promisedUntil, this.nextSlotAt(now), now + MIN_WAIT_MS);
    if (at - now < MAX_WAIT_MS) {
      this.promisedUntil = at + this.intervalMs(now);
      return at - now;
    }
    this.unpromised += 1;
    // Spread over the second half of the longest wait.
    return (MAX_WAIT_MS / 2) * (1 + ((this.unpromised * GOLDEN_RATIO) % 1));
  }

  /** When fewer attempts than slots are expected to run. */
  private nextSlotAt(now: number): number {
    const ends = [...this.running].map(({ startedAt }) => {
      const elapsed = now - startedAt;
      // Past the average, assume twice the elapsed time.
      return elapsed < this.averageMs ? startedAt + this.averageMs : now + elapsed;
    });
    ends.sort((a, b) => a - b);
    return ends[ends.length - this.slots] ?? now;
  }

  /** Expected ms from one released slot to the next. */
  private intervalMs(now: number): number {
    const elapsed = [...this.running].map(({ startedAt }) => now - startedAt);
    return Math.max(MIN_ESTIMATE_MS, this.averageMs, ...elapsed) / this.slots;
  }

  private learn(ms: number, now: number): void {
    const before = this.intervalMs(now);
    this.usedAt = now;
    this.lastMs = ms;
    this.averageMs += (ms - this.averageMs) / 4;
    // If the endpoint is faster now, promises end sooner. If it is slower, jobs that come back are told a new time.
    const factor = Math.min(1, this.intervalMs(now) / before);
    this.promisedUntil = now + Math.max(0, this.promisedUntil - now) * factor;
  }

  /** The jobs that have waited longest, one for each slot that is neither taken nor kept for a woken job. */
  private wakeUp(now: number): string[] {
    for (const [jobId, at] of this.woken) if (now - at > WAKE_UP_MS) this.woken.delete(jobId);
    const free = this.slots - this.running.size - this.woken.size;
    const jobIds: string[] = [];
    for (const [jobId, dueAt] of this.waiting) {
      if (jobIds.length >= free) break;
      this.waiting.delete(jobId);
      if (dueAt - now < SOON_MS) continue;
      this.woken.set(jobId, now);
      jobIds.push(jobId);
    }
    return jobIds;
  }
}
