import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { GuiaEstado } from '../../src/guias/guia/guia-estado.js';
import { WEBHOOKS_LENTOS } from '../../src/webhooks/deliveries/deliveries.queue.js';
import { DeliveriesService } from '../../src/webhooks/deliveries/deliveries.service.js';
import { eventually } from '../support/eventually.js';
import type { StubAnswer, StubRequest } from '../support/http-stub.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { guiaBody, type TestOperator } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { createHookedApp, verified, type Endpoint, type HookedApp } from '../support/webhooks.js';
import { randomOf, type Random } from '../torture/plan.js';

/**
 * Endpoints that misbehave lose nothing, and delay no other endpoint. `npm run torture -- endpoints` makes more changes;
 * HOSTILE_SEED repeats a random plan.
 */
const CHANGES = Number(process.env.HOSTILE_CHANGES ?? 60);
const SEED = Number(process.env.HOSTILE_SEED ?? randomInt(2 ** 32));

/** ms of an attempt, and of a quick one. */
const ATTEMPT_MS = 5_500;
const QUICK_ATTEMPT_MS = 3_000;

/** States of each guide after the first. */
const ROUTE: GuiaEstado[] = [
  'en_camino_a_recoger',
  'recogido',
  'en_ruta',
  'intento_fallido',
  'en_ruta',
  'intento_fallido',
  'en_ruta',
  'intento_fallido',
  'en_ruta',
  'entregado',
];

/** Guides moved by one request. */
const BATCH = 20;

/** ms between guides of the merchant whose endpoint works: all of the time there is one on its way. */
const PACE_MS = 400;

/** ms between looks at what takes half a minute. */
const LOOK_MS = 250;

/** ms; a hang limit. */
const HANG_MS = 600_000 + CHANGES * 1_000;

/** Random answers. Few hang: each takes the whole time of an attempt. */
function chaos(random: Random): () => StubAnswer {
  let hangs = 4;
  const answers: [chance: number, answer: () => StubAnswer][] = [
    [0.45, () => ({ body: 'ok' })],
    [0.18, () => ({ status: 500, body: 'ay' })],
    [0.12, () => ({ status: 503, headers: { 'retry-after': String(Math.ceil(random() * 3_600)) } })],
    [0.12, () => ({ fault: 'reset' })],
    [0.12, () => ({ status: 307, headers: { location: '/otro-lugar' } })],
    [0.01, () => (hangs-- > 0 ? { fault: 'hang' } : {})],
  ];
  return () => {
    let left = random();
    return answers.find(([chance]) => (left -= chance) < 0)?.[1]() ?? {};
  };
}

/** A request to an endpoint, and its answer. */
interface Exchange {
  request: StubRequest;
  answer: StubAnswer;
}

class Scene {
  readonly exchanges = new Map<string, Exchange[]>();
  private made = 0;

  constructor(readonly app: HookedApp) {}

  /** Creates an endpoint with these answers; its exchanges are recorded. */
  async endpoint(merchant: Endpoint['merchant'], answer: () => StubAnswer, over = {}): Promise<Endpoint> {
    const endpoint = await this.app.hooks.endpoint(merchant, over);
    const kept: Exchange[] = [];
    this.exchanges.set(endpoint.id, kept);
    this.app.receiver.alwaysAt(endpoint.at, (request) => {
      const given = answer();
      kept.push({ request, answer: given });
      return given;
    });
    return endpoint;
  }

  of(endpoint: Endpoint): Exchange[] {
    return this.exchanges.get(endpoint.id)!;
  }

  /** Creates a guide; a 503 is retried with the same reference, as clients do. */
  async guia(merchant: Endpoint['merchant']): Promise<string> {
    const over = { external_ref: `pedido-${++this.made}`, lat: 14.6407, lng: -90.5133 };
    for (;;) {
      const { status, body, text } = await merchant.post('/api/v1/guias', guiaBody(over));
      if (status <= 201) return body.guia;
      if (status !== 503) throw new Error(text);
    }
  }

