import { setTimeout as sleep } from 'node:timers/promises';
import { NotificationsProcessor } from '../../src/notifications/notifications.processor.js';
import { MESSAGES } from '../../src/notifications/notifications.work.js';
import { SenderPausesService } from '../../src/notifications/pauses/sender-pauses.service.js';
import { LostJobsService } from '../../src/platform/work/lost-jobs.service.js';
import { pauseQueue } from '../../src/platform/queues/queue-pause.js';
import { setClocksAhead } from '../support/clock-ahead.js';
import { createCloudApp } from '../support/cloud.js';
import { eventually, settled } from '../support/eventually.js';
import {
  bridgeEnv,
  createBridgedApp,
  newPhone,
  type BridgedApp,
  type MadeGuia,
} from '../support/messaging.js';
import { describeWithRedis, startRedis } from '../support/redis.js';
import { createTestApp } from '../support/test-app.js';
import { opened } from '../support/use.js';
import { wamid } from '../support/whatsapp-bodies.js';

/** pino's level. */
const ERROR = 50;

const LOOK_MS = 50;

interface Store {
  env: Record<string, string>;
  /** Loses every job. */
  wipe(app: BridgedApp): Promise<unknown>;
}

/** What holds on either store. */
function itIsNeverLost(store: () => Store): void {
  const app = opened(() => createBridgedApp({ env: store().env }));
  const merchant = opened(() => app.test.merchant());
  afterEach(() => jest.restoreAllMocks());

  const ids = ({ telefono }: MadeGuia) =>
    app.bridge.sentTo(telefono).map(({ headers }) => headers['webhook-id']);
  const create = (...answers: Parameters<BridgedApp['bridge']['answer']>) => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, ...answers);
    return app.messaging.create(merchant, { telefono });
  };
  /** Lets so many seconds pass for a message. */
  const age = (id: string, seconds: number) =>
    app.test.database.query(
      `update mensajes set proximo_en = now() - make_interval(secs => $2), actualizado_en = now() - make_interval(secs => $2)
       where id = $1`,
      [id, seconds],
    );
  const restore = () => app.test.app.get(LostJobsService).restore(MESSAGES);

  it('is sent even if the queue loses its job', async () => {
    const guia = await create({ status: 503, headers: { 'retry-after': '3600' } });
    const { id } = await app.messaging.waiting(guia);
    await app.messaging.job(id, 'delayed');
    await store().wipe(app);
    expect(await app.messaging.queue.getJobState(id)).toBe('unknown');
    await age(id, 21);
    await restore();
    await app.messaging.reached(guia, 'aceptado');
    expect(ids(guia)).toEqual([id, id]);
  });

  it('is sent even if its job failed while sending', async () => {
    const guia = await create({ status: 400 });
    const { id } = await app.messaging.reached(guia, 'fallido');
    await app.messaging.job(id, 'failed');
    await app.test.database.query(`update mensajes set estado = 'enviando' where id = $1`, [id]);
    await age(id, 61);
    // A failed job stays on the board for 10 minutes first.
    setClocksAhead(601_000);
    await restore();
    await app.messaging.reached(guia, 'aceptado');
    expect(ids(guia)).toEqual([id, id]);
  });

  it('is not queued again while its job may still be sending, or waits', async () => {
    const fresh = await create({ status: 400 });
    const { id } = await app.messaging.reached(fresh, 'fallido');
    await app.test.database.query(`update mensajes set estado = 'enviando' where id = $1`, [id]);
    await age(id, 20);
    const waiting = await create({ status: 503, headers: { 'retry-after': '3600' } });
    const { id: waitingId } = await app.messaging.waiting(waiting);
    await app.messaging.job(waitingId, 'delayed');
    await age(waitingId, 21);
    await restore();
    await settled(app.test);
    expect([...ids(fresh), ...ids(waiting)]).toHaveLength(2);
    expect(await app.messaging.of(waiting)).toMatchObject([{ ronda: 0 }]);
    await app.test.database.query(`update mensajes set estado = 'fallido' where id = $1`, [id]);
  });

  it('is not sent again after it was accepted or failed', async () => {
    const ended = [await create(), await create({ status: 400 })];
    await settled(app.test);
    for (const guia of ended) await age((await app.messaging.of(guia))[0]!.id, 3_600);
    await store().wipe(app);
    await restore();
    await settled(app.test);
    expect(ended.map((guia) => ids(guia).length)).toEqual([1, 1]);
  });

  it('is sent exactly once by two processes', async () => {
    const second = await createTestApp({
      database: app.test.database,
      env: { ROLE: 'all', ...bridgeEnv(app.bridge.url), ...store().env },
    });
    try {
      const merchants = [merchant, await second.keyOf(merchant.id)];
      const guias = await Promise.all(
        Array.from({ length: 40 }, (_, i) => app.messaging.create(merchants[i % 2]!)),
      );
      await settled(app.test);
      for (const guia of guias) {
        const [message] = await app.messaging.of(guia);
        // On a slow machine, a request that gets no answer in time is repeated later.
        if (message!.estado === 'incierto') await app.messaging.due(message!);
        await app.messaging.reached(guia, 'aceptado');
      }
      await settled(app.test);
      for (const guia of guias) {
        const tries = await app.messaging.tries(guia);
        const answered = tries.filter(({ resultado }) => resultado !== 'sin_respuesta');
        expect(answered).toMatchObject([{ resultado: 'aceptado' }]);
        expect(ids(guia)).toHaveLength(tries.length);
      }
    } finally {
      await second.close();
    }
  });
}

