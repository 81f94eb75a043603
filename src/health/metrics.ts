import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { Database } from '../database/database.js';

/** Seconds: fine where answers usually are, coarse up to the time limit. */
const BUCKETS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** What Prometheus reads. Labels are few and known: never a key, phone, guide or merchant. */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();

  private readonly requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route template.',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [this.registry],
  });

  constructor(database: Database) {
    collectDefaultMetrics({ register: this.registry });
    this.gauge('db_pool_connections', 'Open database connections.', () => database.pool.totalCount);
    this.gauge(
      'db_pool_in_use',
      'Database connections in use.',
      () => database.pool.totalCount - database.pool.idleCount,
    );
    this.gauge('db_pool_waiting', 'Queries waiting for a connection.', () => database.pool.waitingCount);
  }

  observe(request: FastifyRequest, reply: FastifyReply): void {
    const labels = {
      method: request.method,
      route: request.routeOptions.url ?? 'none',
      status: reply.statusCode,
    };
    this.requests.observe(labels, reply.elapsedTime / 1_000);
  }

  private gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(value());
      },
    });
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