  /** Moves guides, each once; a 503 is retried. */
  async move(operator: TestOperator, guias: string[], estado: GuiaEstado): Promise<void> {
    const ref = `${estado}-${++this.made}`;
    for (let left = guias; left.length > 0;) {
      const motivo = estado === 'intento_fallido' ? 'ausente' : undefined;
      const eventos = left.map((guia) => ({ guia, estado, motivo, ref }));
      const { status, body, text } = await operator.post('/api/v1/operaciones/eventos', { eventos });
      const results: { ok: boolean; status?: number }[] =
        body?.resultados ?? left.map(() => ({ ok: false, status }));
      if (results.some((one) => !one.ok && one.status !== 503)) throw new Error(text);
      left = left.filter((_, i) => !results[i]!.ok);
    }
  }

  /** Makes the retries of failed deliveries due. */
  async hurry(endpoint: Endpoint): Promise<void> {
    await this.app.test.database.query(
      `update webhook_entregas set proximo_en = now()
       where webhook_id = $1 and estado = 'pendiente' and proximo_en > now()`,
      [endpoint.id],
    );
    await this.app.test.app.get(DeliveriesService).wake(WEBHOOKS_LENTOS, endpoint.id);
  }
}

/** Runs something repeatedly until it is stopped. */
function during(everyMs: number, run: () => Promise<unknown>): { stop(): Promise<void> } {
  let isStopping = false;
  const running = (async () => {
    while (!isStopping) {
      await run();
      await sleep(everyMs);
    }
  })();
  return {
    stop: async () => {
      isStopping = true;
      await running;
    },
  };
}

