import { performance } from 'node:perf_hooks';

/** ms; the process must have been idle for so long. */
const IDLE_MS = 1_000;

/** Share of that time in which the event loop had work; the periodic queries of an idle process stay well below. */
const BUSY = 0.1;

/**
 * Collects the garbage of the start once, as soon as nobody waits for the process: loading the modules leaves a quarter of
 * the heap as garbage, which V8 keeps until the heap has grown further, and an idle process never. It takes some 0.15 s.
 * @param idleMs as `IDLE_MS`.
 */
export function releaseMemoryWhenIdle(idleMs = IDLE_MS): void {
  let since = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(since);
    since = performance.eventLoopUtilization();
    if (utilization > BUSY) return;
    clearInterval(timer);
    void releaseMemory();
  }, idleMs).unref();
}

/**
 * Collects all garbage, and returns the freed pages to the system. `global.gc()` needs a flag, and returns none. Does nothing in
 * a Node that was built without its inspector, or denies it (`--permission`): a service that runs must not end for this.
 */
export async function releaseMemory(): Promise<void> {
  try {
    const { Session } = await import('node:inspector/promises');
    const session = new Session();
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
    session.disconnect();
  } catch {
    // The memory is given back when the heap has grown further.
  }
}
