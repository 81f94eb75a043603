import { Database } from '../../src/platform/database/database.js';
import { TIME_LIMITS } from '../../src/platform/database/time-limits.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { SweepsService } from '../../src/platform/queues/sweeps.service.js';
import { generateApiKey } from '../../src/auth/keys/api-key.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';
import { WireTap } from '../support/wire-tap.js';

const GUIAS = '/api/v1/guias';

/** Counted, not timed: no cost may rise unnoticed. */
describe('the cost of a request', () => {
  const tap = new WireTap();
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;
  let merchant: TestMerchant;
  let operator: TestOperator;
  let known: { id: string; guia: string };
  let cursor: string;
  let made = 0;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database, tap.listen);
    test = await createTestApp({ database: proxy.database });
    merchant = await test.merchant();
    operator = await test.operator();
    const create = (over: Record<string, unknown>) => merchant.post(GUIAS, guiaBody(over));
    known = (await create({ external_ref: 'conocida' })).body;
    for (let n = 0; n < 3; n++) await create({});
    cursor = (await merchant.get(`${GUIAS}?limit=2`)).body.siguiente_cursor;
    // From here on only requests query the database.
    jest.spyOn(test.app.get(Database).clock, 'measure').mockResolvedValue();
    await test.app.get(RelayService).beforeApplicationShutdown();
    await test.app.get(SweepsService).beforeApplicationShutdown();
  });
  afterAll(async () => {
    await test.close();
    await proxy.close();
    await database.drop();
  });

  const confirmed = { lat: 14.6407, lng: -90.5133 };
  const refused = (key: string) => test.request(GUIAS, { headers: { authorization: `Bearer ${key}` } });
  const noKey = generateApiKey();

  const links = new Map<string, string>();
  /** Read once. */
  const linkOf = async ({ id }: { id: string }) => {
    if (!links.has(id)) links.set(id, (await merchant.get(`${GUIAS}/${id}`)).body.guia.seguimiento as string);
    return new URL(links.get(id)!).pathname;
  };
  const confirm = (path: string) =>
    test.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(confirmed),
    });

  const expectCost = async (roundTrips: number, ask: () => Promise<{ status: number }>, status: number) => {
    // Then the key is cached, too.
    for (let n = 0; n < 2; n++) await ask();
    expect(await tap.during(async () => expect((await ask()).status).toBe(status))).toEqual({
      roundTrips,
      parsed: 0,
    });
  };

  describe('in round trips to the database, with prepared statements', () => {
    it.each<[what: string, roundTrips: number, ask: () => Promise<{ status: number }>, status: number]>([
      ['a create', 1, () => merchant.post(GUIAS, guiaBody()), 201],
      [
        'a create with an external_ref',
        1,
        () => merchant.post(GUIAS, guiaBody({ ...confirmed, external_ref: `ref-${++made}` })),
        201,
      ],
      ['a repeated create', 1, () => merchant.post(GUIAS, guiaBody({ external_ref: 'conocida' })), 200],
      ['an invalid create', 0, () => merchant.post(GUIAS, guiaBody({ telefono: '1' })), 400],
      ['a list', 1, () => merchant.get(GUIAS), 200],
      ['the next page of a list', 1, () => merchant.get(`${GUIAS}?limit=2&cursor=${cursor}`), 200],
      ['an invalid list', 0, () => merchant.get(`${GUIAS}?limit=0`), 400],
      ['a guide by id', 1, () => merchant.get(`${GUIAS}/${known.id}`), 200],
      ['a guide by number', 1, () => merchant.get(`${GUIAS}/${known.guia}`), 200],
      // As many as the wrong secret of a known key: its time tells a guesser nothing.
      ['a well-formed unknown key', 1, () => refused(noKey), 401],
      ['a malformed key', 0, () => refused('gk_live_no'), 401],
    ])('%s takes %d', async (_what, roundTrips, ask, status) => {
      await expectCost(roundTrips, ask, status);
    });

    it.each([
      ...['estado=aceptado', 'telefono=%2B50255551234', 'direccion_confirmada=false'],
      ...['external_ref=conocida', 'guia=<number>', 'desde=2026-01-01&hasta=2027-01-01'],
      'actualizada_desde=2026-01-01',
    ])('a list filtered by %s takes 1', async (query) => {
      const path = `${GUIAS}?${query.replace('<number>', known.guia)}`;
      await expectCost(1, () => merchant.get(path), 200);
    });
  });

  it.each<[what: string, roundTrips: number, change: (guia: { id: string }) => Promise<{ status: number }>]>([
    ['a move', 2, ({ id }) => operator.move(id, { estado: 'recogido', ref: 'a' })],
    ['a delivery', 2, ({ id }) => operator.move(id, { estado: 'entregado', cod_cobrado: 10 })],
    ['an edit with its answer', 2, ({ id }) => merchant.patch(`${GUIAS}/${id}`, { nombre: 'Rosa Pérez' })],
    // The third finds the guide of the link.
    ['a confirmation by a program', 3, async (guia) => confirm(await linkOf(guia))],
  ])('%s takes %d: one reads the guide and what decides, one writes', async (what, roundTrips, change) => {
    const made = await Promise.all(
      Array.from({ length: 3 }, async () => (await merchant.post(GUIAS, guiaBody({ cod_amount: 10 }))).body),
    );
    const estado = what === 'a delivery' ? 'en_ruta' : 'en_camino_a_recoger';
    for (const { id } of made)
      await database.query('update guias set estado = $2 where id = $1', [id, estado]);
    const [first, ...others] = made as [{ id: string }, ...{ id: string }[]];
    for (const guia of others) await change(guia);
    await linkOf(first);
    const counted = await tap.during(async () => expect((await change(first)).status).toBeLessThan(300));
    expect(counted.roundTrips).toBe(roundTrips);
  });

  it('is one statement for 30 simultaneous creates', async () => {
    const server = test.app.getHttpAdapter().getInstance();
    const headers = { authorization: `Bearer ${merchant.key}` };
    const post = (n: number) =>
      server.inject({
        method: 'POST',
        url: GUIAS,
        headers,
        payload: guiaBody({ external_ref: `juntas-${n}` }),
      });
    // With the key cached, all 30 reach the database in one turn of the event loop.
    await post(-1);
    const answers = await tap.during(async () => {
      const all = await Promise.all(Array.from({ length: 30 }, (_, n) => post(n)));
      expect(all.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(201));
    });
    expect(answers.roundTrips).toBe(1);
  });

  it('looks a key up once for simultaneous requests', async () => {
    const fresh = await test.keyOf(merchant.id);
    const { pool } = test.app.get(Database);
    // Prepares the list's statement on every connection.
    await Promise.all(Array.from({ length: pool.options.max }, () => merchant.get(GUIAS)));
    const { roundTrips } = await tap.during(() =>
      Promise.all(Array.from({ length: 20 }, () => fresh.get(`${GUIAS}?limit=0`))),
    );
    expect(roundTrips).toBe(1);
  });

  it('starts no timer longer than the wait for a connection, which would keep the objects of the request alive', async () => {
    const server = test.app.getHttpAdapter().getInstance();
    const headers = { authorization: `Bearer ${merchant.key}` };
    const ask = () =>
      Promise.all([
        server.inject({ url: GUIAS, headers }),
        server.inject({ method: 'POST', url: GUIAS, headers, payload: guiaBody() }),
      ]);
    await ask();
    const timers = jest.spyOn(globalThis, 'setTimeout');
    try {
      for (let n = 0; n < 10; n++)
        expect((await ask()).map(({ statusCode }) => statusCode)).toEqual([200, 201]);
      // The wait for a connection itself is longer here than in the product.
      const { connectionTimeoutMillis } = test.app.get(Database).pool.options;
      const started = timers.mock.calls.map(([, ms]) => ms!).filter((ms) => ms !== connectionTimeoutMillis);
      expect(started.filter((ms) => ms > TIME_LIMITS.connection)).toEqual([]);
    } finally {
      timers.mockRestore();
    }
  });

  it('runs each query of the relay once for all guides of a batch', async () => {
    const relay = test.app.get(RelayService);
    const drained = async () => {
      relay.start();
      await eventually(async () => {
        expect(await database.query('select from eventos_pendientes')).toEqual([]);
      });
      await relay.beforeApplicationShutdown();
    };
    await drained();
    await Promise.all(Array.from({ length: 40 }, () => merchant.post(GUIAS, guiaBody())));
    const queries = jest.spyOn(test.app.get(Database), 'query');
    try {
      await drained();
      const names = queries.mock.calls.map(([{ name }]) => name);
      expect(names.filter((name) => name !== undefined).sort()).toEqual([
        'enlaces-set',
        'mensajes-ask',
        'webhooks-listening',
      ]);
    } finally {
      queries.mockRestore();
    }
  });
});
