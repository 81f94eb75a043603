import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Database } from '../../database/database.js';
import { newRowId } from '../../database/row-id.js';
import { InjectLogger } from '../../logging/logging.module.js';
import { withTimeout } from '../../timeouts/with-timeout.js';
import { insertRequests, type AnsweredRequest } from './request-log.queries.js';

/** ms between two writes. */
const FLUSH_MS = 1_000;

/** Requests that wait to be written; what comes while there are so many is not logged. */
const MAX_WAITING = 2_000;

/** Of those, requests without a valid key: a flood of them must not push out the merchants'. */
const MAX_STRANGERS = 50;

/** ms for the last write before the process ends. */
const LAST_FLUSH_MS = 1_000;

/**
 * Which request had which id: those that change something, and those that were refused. Written in the background, a batch
 * a second, so that no request waits for it; left out where the database is busy or away.
 */
@Injectable()
export class RequestLogService implements BeforeApplicationShutdown {
  private waiting: AnsweredRequest[] = [];
  private strangers = 0;
  private flushing: Promise<void> | undefined;
  private isFailing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Call it when a request has been answered. */
  record(
    { id, method, routeOptions, credential, codigo, adminUser }: FastifyRequest,
    reply: FastifyReply,
  ): void {
    if (adminUser !== undefined || this.waiting.length >= MAX_WAITING) return;
    // A read that was answered changed nothing and needs no explanation, and most requests are such.
    if (method === 'GET' && reply.statusCode < 400) return;
    if (credential === undefined && ++this.strangers > MAX_STRANGERS) return;
    this.waiting.push({
      id: newRowId(),
      peticion: id,
      metodo: method,
      ruta: routeOptions.url ?? null,
      estado: reply.statusCode,
      codigo: codigo ?? null,
      ms: Math.round(reply.elapsedTime),
      comercio_id: credential?.merchant?.id ?? null,
      operador_id: credential?.operator?.id ?? null,
    });
    this.timer ??= setTimeout(() => this.flushSoon(), FLUSH_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await withTimeout(LAST_FLUSH_MS, this.flush()).catch(() => undefined);
  }

  private flushSoon(): void {
    this.timer = undefined;
    // Requests that wait for a connection come first.
    if (this.database.pool.waitingCount > 0)
      this.timer = setTimeout(() => this.flushSoon(), FLUSH_MS).unref();
    else void this.flush();
  }

  private async flush(): Promise<void> {
    await this.flushing;
    if (this.waiting.length === 0) return;
    const batch = this.waiting;
    this.waiting = [];
    this.strangers = 0;
    this.flushing = this.write(batch).finally(() => (this.flushing = undefined));
    await this.flushing;
  }

  /** Logs the first of several failures. */
  private async write(batch: AnsweredRequest[]): Promise<void> {
    try {
      await this.database.query(insertRequests(batch));
      this.isFailing = false;
    } catch (error) {
      if (!this.isFailing)
        this.logger.warn({ err: error, requests: batch.length }, 'request ids were not stored');
      this.isFailing = true;
    }
  }
}
