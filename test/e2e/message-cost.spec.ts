import { SenderPausesService } from '../../src/notifications/pauses/sender-pauses.service.js';
import type { Settled } from '../../src/notifications/sending/tries.queries.js';
import { TriesService } from '../../src/notifications/sending/tries.service.js';
import { Database } from '../../src/platform/database/database.js';
import { DispatcherService } from '../../src/platform/events/dispatcher.service.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { createBridgedApp, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import type { TestMerchant } from '../support/test-app.js';
import { WireTap } from '../support/wire-tap.js';

/** Messages that end at the same time. */
const TOGETHER = 30;

/** Counted, not timed. The queues are in Redis, so that every round trip to PostgreSQL is ours. */
describeWithRedis('the cost of a message, in round trips to the database', () => {
  const tap = new WireTap();
  let redis: TestRedis;
  let database: TestDatabase;
  let proxy: TcpProxy;
  let app: BridgedApp;
  let merchant: TestMerchant;
  let relay: RelayService;
  let tries: TriesService;

  beforeAll(async () => {
    redis = await startRedis();
    database = await createTestDatabase();
    proxy = await createTcpProxy(database, tap.listen);
    app = await createBridgedApp({ database: proxy.database, env: { REDIS_URL: redis.url } });
    merchant = await app.test.merchant();
    // The statements of the path are prepared.
    for (let n = 0; n < 3; n++) await app.messaging.reached(await app.messaging.create(merchant), 'aceptado');
    const get = app.test.app.get.bind(app.test.app);
    relay = get(RelayService);
    tries = get(TriesService);
    // From here on only messages query the database.
    jest.spyOn(get(Database).clock, 'measure').mockResolvedValue();
    jest.spyOn(get(DispatcherService), 'due').mockResolvedValue({ waiting: false, parked: false });
    jest.spyOn(get(SenderPausesService), 'end').mockResolvedValue();
    await relay.beforeApplicationShutdown();
    await get(SweepsService).beforeApplicationShutdown();
  });
  afterAll(async () => {
    await app.close();
    await proxy.close();
    await database.drop();
    await redis.stop();
  });

  /** Guides whose messages wait for the relay. */
  const create = (count: number) =>
    Promise.all(Array.from({ length: count }, () => app.messaging.create(merchant)));

  /** Round trips from the event to the outcome. */
  const costOf = async (guias: MadeGuia[], estado: string) => {
    const { roundTrips } = await tap.during(async () => {
      relay.start();
      for (const guia of guias) await app.messaging.reached(guia, estado);
      await relay.beforeApplicationShutdown();
    });
    return roundTrips;
  };

  /** Messages whose try is under way. */
  const claimed = async (count: number): Promise<string[]> => {
    const guias = await create(count);
    await costOf(guias, 'aceptado');
    await database.query(`delete from mensaje_intentos`);
    const rows = await database.query<{ id: string }>(
      `update mensajes set estado = 'enviando', proveedor_id = null where guia_id = any ($1) returning id`,
      [guias.map(({ id }) => id)],
    );
    return rows.map(({ id }) => id);
  };

  const outcomes: Omit<Settled, 'id' | 'desde'>[] = [
    { estado: 'aceptado', resultado: 'aceptado', proveedorId: 'uno' },
    { estado: 'pendiente', resultado: 'reintenta', causa: 'Sin sistema.', inMs: 60_000 },
    { estado: 'pendiente', resultado: 'detenido', causa: 'Sin saldo.', intentos: 0 },
    { estado: 'fallido', resultado: 'fallido', causa: 'No existe.' },
    { estado: 'omitido', causa: 'Ya no hace falta.' },
    { estado: 'omitido', causa: 'No va en camino.', aparcado: true, resultado: 'interrumpido' },
  ];
  const settle = (ids: string[]) =>
    Promise.all(
      ids.map((id, n) => tries.settle({ id, desde: 'enviando', ...outcomes[n % outcomes.length]! })),
    );

  const stored = (ids: string[]) =>
    database.query(
      `select m.estado, m.causa, m.proveedor_id, m.proximo_en > now() as espera, i.resultado, i.veces from mensajes m
       left join mensaje_intentos i on i.mensaje_id = m.id where m.id = any ($1) order by array_position($1, m.id)`,
      [ids],
    );

  it('takes 9: the relay’s transaction of 6 makes the message, then it is read, claimed and settled', async () => {
    expect(await costOf(await create(1), 'aceptado')).toBe(9);
  });

  it(`is a share of one for the outcomes of ${TOGETHER} that end together, whatever they are`, async () => {
    const ids = await claimed(TOGETHER);
    expect((await tap.during(() => settle(ids))).roundTrips).toBe(1);
    const ended = { proveedor_id: null, espera: false, veces: 1 };
    expect((await stored(ids)).slice(0, outcomes.length)).toEqual([
      { ...ended, estado: 'aceptado', causa: null, proveedor_id: 'uno', resultado: 'aceptado' },
      { ...ended, estado: 'pendiente', causa: 'Sin sistema.', espera: true, resultado: 'reintenta' },
      { ...ended, estado: 'pendiente', causa: 'Sin saldo.', resultado: 'detenido' },
      { ...ended, estado: 'fallido', causa: 'No existe.', resultado: 'fallido' },
      { ...ended, estado: 'omitido', causa: 'Ya no hace falta.', resultado: null, veces: null },
      { ...ended, estado: 'omitido', causa: 'No va en camino.', resultado: 'interrumpido' },
    ]);
  });

  it('an outcome that the database refuses fails alone', async () => {
    const ids = await claimed(TOGETHER);
    const causa = 'x'.repeat(501);
    const to = { desde: 'enviando', estado: 'fallido', resultado: 'fallido' } as const;
    const ended = await Promise.allSettled(
      ids.map((id, n) => tries.settle({ id, ...to, causa: n === 7 ? causa : 'No existe.' })),
    );
    expect(ended.flatMap(({ status }, n) => (status === 'rejected' ? [n] : []))).toEqual([7]);
    const estados = (await stored(ids)).map(({ estado }) => estado as string);
    expect(estados).toEqual(ids.map((_, n) => (n === 7 ? 'enviando' : 'fallido')));
  });

  it('two outcomes of one message at once are both logged, and the provider’s acceptance stays', async () => {
    const [id] = await claimed(1);
    const causa = 'No se sabe si salió.';
    await Promise.all([
      tries.settle({ id: id!, desde: 'enviando', estado: 'incierto', resultado: 'interrumpido', causa }),
      tries.settle({
        id: id!,
        desde: 'enviando',
        estado: 'aceptado',
        resultado: 'aceptado',
        proveedorId: 'dos',
      }),
    ]);
    const accepted = { estado: 'aceptado', causa: null, proveedor_id: 'dos' };
    expect(await stored([id!])).toMatchObject(
      ['interrumpido', 'aceptado'].map((resultado) => ({ ...accepted, resultado })),
    );
  });

  it('a status that was faster than its own answer stays, and the answer is logged', async () => {
    const [id] = await claimed(1);
    await database.query(`update mensajes set estado = 'leido' where id = $1`, [id]);
    const to = { estado: 'aceptado', resultado: 'aceptado', proveedorId: 'tres' } as const;
    await tries.settle({ id: id!, desde: 'enviando', ...to });
    expect(await stored([id!])).toMatchObject([
      { estado: 'leido', proveedor_id: 'tres', resultado: 'aceptado' },
    ]);
  });

  it('tries that found the sender paused for one reason share an entry', async () => {
    const [id] = await claimed(1);
    const stop = async (causa: string) => {
      await database.query(`update mensajes set estado = 'enviando' where id = $1`, [id]);
      await tries.settle({ id: id!, desde: 'enviando', estado: 'pendiente', resultado: 'detenido', causa });
    };
    for (const causa of [
      'Sin saldo.',
      'Sin saldo.',
      'Cuenta cerrada.',
      'Sin saldo.',
      'Sin saldo.',
      'Sin saldo.',
    ])
      await stop(causa);
    expect((await stored([id!])).map(({ veces }) => veces as number).sort()).toEqual([1, 2, 3]);
  });

  it(`is one for ${TOGETHER} that wait for a provider that is out, and none waits once it is back`, async () => {
    const ids = await claimed(TOGETHER);
    const held = ids.map((id) => ({ id, estado: 'enviando' as const, caida: 'Sin sistema.' }));
    const hold = () => Promise.all(held.map((one) => tries.hold(one)));
    expect(await hold()).toEqual(ids.map(() => false));
    await database.query(
      `insert into pausas (proveedor, codigo, causa, desde, prueba_en) values ('webhook', '503', 'Sin sistema.', now(), now())`,
    );
    const { roundTrips } = await tap.during(async () => expect(await hold()).toEqual(ids.map(() => true)));
    expect(roundTrips).toBe(1);
    expect(await stored(ids)).toMatchObject(ids.map(() => ({ estado: 'pendiente', espera: true })));
    expect(await hold()).toEqual(ids.map(() => false));
    await database.query(`delete from pausas`);
  });
});
