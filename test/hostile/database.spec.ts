import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/platform/database/database.js';
import { TIME_LIMITS } from '../../src/platform/database/time-limits.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import {
  createTestApp,
  guiaBody,
  type Answer,
  type TestApp,
  type TestMerchant,
} from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

/** An app with the product's time limits that reaches its database through a proxy. */
interface Stage {
  /** Reached directly. */
  database: TestDatabase;
  proxy: TcpProxy;
  test: TestApp;
  merchant: TestMerchant;
}

const SCENARIOS: Record<string, (stage: Stage) => Promise<void>> = {
  'answers 503 with Retry-After when the database is gone': async (stage) => {
    const askAll = await everyKindOfRequest(stage);
    stage.proxy.set({ kind: 'cut' });
    (await askAll()).forEach(expectUnavailable);
    (await askAll()).forEach(expectUnavailable);
  },

  'answers 503 when connections hang, also to more requests than there are connections': async (stage) => {
    const askAll = await everyKindOfRequest(stage);
    stage.proxy.set({ kind: 'frozen' });
    (await Promise.all(Array.from({ length: 6 }, askAll))).flat().forEach(expectUnavailable);
  },

  'closes the connection of a query that hangs, also after an idle time': async ({
    test,
    proxy,
    merchant,
  }) => {
    await merchant.get(GUIAS);
    // Longer than a query may be silent, so that a timer started with the connection has fired by now.
    await sleep(5_500);
    const { pool } = test.app.get(Database);
    const removed: unknown[] = [];
    pool.on('remove', (client) => removed.push(client));
    proxy.set({ kind: 'frozen' });
    expectUnavailable(await merchant.get(GUIAS));
    await eventually(() => expect(removed).not.toEqual([]));
  },

  'answers with a result or 503 when each message of the database takes a second': async (stage) => {
    const askAll = await everyKindOfRequest(stage);
    stage.proxy.set({ kind: 'cut' });
    await stage.merchant.get(GUIAS);
    // Every request needs a new connection now, which alone takes several messages.
    stage.proxy.set({ kind: 'slow', ms: 1_000 });
    for (const answer of await askAll()) {
      if (answer.status === 503) expectUnavailable(answer);
      else expect([200, 201, 404]).toContain(answer.status);
    }
  },

  // The key's query takes 3 s, and the list's 3 s more.
  'answers 503 to a read when its queries are too slow together, though none is alone': async (stage) => {
    const newKey = await stage.test.keyOf(stage.merchant.id);
    stage.proxy.set({ kind: 'slow', ms: 3_000 });
    expectUnavailable(await newKey.get(GUIAS));
  },

  'answers 503 to a create then, and a repeat makes no second guide': async (stage) => {
    const { database, proxy, test, merchant } = stage;
    const newKey = await test.keyOf(merchant.id);
    const create = () => newKey.post(GUIAS, guiaBody({ external_ref: 'paso-a-paso' }));
    proxy.set({ kind: 'slow', ms: 3_000 });
    expectUnavailable(await create());
    proxy.set({ kind: 'fair' });
    await recovered(stage);
    await eventually(async () => expect((await create()).status).toBeLessThan(300));
    expect((await create()).body.duplicada).toBe(true);
    const rows = await database.query(`select 1 from guias where external_ref = 'paso-a-paso'`);
    expect(rows).toHaveLength(1);
  },

  'answers 503 when the result is lost, and the repeat finds the guide that was made': async (stage) => {
    const { database, proxy, test, merchant } = stage;
    const newKey = await test.keyOf(merchant.id);
    let tries = 0;
    const createUnheard = async () => {
      const external_ref = `sin-respuesta-${++tries}`;
      // Caches the key and leaves an idle connection: the next message to the database is the insert.
      expect((await newKey.post(GUIAS, guiaBody())).status).toBe(201);
      proxy.set({ kind: 'frozen', only: 'answers' });
      expectUnavailable(await newKey.post(GUIAS, guiaBody({ external_ref })));
      proxy.set({ kind: 'fair' });
      await recovered(stage);
      const [made] = await database.query<{ id: string }>('select id from guias where external_ref = $1', [
        external_ref,
      ]);
      return { made, external_ref };
    };
    let unheard = await createUnheard();
    // On a busy machine an insert may arrive after its deadline, and then makes nothing.
    while (!unheard.made) unheard = await createUnheard();
    const { status, body } = await merchant.post(GUIAS, guiaBody({ external_ref: unheard.external_ref }));
    expect({ status, id: body.id, duplicada: body.duplicada }).toEqual({
      status: 200,
      id: unheard.made.id,
      duplicada: true,
    });
  },

  'answers 503 to creates and goes on to read when the database is read-only': async ({
    database,
    merchant,
  }) => {
    const alter = (what: string) =>
      database.query(
        `set transaction read write;
         do $$ begin execute format('alter database %I ${what}', current_database()); end $$`,
      );
    await alter('set default_transaction_read_only to on');
    await disconnectAll(database);
    await eventually(async () => expect((await merchant.get(GUIAS)).status).toBe(200));
    expectUnavailable(await merchant.post(GUIAS, guiaBody()));
    expect((await merchant.get(GUIAS)).status).toBe(200);
    await alter('reset default_transaction_read_only');
    await disconnectAll(database);
  },
};

