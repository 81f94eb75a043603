import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { InjectLogger } from '../logging/logging.module.js';

/** Default: a sweep pauses for at least this many times its last duration, so that it takes little of the process. */
const REST = 10;

/** ms; the longest pause. In a busy process a sweep may take a minute, and the next one should not be too late. */
const MAX_REST_MS = 30_000;

/** Runs functions at intervals, from the start of the application to its shutdown. */
@Injectable()
export class SweepsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly sweeps: Sweep[] = [];

  constructor(@InjectLogger() private readonly logger: Logger) {}

  /**
   * To be called while modules are initialised.
   * @param name for the log.
   * @param everyMs milliseconds between two starts; a run that takes longer is not started twice.
   * @param run is given a signal that is aborted when the application stops, which waits for the run.
   * @param rest pause after a run, in durations of it: less than the default only where people wait for its work.
   */
  every(name: string, everyMs: number, run: (signal: AbortSignal) => Promise<void>, rest = REST): void {
    this.sweeps.push(new Sweep(name, everyMs, run, rest, this.logger));
  }

  onApplicationBootstrap(): void {
    for (const sweep of this.sweeps) sweep.start();
  }

  /** Waits for runs in progress. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.sweeps.map((sweep) => sweep.stop()));
  }
}

class Sweep {
  private stopping = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private restUntil = 0;
  private isFailing = false;

  constructor(
    private readonly name: string,
    private readonly everyMs: number,
    private readonly run: (signal: AbortSignal) => Promise<void>,
    private readonly rest: number,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.stopping = new AbortController();
    this.timer = setInterval(() => {
      if (performance.now() < this.restUntil) return;
      this.running ??= this.once().finally(() => (this.running = undefined));
    }, this.everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    this.stopping.abort();
    await this.running;
  }

  /** Logs the first of several failures, and the recovery. */
  private async once(): Promise<void> {
    const began = performance.now();
    try {
      await this.run(this.stopping.signal);
      if (this.isFailing) this.logger.info({ sweep: this.name }, 'sweep recovered');
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.warn({ err: error, sweep: this.name }, 'a sweep failed; it goes on trying');
      this.isFailing = true;
    }
    const now = performance.now();
    this.restUntil = now + Math.min(this.rest * (now - began), MAX_REST_MS);
  }
}
