import cluster from 'node:cluster';
import type { MetricSample, Siblings } from '../health/metrics.js';
import type { FromChild, FromSupervisor, Ready } from './messages.js';

/** ms; longer than the time that the supervisor waits for the processes' samples. */
const METRICS_LIMIT_MS = 2_000;

/** A forked process's connection to its supervisor. */
export class SupervisorLink implements Siblings {
  private readonly scrapes = new Map<number, (text: string | undefined) => void>();
  private scraped = 0;
  private sample: (() => Promise<MetricSample[]>) | undefined;

  constructor() {
    process.on('message', (message: FromSupervisor) => {
      if (message.type === 'sample') void this.answer(message.id);
      else if (message.type === 'metrics') this.scrapes.get(message.id)?.(message.text);
    });
  }

  /**
   * @param stop stops the process gracefully; called once, when the supervisor asks for it or has disconnected.
   * `since`: when the stop began, as a `performance.now()` timestamp.
   */
  onStop(stop: (since: number) => void): void {
    let isStopping = false;
    const once = (elapsedMs: number) => {
      if (!isStopping) stop(performance.now() - elapsedMs);
      isStopping = true;
    };
    process.on('message', (message: FromSupervisor) => message.type === 'stop' && once(message.elapsedMs));
    const worker = cluster.worker!;
    worker.on('disconnect', () => {
      // Without this, Node ends a process at once when its supervisor is gone.
      worker.exitedAfterDisconnect = true;
      once(0);
    });
  }

  /** Whether this is the first process of the service. */
  get isFirst(): boolean {
    return cluster.worker!.id === 1;
  }

  ready(ready: Ready): void {
    this.send({ type: 'ready', ...ready });
  }

  /** Resolves once the supervisor has received it. */
  failed(message: string): Promise<void> {
    return new Promise((resolve) => this.send({ type: 'failed', message }, resolve));
  }

  sumMetrics(sample: () => Promise<MetricSample[]>): () => Promise<string | undefined> {
    this.sample = sample;
    return () => this.scrape();
  }

  private scrape(): Promise<string | undefined> {
    const id = ++this.scraped;
    return new Promise<string | undefined>((resolve) => {
      const limit = setTimeout(resolve, METRICS_LIMIT_MS);
      this.scrapes.set(id, (text) => {
        clearTimeout(limit);
        resolve(text);
      });
      this.send({ type: 'scrape', id });
    }).finally(() => this.scrapes.delete(id));
  }

  private async answer(id: number): Promise<void> {
    const metrics = (await this.sample?.()) ?? [];
    this.send({ type: 'sample', id, metrics });
  }

  private send(message: FromChild, sent: () => void = () => undefined): void {
    if (process.connected) process.send!(message, undefined, {}, sent);
    else sent();
  }
}
