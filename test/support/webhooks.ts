import type { Job, Queue } from 'bullmq';
import { Webhook } from 'standardwebhooks';
import { QueuesService } from '../../src/queues/queues.service.js';
import { WEBHOOKS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import { startHttpStub, type HttpStub, type StubReply, type StubRequest } from './http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestAppOptions, type TestMerchant } from './test-app.js';

export const PATH = '/api/v1/webhooks';

/** Lets webhooks go to this machine. */
export const ALLOW_PRIVATE = { WEBHOOK_ALLOW_PRIVATE: 'true' };

/** A merchant's system that answers each of its paths as the test says, and 200 to all others. */
export interface Receiver extends HttpStub {
  /** Queues answers to one path. */
  answerAt(path: string, ...replies: StubReply[]): void;
  /** What a path answers when nothing is queued for it. */
  alwaysAt(path: string, reply: StubReply): void;
  /** What arrived at a path. */
  at(path: string): StubRequest[];
}

export async function startReceiver(): Promise<Receiver> {
  const stub = await startHttpStub();
  const queued = new Map<string, StubReply[]>();
  const always = new Map<string, StubReply>();
  stub.otherwise((request) => {
    const reply = queued.get(request.path)?.shift() ?? always.get(request.path) ?? {};
    return typeof reply === 'function' ? reply(request) : reply;
  });
  return Object.assign(stub, {
    answerAt: (path: string, ...replies: StubReply[]) =>
      void queued.set(path, [...(queued.get(path) ?? []), ...replies]),
    alwaysAt: (path: string, reply: StubReply) => void always.set(path, reply),
    at: (path: string) => stub.requests.filter((request) => request.path === path),
  });
}

/** An endpoint of a merchant, at a path of the receiver that nobody else has. */
export interface Endpoint {
  id: string;
  secreto: string;
  merchant: TestMerchant;
  /** Where the receiver is asked. */
  at: string;
  /** Its own routes: `/api/v1/webhooks/<id>`. */
  path: string;
}

/** A delivery as it is stored. */
export interface StoredDelivery {
  webhook_id: string;
  mensaje_id: string;
  evento: string;
  guia: string | null;
  secuencia: number | null;
  estado: string;
  intentos: number;
  ronda: number;
  causa: string | null;
  /** Seconds until its next try. */
  en: number;
}

const STORED = `select e.webhook_id, e.mensaje_id, m.evento, m.guia, m.secuencia, e.estado, e.intentos, e.ronda, e.causa,
  extract(epoch from e.proximo_en - now())::float8 as en
  from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id`;

let endpoints = 0;

/** What tests of webhooks ask of an app. */
export class Hooks {
  readonly queue: Queue;

  constructor(
    readonly test: TestApp,
    readonly receiver: Receiver,
  ) {
    this.queue = test.app.get(QueuesService).queue(WEBHOOKS);
  }

  async endpoint(merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Endpoint> {
    const at = `/avisos/${++endpoints}`;
    const answer = await merchant.post(PATH, { url: this.receiver.url + at, ...over });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    const { webhook, secreto } = answer.body;
    return { id: webhook.id, secreto, merchant, at, path: `${PATH}/${webhook.id}` };
  }

  /** A guide whose address is known, so that nobody is asked for it. */
  async guia(
    merchant: TestMerchant,
    over: Record<string, unknown> = {},
  ): Promise<{ id: string; guia: string }> {
    const answer = await merchant.post('/api/v1/guias', guiaBody({ lat: 14.6407, lng: -90.5133, ...over }));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return { id: answer.body.id, guia: answer.body.guia };
  }

  /** A delivery of an endpoint: that of a guide made for it. */
  async delivery(endpoint: Endpoint, ...answers: StubReply[]): Promise<StoredDelivery> {
    this.receiver.answerAt(endpoint.at, ...answers);
    const { guia } = await this.guia(endpoint.merchant);
    return eventually(async () => {
      const [delivery] = (await this.of(endpoint)).filter((one) => one.guia === guia);
      expect(delivery).toBeDefined();
      return delivery!;
    });
  }

  /** The deliveries of an endpoint, oldest first. */
  of({ id }: { id: string }): Promise<StoredDelivery[]> {
    return this.test.database.query(`${STORED} where e.webhook_id = $1 order by e.mensaje_id`, [id]);
  }

  /** A delivery as it is now. */
  async now({ webhook_id, mensaje_id }: Key): Promise<StoredDelivery> {
    const [row] = await this.test.database.query<StoredDelivery>(
      `${STORED} where e.webhook_id = $1 and e.mensaje_id = $2`,
      [webhook_id, mensaje_id],
    );
    return row!;
  }

  /** A delivery, once it is as expected. */
  reached(delivery: Key, expected: Partial<StoredDelivery>): Promise<StoredDelivery> {
    return eventually(async () => {
      const row = await this.now(delivery);
      expect(row).toMatchObject(expected);
      return row;
    });
  }

  jobId({ webhook_id, mensaje_id }: Key, ronda = 0): string {
    return `${webhook_id}.${mensaje_id}.${ronda}`;
  }

  /** The job of a delivery's round, once it is in this state. */
  job(delivery: Key, state: string, ronda = 0): Promise<Job> {
    const id = this.jobId(delivery, ronda);
    return eventually(async () => {
      expect({ id, state: await this.queue.getJobState(id) }).toEqual({ id, state });
      return (await this.queue.getJob(id))!;
    });
  }

  /** Lets the time pass that a delivery waits for: both its row and its job are due. */
  async due(delivery: Key, ronda = 0): Promise<void> {
    const { webhook_id, mensaje_id } = delivery;
    await this.test.database.query(
      'update webhook_entregas set proximo_en = now() where webhook_id = $1 and mensaje_id = $2',
      [webhook_id, mensaje_id],
    );
    await (await this.job(delivery, 'delayed', ronda)).promote();
  }

  /** Lets time pass until all tries of a delivery have failed. */
  async failForGood(endpoint: Endpoint, delivery: Key, ronda = 0): Promise<StoredDelivery> {
    this.receiver.alwaysAt(endpoint.at, { status: 500 });
    for (let tries = 1; tries < 10; tries++) {
      await this.reached(delivery, { estado: 'pendiente', intentos: tries });
      await this.due(delivery, ronda);
    }
    return this.reached(delivery, { estado: 'fallida' });
  }
}

type Key = Pick<StoredDelivery, 'webhook_id' | 'mensaje_id'>;

/** Deliveries written straight into the tables, as they were made a minute, or some days, ago, each tried once. */
export async function makeDeliveries(
  database: TestDatabase,
  endpoint: Endpoint,
  { count, estado, daysAgo = 0 }: { count: number; estado: string; daysAgo?: number },
): Promise<void> {
  const at = Date.now() - daysAgo * 86_400_000 - 60_000;
  await database.query(
    `with made as (
       insert into webhook_mensajes (id, comercio_id, guia, evento, secuencia, cuerpo, creado_en)
       select (lpad(to_hex($3::bigint + n), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid, $2,
         '482019375624', 'guia.creada', 1, '{}', now() from generate_series(1, $4) n returning id
     ), entregas as (
       insert into webhook_entregas (webhook_id, mensaje_id, estado, creado_en, actualizado_en, proximo_en)
       select $1, id, $5, now(), now(), now() - interval '1 minute' from made returning mensaje_id
     ) insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http)
     select $1, mensaje_id, gen_random_uuid(), now(), 1, 200 from entregas`,
    [endpoint.id, endpoint.merchant.id, at, count, estado],
  );
}

/** What a receiver reads, which trusts the public library and its secret alone; throws where it is not signed. */
export function verified(secreto: string, { rawBody, headers }: StubRequest): any {
  return new Webhook(secreto).verify(rawBody.toString(), headers as Record<string, string>);
}

export interface HookedApp {
  test: TestApp;
  receiver: Receiver;
  hooks: Hooks;
  close(): Promise<void>;
}

/** An app whose merchants' systems are on this machine. */
export async function createHookedApp({ env, ...options }: TestAppOptions = {}): Promise<HookedApp> {
  const receiver = await startReceiver();
  const test = await createTestApp({ ...options, env: { ...ALLOW_PRIVATE, ...env } });
  return {
    test,
    receiver,
    hooks: new Hooks(test, receiver),
    close: async () => {
      await test.close();
      await receiver.close();
    },
  };
}
