import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../database/database.js';
import { partitionEnds } from '../database/partitions.queries.js';
import { Reads } from '../database/replicas/reads.js';
import { msOfId } from '../database/row-id.js';
import { countWaiting, oldestWaiting } from '../events/outbox.queries.js';
import type { Answered } from '../http/access-log.js';
import { JobCounters } from '../queues/job-counters.js';
import { QueuesService } from '../queues/queues.service.js';
import { withTimeout } from '../timeouts/with-timeout.js';
import { Readiness } from './readiness.js';

/** Seconds; fine around typical response times, coarse up to the response deadline. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Timeout of the positions of primary and replicas, in ms. */
const LAG_LIMIT_MS = 1_000;

/** Events that are counted at most: counting a backlog must be cheap. */
const MAX_COUNTED = 100_000;

/** Prometheus metrics. Labels take few, known values: never a key, phone, guide or merchant. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  private readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Response time, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  /** Series by method, status and route: `labels()` costs more than observing. */
  private readonly series = new Map<string, ReturnType<Histogram['labels']>>();

  constructor(
    private readonly database: Database,
    queues: QueuesService,
    counters: JobCounters,
    readiness: Readiness,
    reads: Reads,
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const counter of counters.all) this.registry.registerMetric(counter);
    this.gauge('db_pool_connections', 'Open database connections.', () => database.pool.totalCount);
    this.gauge(
      'db_pool_in_use',
      'Database connections in use.',
      () => database.pool.totalCount - database.pool.idleCount,
    );
    this.gauge('db_pool_waiting', 'Queries waiting for a connection.', () => database.pool.waitingCount);
    if (reads.status.length > 0) this.ofReplicas(reads);
    this.gauge('outbox_oldest_seconds', 'Age of the oldest event that waits to be handed on.', () =>
      this.oldestEvent(),
    );
    this.gauge(
      'outbox_waiting',
      `Events that wait to be handed on; at most ${MAX_COUNTED} are counted.`,
      () => this.waitingEvents(),
    );
    this.gauge(
      'outbox_parked',
      'Events that could not be dispatched and are tried again.',
      async () => (await readiness.attention()).eventos_apartados,
    );
    this.gauge(
      'sender_paused',
      'Senders of messages that wait for a person.',
      async () => (await readiness.attention()).pausas.length,
    );
    this.gauge(
      'partitions_until_timestamp_seconds',
      'Time until which all tables that are divided by month have partitions; 0 if one has none.',
      () => this.partitionsUntil(),
    );
    new Gauge({
      name: 'queue_jobs',
      help: 'Jobs by queue and state.',
      labelNames: ['queue', 'state'],
      registers: [this.registry],
      async collect() {
        const counts = await queues.counts();
        // Drops the counts of an earlier scrape, also if the store does not answer.
        this.reset();
        for (const { queue, state, jobs } of counts) this.set({ queue, state }, jobs);
      },
    });
  }

  /** Prometheus' text. */
  text(): Promise<string> {
    return this.registry.metrics();
  }

  observe({ request: { method }, reply, route = 'none' }: Answered): void {
    const key = `${method} ${reply.statusCode} ${route}`;
    let series = this.series.get(key);
    if (!series) {
      series = this.requests.labels(method, route, String(reply.statusCode));
      this.series.set(key, series);
    }
    series.observe(reply.elapsedTime / 1_000);
  }

  private ofReplicas(reads: Reads): void {
    new Counter({
      name: 'reads_total',
      help: 'Reads of lists, details, histories and reports, by source: replica or primary.',
      labelNames: ['from'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [from, count] of Object.entries(reads.counts)) this.inc({ from }, count);
      },
    });
    const labelNames = ['replica'];
    const registers = [this.registry];
    new Gauge({
      name: 'replica_up',
      help: 'Whether a replica is in use (1) or not (0).',
      labelNames,
      registers,
      collect() {
        for (const { replica, causa } of reads.status) this.set({ replica }, causa === undefined ? 1 : 0);
      },
    });
    new Gauge({
      name: 'replica_lag_bytes',
      help: 'WAL bytes that a replica has yet to replay.',
      labelNames,
      registers,
      async collect() {
        const lags = await withTimeout(LAG_LIMIT_MS, reads.lags()).catch(() => []);
        // Drops the lags of an earlier scrape.
        this.reset();
        reads.status.forEach(({ replica }, i) => {
          if (lags[i] !== undefined) this.set({ replica }, lags[i]);
        });
      },
    });
  }

  private async oldestEvent(): Promise<number> {
    const { rows } = await this.database.query<{ age: number }>(oldestWaiting());
    return rows[0]?.age ?? 0;
  }

  private async partitionsUntil(): Promise<number> {
    const { rows } = await this.database.query<{ hasta: string | null }>(partitionEnds());
    return Math.min(...rows.map(({ hasta }) => (hasta === null ? 0 : msOfId(hasta)))) / 1_000;
  }

  private async waitingEvents(): Promise<number> {
    const { rows } = await this.database.query<{ events: number }>(countWaiting(MAX_COUNTED));
    return rows[0]!.events;
  }

  private gauge(name: string, help: string, value: () => number | Promise<number>): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      async collect() {
        // A source that fails leaves a gap; the other metrics are still useful.
        const now = await Promise.resolve(value()).catch(() => undefined);
        if (now === undefined) this.remove();
        else this.set(now);
      },
    });
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