function itLosesNothing(env: () => Record<string, string>): void {
  it(
    'each event is delivered or visibly failed, with one id, one body and an order; no endpoint delays another',
    async () => {
      const random = randomOf(SEED);
      const app = await createHookedApp(
        { env: env() },
        { attemptMs: ATTEMPT_MS, quickAttemptMs: QUICK_ATTEMPT_MS },
      );
      try {
        const scene = new Scene(app);
        const [merchant, neighbour, operator] = [
          await app.test.merchant(),
          await app.test.merchant(),
          await app.test.operator(),
        ];
        const wild = await scene.endpoint(merchant, chaos(random));
        const healthy = await scene.endpoint(merchant, () => ({}));
        let taken = 0;
        const leaving = await scene.endpoint(merchant, () => (++taken < CHANGES / 4 ? {} : { status: 410 }));
        const hanging = await scene.endpoint(merchant, () => ({ fault: 'hang' }), {
          eventos: ['guia.creada'],
        });
        const calm = await scene.endpoint(neighbour, () => ({}));

        const peace = during(PACE_MS, () => scene.guia(neighbour));
        // What fails while the queue is busy is done the next time.
        const time = during(200, () => scene.hurry(wild).catch(() => undefined));
        const guias: string[] = [];
        for (let n = 0; n < Math.ceil(CHANGES / ROUTE.length); n++) guias.push(await scene.guia(merchant));
        for (const estado of ROUTE) {
          for (let from = 0; from < guias.length; from += BATCH)
            await scene.move(operator, guias.slice(from, from + BATCH), estado);
        }
        // The merchant gives up the endpoint that hangs.
        await merchant.patch(hanging.path, { activo: false });
        await eventually(
          async () => {
            const open = await app.test.database.query(
              `select webhook_id from webhook_entregas where estado = 'pendiente' and webhook_id <> $1 limit 1`,
              [hanging.id],
            );
            const waiting = await app.test.database.query('select id from eventos_pendientes limit 1');
            expect([...open, ...waiting]).toEqual([]);
          },
          HANG_MS,
          LOOK_MS,
        );
        await Promise.all([peace.stop(), time.stop()]);
        await eventually(
          async () => {
            await scene.hurry(hanging);
            const states = (await app.hooks.of(hanging)).map(({ estado }) => estado);
            expect(new Set(states)).toEqual(new Set(['fallida']));
          },
          HANG_MS,
          LOOK_MS,
        );
        await eventually(
          async () => {
            const rows = await app.hooks.of(calm);
            expect(rows.filter(({ estado }) => estado !== 'entregada')).toEqual([]);
          },
          HANG_MS,
          LOOK_MS,
        );

        // Every endpoint has a delivery of every event that it subscribes to.
        const events = await app.test.database.query<{ guia: string; secuencia: number; tipo: string }>(
          `select g.guia, e.secuencia, e.tipo from eventos e join guias g on g.id = e.guia_id where e.comercio_id = $1`,
          [merchant.id],
        );
        expect(events).toHaveLength(guias.length * (1 + ROUTE.length));
        const names = (rows: { guia: string | null; secuencia: number | null }[]) =>
          rows.map(({ guia, secuencia }) => `${guia}.${secuencia}`).sort();
        for (const endpoint of [wild, healthy, leaving])
          expect(names(await app.hooks.of(endpoint))).toEqual(names(events));
        const born = events.filter(({ tipo }) => tipo === 'guia.creada');
        expect(names(await app.hooks.of(hanging))).toEqual(names(born));

        // `entregada` was accepted by the endpoint; all others are `fallida`, with the reason.
        let failed = 0;
        for (const endpoint of [wild, healthy, leaving, hanging]) {
          const took = new Set(
            scene
              .of(endpoint)
              .filter(({ answer }) => (answer.status ?? 200) === 200 && answer.fault === undefined)
              .map(({ request }) => request.headers['webhook-id']),
          );
          for (const row of await app.hooks.of(endpoint)) {
            if (row.estado === 'entregada') {
              expect(took.has(row.mensaje_id)).toBe(true);
              continue;
            }
            failed++;
            expect(row).toMatchObject({ estado: 'fallida', causa: expect.stringMatching(/\.$/) });
          }
        }
        expect((await merchant.get(leaving.path)).body.webhook).toMatchObject({
          desactivado_por: 'respuesta_410',
        });

        // An event has one id and one body, at every endpoint and attempt, signed with the endpoint's own secret.
        const known = new Map<string, { id: unknown; body: string }>();
        let requests = 0;
        for (const endpoint of [wild, healthy, leaving, hanging]) {
          for (const { request } of scene.of(endpoint)) {
            requests++;
            const { data } = verified(endpoint.secreto, request);
            const name = `${data.guia.guia}.${data.secuencia}`;
            const found = { id: request.headers['webhook-id'], body: request.rawBody.toString() };
            const first = known.get(name) ?? found;
            known.set(name, first);
            expect(found).toEqual(first);
          }
        }
        expect(app.receiver.at('/otro-lugar')).toEqual([]);

        // In order of `secuencia`, the messages about a guide have its states.
        const routes = new Map<string, Map<number, string>>();
        for (const { request } of scene.of(healthy)) {
          const { guia, secuencia, estado } = request.json.data;
          routes.set(guia.guia, (routes.get(guia.guia) ?? new Map<number, string>()).set(secuencia, estado));
        }
        expect([...routes.keys()].sort()).toEqual([...guias].sort());
        for (const route of routes.values())
          expect([...route].sort(([a], [b]) => a - b).map(([, estado]) => estado)).toEqual([
            'aceptado',
            ...ROUTE,
          ]);
        expect(scene.of(healthy)).toHaveLength(events.length);

        const lateness = scene
          .of(calm)
          .map(({ request }) => request.at.getTime() - Date.parse(request.json.timestamp))
          .sort((a, b) => a - b);
        // ms until the event was announced, and from then until its first attempt.
        const [spent] = await app.test.database.query<{ relay: number; queue: number }>(
          `select max(extract(epoch from e.creado_en - m.creado_en) * 1000)::int as relay,
             max(extract(epoch from i.en - e.creado_en) * 1000)::int as queue
           from webhook_entregas e join webhook_mensajes m on m.id = e.mensaje_id
           join webhook_intentos i on i.webhook_id = e.webhook_id and i.mensaje_id = e.mensaje_id
           where e.webhook_id = $1`,
          [calm.id],
        );
        const p99 = lateness[Math.floor(lateness.length * 0.99)];
        const report = { seed: SEED, events: events.length, requests, failed, calm: lateness.length, p99 };
        process.stdout.write(`${JSON.stringify({ ...report, max: lateness.at(-1), ...spent })}\n`);
        // Lateness is the benchmark's subject; here no delivery may be missing.
        expect(lateness.length).toBeGreaterThan(0);
      } finally {
        await app.close();
      }
    },
    2 * HANG_MS,
  );
}

describe('endpoints that fail, hang, redirect and answer 410, with the queues in PostgreSQL:', () => {
  itLosesNothing(() => ({}));
});

describeWithRedis('endpoints that fail, hang, redirect and answer 410, with the queues in Redis:', () => {
  const redis = opened(startRedis);
  itLosesNothing(() => ({ REDIS_URL: redis.url }));

  // Last: an app that closes without its Redis leaves timers behind.
  afterAll(() => redis.stop());
});
