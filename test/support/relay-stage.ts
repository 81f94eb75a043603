import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';
import type { Database } from '../../src/platform/database/database.js';
import {
  DispatcherService,
  type EventSubscriber,
  type PendingEvento,
} from '../../src/platform/events/dispatcher.service.js';
import { RELAYED_TIPOS } from '../../src/platform/events/evento-tipo.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { createLogger } from '../../src/platform/logging/logger.js';
import type { NewJob } from '../../src/platform/queues/new-job.js';
import type { QueuesService } from '../../src/platform/queues/queues.service.js';
import { createTestDatabase, type TestDatabase } from './database.js';

/** Instead of seconds, which every test would wait for. */
const SWEEP_MS = 50;

/** More than a batch. */
export const MANY = 1_100;

/** An error as PostgreSQL answers it. */
export const answered = (code: string, more = {}) =>
  Object.assign(new Error('of PostgreSQL'), { code, severity: 'ERROR', ...more });

/** Redis does not listen. */
export const AWAY = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' });

/** What a subscriber does from which no job follows. */
export type Handler = (eventos: PendingEvento[]) => Promise<void>;

export const withoutJobs =
  (handle: Handler): EventSubscriber =>
  async (eventos) => {
    await handle(eventos);
    return [];
  };

/** One job for each event. */
export const withJobs: EventSubscriber = (eventos) =>
  Promise.resolve(
    eventos.map(({ id }) => ({ eventoId: id, queue: 'cola', job: { id, name: 'hacer', data: {} } })),
  );

/** Relays of the tests of one `describe`, each as in a process of its own, with their database and their log. */
export class RelayStage {
  database: TestDatabase;
  pool: pg.Pool;
  logs: Record<string, any>[];
  /** Instead of a queue store. */
  addJobs: (queue: string, jobs: NewJob[]) => Promise<void>;
  private readonly started: RelayService[] = [];

  constructor() {
    beforeAll(async () => {
      this.database = await createTestDatabase();
      this.pool = new pg.Pool({ connectionString: this.database.url });
      // `drop` ends connections that the pool is still closing: without a listener, that would end the process.
      this.pool.on('error', () => undefined);
    });
    beforeEach(() => {
      this.logs = [];
      this.addJobs = () => Promise.reject(new Error('no job was expected'));
    });
    afterEach(async () => {
      for (const relay of this.started.splice(0)) await relay.beforeApplicationShutdown();
      await this.database.query('delete from eventos_pendientes; delete from eventos');
    });
    afterAll(async () => {
      await this.pool.end();
      await this.database.drop();
    });
  }

  /** Starts a relay with a subscriber of all types. */
  start(handle: Handler): RelayService {
    return this.startWith({ tipos: RELAYED_TIPOS, subscriber: withoutJobs(handle) });
  }

  startWith(...subscriptions: { tipos: typeof RELAYED_TIPOS; subscriber: EventSubscriber }[]): RelayService {
    const logger = createLogger(
      { logLevel: 'info' },
      { write: (line: string) => void this.logs.push(JSON.parse(line)) },
    );
    const queues = {
      add: (queue: string, jobs: NewJob[]) => this.addJobs(queue, jobs),
    } as unknown as QueuesService;
    const dispatcher = new DispatcherService({ pool: this.pool } as Database, queues, logger);
    for (const { tipos, subscriber } of subscriptions) dispatcher.subscribe(tipos, subscriber);
    const relay = new RelayService(dispatcher, logger);
    relay.start(SWEEP_MS);
    this.started.push(relay);
    return relay;
  }

  async record(count: number, tipo = 'guia.creada'): Promise<string[]> {
    const ids = Array.from({ length: count }, () => v7());
    await this.database.query(
      `with nuevos as (
         insert into eventos (comercio_id, guia_id, id, tipo, creado_en)
         select $1, $2, id, $3, now() from unnest($4::uuid[]) id
         returning id, comercio_id, guia_id
       )
       insert into eventos_pendientes (id, comercio_id, guia_id) select * from nuevos`,
      [randomUUID(), randomUUID(), tipo, ids],
    );
    return ids;
  }

  /** Ids of the events that are not dispatched, sorted. */
  async pending(): Promise<string[]> {
    const text = `select id from eventos_pendientes
      union all select id from eventos where proximo_en is not null order by id`;
    return (await this.database.query<{ id: string }>(text)).map(({ id }) => id);
  }

  parked(): Promise<{ id: string; intentos: number; causa: string }[]> {
    return this.database.query(
      `select id, intentos, causa from eventos where proximo_en is not null order by id`,
    );
  }
}
