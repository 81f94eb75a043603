import type { Logger } from 'pino';
import { AggregatorRegistry, Counter, Gauge, Registry } from 'prom-client';
import type { MetricSample } from '../health/metrics.js';
import type { Child } from './child.js';
import type { FromChild } from './messages.js';

/** ms; after this, a process's previous sample is used. */
const SAMPLE_LIMIT_MS = 1_000;

/** Metric types kept after their process ends: a sum that falls would look like a counter reset. */
const LASTING = new Set(['counter', 'histogram']);

interface Round {
  /** Processes that have not answered yet. */
  missing: Set<Child>;
  done: () => void;
}

/** The metrics of all processes of this host. The sums of counters never fall. */
export class ClusterMetrics {
  private readonly samples = new Map<Child, MetricSample[]>();
  private readonly rounds = new Map<number, Round>();
  private rounded = 0;
  private ended: MetricSample[] = [];
  private ending = Promise.resolve();
  private readonly own = new Registry();
  private readonly restarts = new Counter({
    name: 'cluster_restarts_total',
    help: 'Restarts of processes that ended.',
    registers: [this.own],
  });

  constructor(
    private readonly children: ReadonlySet<Child>,
    private readonly logger: Logger,
  ) {
    new Gauge({
      name: 'cluster_processes',
      help: 'Running processes of this host.',
      registers: [this.own],
      collect() {
        this.set([...children].filter(({ isReady }) => isReady).length);
      },
    });
  }

  handle(from: Child, message: FromChild): void {
    if (message.type === 'scrape') {
      void this.text().then(
        (text) => from.send({ type: 'metrics', id: message.id, text }),
        (error: unknown) => this.logger.error({ err: error }, 'metrics aggregation failed'),
      );
    } else if (message.type === 'sample' && this.children.has(from)) {
      this.samples.set(from, message.metrics);
      const round = this.rounds.get(message.id);
      round?.missing.delete(from);
      if (round?.missing.size === 0) round.done();
    }
  }

  /** To be called for each process that has ended. */
  retire(child: Child): void {
    for (const round of this.rounds.values()) {
      round.missing.delete(child);
      if (round.missing.size === 0) round.done();
    }
    const last = this.samples.get(child) ?? [];
    this.samples.delete(child);
    // The type says it is the enum's number, but a sample contains its name.
    const lasting = last.filter(({ type }) => LASTING.has(type as unknown as string));
    this.ending = this.ending.then(async () => {
      this.ended = await sumOf([this.ended, lasting]).getMetricsAsJSON();
    });
  }

  countRestart(): void {
    this.restarts.inc();
  }

  private async text(): Promise<string> {
    await this.ask();
    await this.ending;
    const sum = sumOf([this.ended, ...this.samples.values()]);
    return (await Promise.all([sum.metrics(), this.own.metrics()])).join('');
  }

  /** Asks all processes for a sample. Resolves once all have answered, or after `SAMPLE_LIMIT_MS`. */
  private async ask(): Promise<void> {
    const id = ++this.rounded;
    const ready = [...this.children].filter(({ isReady }) => isReady);
    const answered = new Promise<void>((done) => this.rounds.set(id, { missing: new Set(ready), done }));
    const limit = setTimeout(() => this.rounds.get(id)!.done(), SAMPLE_LIMIT_MS);
    for (const child of ready) child.send({ type: 'sample', id });
    await answered;
    clearTimeout(limit);
    this.rounds.delete(id);
  }
}

function sumOf(samples: MetricSample[][]): Registry {
  return AggregatorRegistry.aggregate(samples.map((metrics) => metrics.map(withAggregator)));
}

/** Uses max for event loop lag: prom-client averages it, which would hide one blocked process. */
function withAggregator(metric: MetricSample): MetricSample {
  const isDelay = metric.name.startsWith('nodejs_eventloop_lag_') && metric.aggregator === 'average';
  return isDelay ? { ...metric, aggregator: 'max' } : metric;
}
