import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { Child } from './child.js';
import { ClusterMetrics } from './cluster-metrics.js';
import type { Ready } from './messages.js';
import { earlyDeaths, restartPause } from './restart-pause.js';

/** The processes that serve: a fixed number, each replaced when it dies. */
export class Children {
  private readonly all = new Set<Child>();
  private readonly metrics: ClusterMetrics;
  private readonly stopping = new AbortController();

  constructor(
    private readonly count: number,
    private readonly port: number,
    private readonly logger: Logger,
  ) {
    this.metrics = new ClusterMetrics(this.all, logger);
  }

  /**
   * Forks the processes.
   * @returns the message of the first one, once all are ready.
   * @throws StartupError of the first that fails; the others still have to be stopped.
   */
  async start(): Promise<Ready> {
    const starting = Array.from({ length: this.count }, () => this.firstReady());
    const children = await Promise.all(starting);
    for (const child of children) void this.replaceWhenDead(child);
    return children[0]!.ready;
  }

  /**
   * Stops all processes in order; kills those that still run after the limit.
   * @param elapsedMs since the stop began.
   * @param limitMs from now.
   * @throws if the stop of one failed.
   */
  async stop(elapsedMs: number, limitMs: number): Promise<void> {
    this.stopping.abort();
    const ends = [...this.all].map((child) => child.ended);
    for (const child of this.all) child.send({ type: 'stop', elapsedMs });
    const deadline = setTimeout(() => {
      for (const child of this.all)
        this.logger.warn({ process: child.pid }, 'shutdown: process killed at the time limit');
      this.kill();
    }, limitMs);
    const failed = (await Promise.all(ends)).filter(({ code, readyMs }) => code && readyMs > 0);
    clearTimeout(deadline);
    if (failed.length > 0) throw new Error('a process did not shut down cleanly; its log says why');
  }

  /** Kills all processes without waiting. */
  kill(): void {
    this.stopping.abort();
    for (const child of this.all) child.kill();
  }

  private fork(): Child {
    const child = new Child(this.port, (from, message) => this.metrics.handle(from, message));
    this.all.add(child);
    void child.ended.then(() => {
      this.all.delete(child);
      this.metrics.retire(child);
    });
    return child;
  }

  private async firstReady(): Promise<Child> {
    for (;;) {
      const child = this.fork();
      try {
        await child.ready;
        return child;
      } catch (error) {
        // A group signal that was meant for the supervisor: the start is finished, and then stopped in order.
        if (!Child.isGroupSignal(await child.ended)) throw error;
      }
    }
  }

  private async replaceWhenDead(first: Child): Promise<void> {
    const { signal } = this.stopping;
    for (let child = first, deaths = 0; ; child = this.fork()) {
      const failure = await child.ready.then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (failure === undefined) this.logger.info({ process: child.pid }, 'process ready');
      const { code, signal: by, readyMs } = await child.ended;
      if (signal.aborted) return;
      deaths = earlyDeaths(deaths, readyMs);
      const pauseMs = restartPause(deaths);
      const how = {
        process: child.pid,
        code,
        signal: by,
        ...(failure !== undefined && { reason: failure }),
        pauseMs,
      };
      this.logger.error(how, 'a process ended; starting another');
      this.metrics.countRestart();
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }
}
