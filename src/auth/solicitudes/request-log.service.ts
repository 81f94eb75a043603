import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import { newRowId } from '../../platform/database/row-id.js';
import type { Answered } from '../../platform/http/access-log.js';
import { withTimeout } from '../../platform/timeouts/with-timeout.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { insertRequests } from './request-log.queries.js';
import type { Solicitud } from './solicitud.entity.js';

/** ms between two writes. */
const FLUSH_MS = 1_000;

/** Requests that wait to be written; further ones are dropped. */
const MAX_WAITING = 2_000;

/** Of these, requests without a valid key, so that a flood of them does not displace merchants' requests. */
const MAX_STRANGERS = 50;

/** ms for the last write before the process ends. */
const LAST_FLUSH_MS = 1_000;

/**
 * Stores the ids of requests that change something, and of refused ones. Written in the background, a batch a
 * second, so that no request waits for it; dropped where the database is busy or away.
 */
@Injectable()
export class RequestLogService implements OnModuleInit, BeforeApplicationShutdown {
  private waiting: Solicitud[] = [];
  private strangers = 0;

  constructor(
    private readonly database: Database,
    private readonly sweeps: SweepsService,
  ) {}

  onModuleInit(): void {
    this.sweeps.every('request log', FLUSH_MS, async () => {
      // Requests that wait for a connection come first.
      if (this.database.pool.waitingCount === 0) await this.flush();
    });
  }

  /** Call it when a request has been answered. */
  record({ request, reply, route }: Answered): void {
    const { id, method, credential, codigo, adminUser } = request;
    if (adminUser !== undefined || this.waiting.length >= MAX_WAITING) return;
    // Most requests are successful reads, which need no explanation.
    if (method === 'GET' && reply.statusCode < 400) return;
    if (credential === undefined && ++this.strangers > MAX_STRANGERS) return;
    this.waiting.push({
      id: newRowId(),
      peticion: id,
      metodo: method,
      ruta: route ?? null,
      estado: reply.statusCode,
      codigo: codigo ?? null,
      ms: Math.round(reply.elapsedTime),
      comercio_id: credential?.merchant?.id ?? null,
      operador_id: credential?.operator?.id ?? null,
      clave_id: credential?.keyId ?? null,
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await withTimeout(LAST_FLUSH_MS, this.flush()).catch(() => undefined);
  }

  /** Writes the waiting rows; a batch that fails is dropped. */
  private async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const batch = this.waiting;
    this.waiting = [];
    this.strangers = 0;
    await this.database.query(insertRequests(batch));
  }
}