describe('a message, with queues in PostgreSQL,', () => {
  itIsNeverLost(() => ({ env: {}, wipe: ({ messaging }) => messaging.queue.obliterate({ force: true }) }));
});

describeWithRedis('a message, with queues on Redis,', () => {
  const redis = opened(startRedis);
  itIsNeverLost(() => ({ env: { REDIS_URL: redis.url }, wipe: () => redis.flushAll() }));

  // Last: an app that closes without its Redis leaves timers behind.
  afterAll(() => redis.stop());
});

function itPauses(env: () => Record<string, string>): void {
  const app = opened(() => createCloudApp({ env: env() }));
  beforeAll(() => {
    // Milliseconds between a paused worker's looks at its queue.
    app.test.app.get(NotificationsProcessor).worker.opts.maximumRateLimitDelay = LOOK_MS;
  });

  it('pauses its queue, logs that once, and sends every message after the pause', async () => {
    const { test, graph, messaging } = app;
    graph.otherwise({ status: 401, json: { error: { code: 190, message: 'Invalid OAuth access token.' } } });
    const merchant = await test.merchant();
    const guias = await Promise.all(Array.from({ length: 12 }, () => messaging.create(merchant)));
    const pauses = async (): Promise<object[]> => (await test.request('/readyz')).body.pausas ?? [];
    const [pause, ...more] = await eventually(async () => {
      const list = await pauses();
      expect(list).not.toEqual([]);
      return list;
    });
    expect(more).toEqual([]);
    expect(pause).toEqual({
      proveedor: 'whatsapp',
      codigo: '190',
      causa: expect.stringContaining('WHATSAPP_TOKEN'),
      desde: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    for (const guia of guias)
      expect(await messaging.reached(guia, 'pendiente')).toMatchObject({ intentos: 0 });
    const nothingUnderWay = () =>
      eventually(async () => expect(await messaging.queue.getJobCounts('active')).toEqual({ active: 0 }));
    await nothingUnderWay();
    expect(await messaging.queue.getRateLimitTtl()).toBeGreaterThan(10 * LOOK_MS);
    const triedBefore = graph.requests.length;
    await sleep(10 * LOOK_MS);
    expect(graph.requests.length).toBe(triedBefore);
    const errors = () => test.logs.filter(({ level }) => level >= ERROR);
    expect(errors()).toMatchObject([{ msg: 'sender paused: messages wait, none is lost' }]);

    // Neither a message that left before the pause, and was accepted, nor a shorter pause ends it.
    await test.app.get(SenderPausesService).end('whatsapp');
    await pauseQueue(messaging.queue, 1_000);
    expect(await pauses()).toHaveLength(1);
    expect(await messaging.queue.getRateLimitTtl()).toBeGreaterThan(1_000);

    // A try that fails for the same reason logs nothing.
    await messaging.queue.removeRateLimitKey();
    await eventually(() => expect(graph.requests.length).toBeGreaterThan(triedBefore));
    // No request is in flight that would be refused after another was accepted.
    await nothingUnderWay();
    graph.reset();
    graph.otherwise(() => ({ json: { messages: [{ id: wamid() }] } }));
    await eventually(async () => {
      await messaging.queue.removeRateLimitKey();
      for (const guia of guias) expect(await messaging.of(guia)).toMatchObject([{ estado: 'aceptado' }]);
    });
    expect(graph.requests.length).toBeGreaterThanOrEqual(guias.length);
    await eventually(async () => expect(await pauses()).toEqual([]));
    // With a limit, workers on PostgreSQL would take their jobs one after another.
    await eventually(async () => expect(await messaging.queue.getGlobalRateLimit()).toBeNull());
    expect(errors()).toHaveLength(1);
    let refused = 0;
    for (const guia of guias) {
      const { advertencias } = await messaging.detail(merchant, guia);
      expect(advertencias).toEqual([]);
      // However often a message was tried during the pause, that is one entry.
      const tries = await messaging.tries(guia);
      expect(tries.at(-1)).toMatchObject({ resultado: 'aceptado' });
      const paused = tries.filter(({ resultado }) => resultado === 'detenido');
      expect(paused.length).toBe(tries.length - 1);
      expect(paused.length).toBeLessThan(2);
      refused += paused.reduce((sum, { veces }) => sum + veces, 0);
    }
    expect(refused).toBeGreaterThan(triedBefore);
  });
}

describe('a sender whose token expired, with queues in PostgreSQL,', () => {
  itPauses(() => ({}));
});

describeWithRedis('a sender whose token expired, with queues on Redis,', () => {
  const redis = opened(startRedis);
  itPauses(() => ({ REDIS_URL: redis.url }));

  // Last: an app that closes without its Redis leaves timers behind.
  afterAll(() => redis.stop());
});