describe('a service whose database fails', () => {
  // One for all: what one failure leaves behind must not harm the next recovery either.
  let stage: Stage;

  beforeAll(async () => {
    const database = await createTestDatabase();
    const proxy = await createTcpProxy(database);
    const test = await createTestApp({
      database: proxy.database,
      env: { ROLE: 'all' },
      timeLimits: TIME_LIMITS,
    });
    stage = { database, proxy, test, merchant: await test.merchant() };
  });
  beforeEach(() => recovered(stage));
  afterEach(() => stage.proxy.set({ kind: 'fair' }));
  afterAll(async () => {
    await stage.test.close();
    await stage.proxy.close();
    await stage.database.drop();
  });

  it.each(Object.keys(SCENARIOS))('%s, and recovers by itself', async (name) => {
    await SCENARIOS[name]!(stage);
    stage.proxy.set({ kind: 'fair' });
    await recovered(stage);
  });
});

describe('a transaction whose connection is lost to the service alone', () => {
  it('times out, so that other relays can dispatch the events it had locked', async () => {
    const database = await createTestDatabase();
    const proxy = await createTcpProxy(database);
    const test = await createTestApp({
      database: proxy.database,
      env: { ROLE: 'all' },
      timeLimits: { ...TIME_LIMITS, transaction: 1_000 },
    });
    try {
      const merchant = await test.merchant();
      await withClient(database.url, async (holder) => {
        await holder.query('begin');
        // The relay has claimed the event and waits for the row of its message.
        await holder.query('lock table mensajes in access exclusive mode');
        expect((await merchant.post(GUIAS, guiaBody())).status).toBe(201);
        await eventually(async () => {
          const held = await database.query(
            `select from pg_stat_activity where application_name = 'guias' and state = 'idle in transaction'
             and datname = current_database()`,
          );
          expect(held).toHaveLength(1);
        });
        proxy.set({ kind: 'half-open', left: 'server' });
        proxy.set({ kind: 'fair' });
        await holder.query('rollback');
      });
      await eventually(async () => {
        expect(await database.query('select from eventos_pendientes')).toEqual([]);
        expect(await database.query('select estado from mensajes')).toEqual([{ estado: 'aceptado' }]);
      });
    } finally {
      await test.close();
      await proxy.close();
      await database.drop();
    }
  });
});

function recovered({ merchant }: Stage): Promise<void> {
  return eventually(async () => {
    const answers = await Promise.all([merchant.get(GUIAS), merchant.post(GUIAS, guiaBody())]);
    expect(answers.map(({ status }) => status)).toEqual([200, 201]);
  });
}

/** Sends every kind of request at once, with a cached key and with a new one. */
async function everyKindOfRequest({ test, merchant }: Stage): Promise<() => Promise<Answer[]>> {
  const newKey = await test.keyOf(merchant.id);
  return () =>
    Promise.all([
      merchant.get(GUIAS),
      merchant.get(`${GUIAS}/01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57`),
      merchant.post(GUIAS, guiaBody()),
      newKey.get(GUIAS),
      newKey.post(GUIAS, guiaBody()),
    ]);
}

function expectUnavailable(answer: Answer): void {
  expectProblem(answer, 'no_disponible');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
}

async function disconnectAll(database: TestDatabase): Promise<void> {
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}
