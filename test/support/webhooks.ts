import type { Job, Queue } from 'bullmq';
import { Webhook } from 'standardwebhooks';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { queueOf, WEBHOOKS, WEBHOOKS_LENTOS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { DeliveryLimits } from '../../src/webhooks/deliveries/delivery-limits.js';
import type { TestDatabase } from './database.js';
import { eventually } from './eventually.js';
import {
  startHttpStub,
  type HttpStub,
  type StubAnswer,
  type StubReply,
  type StubRequest,
} from './http-stub.js';
import { createTestApp, guiaBody, type TestApp, type TestAppOptions, type TestMerchant } from './test-app.js';

export const PATH = '/api/v1/webhooks';

/** Allows endpoints on this machine. */
export const ALLOW_PRIVATE = { WEBHOOK_ALLOW_PRIVATE: 'true' };

/** Merchants' systems: each path answers as the test says, and all others with 200. */
export interface Receiver extends HttpStub {
  /** Queues answers for one path. */
  answerAt(path: string, ...replies: StubReply[]): void;
  /** Sets the answer of a path that has none queued. */
  alwaysAt(path: string, reply: StubReply): void;
  /** Requests to a path, oldest first. */
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

/** An endpoint of a merchant at its own path of the receiver. */
export interface Endpoint {
  id: string;
  secreto: string;
  merchant: TestMerchant;
  /** Its path at the receiver. */
  at: string;
  /** Its path in the API: `/api/v1/webhooks/<id>`. */
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
  lenta: boolean;
  causa: string | null;
  /** s from its last change to its next attempt. */
  espera: number;
}

const STORED = `select e.webhook_id, e.mensaje_id, m.evento, m.guia, m.secuencia, e.estado, e.intentos, e.ronda, e.lenta,
  e.causa, extract(epoch from e.proximo_en - e.actualizado_en)::float8 as espera
  from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id`;

let endpoints = 0;

/** A failure that is not retried while a test looks at it. */
export const FAILURE: StubAnswer = { status: 500, headers: { 'retry-after': '3600' } };

/** What tests of webhooks need of an app. */
export class Hooks {
  /** The queue of endpoints that answer quickly. */
  readonly quick: Queue;
  /** The queue of all others: new endpoints, retries, resent deliveries and tests. */
  readonly queue: Queue;

  constructor(
    readonly test: TestApp,
    readonly receiver: Receiver,
  ) {
    this.quick = test.app.get(QueuesService).queue(WEBHOOKS);
    this.queue = test.app.get(QueuesService).queue(WEBHOOKS_LENTOS);
  }

  /** A new endpoint, which is slow until it has answered quickly. */
  async endpoint(merchant: TestMerchant, over: Record<string, unknown> = {}): Promise<Endpoint> {
    const at = `/avisos/${++endpoints}`;
    const answer = await merchant.post(PATH, { url: this.receiver.url + at, ...over });
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    const { webhook, secreto } = answer.body;
    return { id: webhook.id, secreto, merchant, at, path: `${PATH}/${webhook.id}` };
  }

  /** An endpoint that has answered a test quickly. */
  async quickEndpoint(merchant: TestMerchant): Promise<Endpoint> {
    const endpoint = await this.endpoint(merchant);
    await this.probe(endpoint);
    return endpoint;
  }

  /** A guide whose address is known, so that no message is sent to its recipient. */
  async guia(
    merchant: TestMerchant,
    over: Record<string, unknown> = {},
  ): Promise<{ id: string; guia: string }> {
    const answer = await merchant.post('/api/v1/guias', guiaBody({ lat: 14.6407, lng: -90.5133, ...over }));
    if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
    return { id: answer.body.id, guia: answer.body.guia };
  }

  /** A delivery to an endpoint, of a guide created for it. */
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

  /** The current state of a delivery. */
  async now({ webhook_id, mensaje_id }: Key): Promise<StoredDelivery> {
    const [row] = await this.test.database.query<StoredDelivery>(
      `${STORED} where e.webhook_id = $1 and e.mensaje_id = $2`,
      [webhook_id, mensaje_id],
    );
    return row!;
  }

  /** Waits until a delivery is as expected. */
  reached(delivery: Key, expected: Partial<StoredDelivery>): Promise<StoredDelivery> {
    return eventually(async () => {
      const row = await this.now(delivery);
      expect(row).toMatchObject(expected);
      return row;
    });
  }

  /** The job of an endpoint in a queue. */
  async jobOf({ id }: { id: string }, queue = this.queue): Promise<Job | undefined> {
    const jobId = await queue.getDeduplicationJobId(id);
    return jobId ? queue.getJob(jobId) : undefined;
  }

  /** Waits until the job of an endpoint, in the queue of slow ones, waits for its next delivery. */
  delayed(endpoint: { id: string }): Promise<Job> {
    return eventually(async () => {
      const job = await this.jobOf(endpoint);
      expect(await job?.getState()).toBe('delayed');
      return job!;
    });
  }

  /** Waits until an endpoint has no job: nothing is left to do for it. */
  async idle(endpoint: { id: string }): Promise<void> {
    for (const queue of [this.quick, this.queue])
      await eventually(async () => expect(await this.jobOf(endpoint, queue)).toBeUndefined());
  }

  /** Makes the next attempt of a delivery due, and wakes its endpoint. */
  async due({ webhook_id, mensaje_id }: Key): Promise<void> {
    const [row] = await this.test.database.query<{ lenta: boolean }>(
      'update webhook_entregas set proximo_en = now() where webhook_id = $1 and mensaje_id = $2 returning lenta',
      [webhook_id, mensaje_id],
    );
    await this.test.app.get(DeliveriesService).wake(queueOf(row!), webhook_id);
  }

  /** Makes attempts until a delivery has failed for good. */
  async failForGood(endpoint: Endpoint, delivery: Key): Promise<StoredDelivery> {
    this.receiver.alwaysAt(endpoint.at, FAILURE);
    for (let attempts = 1; attempts < 10; attempts++) {
      await this.reached(delivery, { estado: 'pendiente', intentos: attempts });
      await this.due(delivery);
    }
    return this.reached(delivery, { estado: 'fallida' });
  }

  /** Sends a test message; its delivery as the answer shows it, or as soon as it has an outcome. */
  async probe(endpoint: Endpoint, ...answers: StubReply[]): Promise<any> {
    this.receiver.answerAt(endpoint.at, ...answers);
    const { status, body } = await endpoint.merchant.post(`${endpoint.path}/probar`);
    expect(status).toBe(200);
    if (body.entrega.estado !== 'pendiente') return body.entrega;
    return eventually(async () => {
      const { entrega } = (await endpoint.merchant.get(`${endpoint.path}/entregas/${body.entrega.id}`)).body;
      expect(entrega.estado).not.toBe('pendiente');
      const { historial: _, cuerpo: __, ...shown } = entrega;
      return shown;
    });
  }
}

type Key = Pick<StoredDelivery, 'webhook_id' | 'mensaje_id'>;

/** Inserts deliveries that were made a minute, or some days, ago and attempted once; returns their ids, oldest first. */
export async function makeDeliveries(
  database: TestDatabase,
  endpoint: Pick<Endpoint, 'id' | 'merchant'>,
  { count, estado, daysAgo = 0 }: { count: number; estado: string; daysAgo?: number },
): Promise<string[]> {
  const at = Date.now() - daysAgo * 86_400_000 - 60_000;
  const rows = await database.query<{ id: string }>(
    `with made as (
       insert into webhook_mensajes (id, comercio_id, guia, evento, secuencia, cuerpo, creado_en)
       select (lpad(to_hex($3::bigint + n), 12, '0') || '70008000' || lpad(n::text, 12, '0'))::uuid, $2,
         '482019375624', 'guia.creada', 1, '{}', now() from generate_series(1, $4) n returning id
     ), entregas as (
       insert into webhook_entregas (webhook_id, mensaje_id, estado, lenta, creado_en, actualizado_en, proximo_en)
       select $1, id, $5, true, now(), now(), now() - interval '1 minute' from made returning mensaje_id
     ), intentos as (
       insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, estado_http)
       select $1, mensaje_id, gen_random_uuid(), now(), 1, 200 from entregas
     ) select mensaje_id as id from entregas order by id`,
    [endpoint.id, endpoint.merchant.id, at, count, estado],
  );
  return rows.map(({ id }) => id);
}

/** What a receiver reads that relies on the standardwebhooks library and its secret; throws if the signature is wrong. */
export function verified(secreto: string, { rawBody, headers }: StubRequest): any {
  return new Webhook(secreto).verify(rawBody.toString(), headers as Record<string, string>);
}

export interface HookedApp {
  test: TestApp;
  receiver: Receiver;
  hooks: Hooks;
  close(): Promise<void>;
}

/** An app whose merchants' systems are on this machine. @param limits in place of the defaults. */
export async function createHookedApp(
  { env, ...options }: TestAppOptions = {},
  limits: Partial<DeliveryLimits> = {},
): Promise<HookedApp> {
  const receiver = await startReceiver();
  const test = await createTestApp({ ...options, env: { ROLE: 'all', ...ALLOW_PRIVATE, ...env } });
  Object.assign(test.app.get(DeliveryLimits), limits);
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

/** A promise, and what resolves it. */
export function gate(): { until: Promise<void>; open: () => void } {
  let open = () => {};
  const until = new Promise<void>((resolve) => (open = resolve));
  return { until, open };
}
