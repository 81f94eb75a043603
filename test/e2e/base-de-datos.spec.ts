import { setTimeout as sleep } from 'node:timers/promises';
import { Database } from '../../src/database/database.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database.js';
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
/** What the contract promises, and a little for the way. */
const LIMIT_MS = 5_000 + 300;

/** An app that reaches its own database through a proxy. */
interface Stage {
  /** Reached directly. */
  database: TestDatabase;
  proxy: TcpProxy;
  test: TestApp;
  merchant: TestMerchant;
}

const SCENARIOS: Record<string, (stage: Stage) => Promise<void>> = {
  'gone: 503 with Retry-After': async (stage) => {
    const ask = await everything(stage);
    stage.proxy.set({ kind: 'cut' });
    for (const result of await ask()) expectUnavailable(result);
    for (const result of await ask()) expectUnavailable(result);
  },

  'frozen, connections open and silent: 503 within 5 s, also for more requests than connections': async (
    stage,
  ) => {
    const ask = await everything(stage);
    stage.proxy.set({ kind: 'frozen' });
    const results = await Promise.all(Array.from({ length: 6 }, ask));
    for (const result of results.flat()) expectUnavailable(result);
  },

  'frozen after a quiet time: what was asked is given up with its connection': async ({
    test,
    proxy,
    merchant,
  }) => {
    await merchant.get(GUIAS);
    // Longer than a query may be silent: a guard that looks once has looked by then.
    await sleep(5_500);
    const { pool } = test.app.get(Database);
    const given: unknown[] = [];
    pool.on('remove', (client) => given.push(client));
    proxy.set({ kind: 'frozen' });
    expectUnavailable(await timed(() => merchant.get(GUIAS)));
    await eventually(() => Promise.resolve(given.length > 0));
  },

  'slow, a second for each of its answers: an answer within 5 s, and nothing breaks': async (stage) => {
    const ask = await everything(stage);
    stage.proxy.set({ kind: 'cut' });
    await stage.merchant.get(GUIAS);
    // From here every request needs a new connection, which alone takes several answers.
    stage.proxy.set({ kind: 'slow', ms: 1_000 });
    for (const result of await ask()) {
      if (result.answer.status === 503) expectUnavailable(result);
      else expect([200, 201, 404]).toContain(result.answer.status);
      expect(result.ms).toBeLessThan(LIMIT_MS);
    }
  },

  // Over connections that are open already: the key's look-up 3 s, then the list or the insert 3 s more.
  'slow at each step, though none is too slow alone: reads get 503 within 5 s': async (stage) => {
    const stranger = await stage.test.keyOf(stage.merchant.id);
    stage.proxy.set({ kind: 'slow', ms: 3_000 });
    expectUnavailable(await timed(() => stranger.get(GUIAS)));
  },

  'slow at each step: creates get 503 within 5 s, and a repeat makes no second guide': async (stage) => {
    const { database, proxy, test, merchant } = stage;
    const stranger = await test.keyOf(merchant.id);
    const ask = () => stranger.post(GUIAS, guiaBody({ external_ref: 'paso-a-paso' }));
    proxy.set({ kind: 'slow', ms: 3_000 });
    expectUnavailable(await timed(ask));
    proxy.set({ kind: 'fair' });
    await recovered(stage);
    await eventually(async () => (await ask()).status === 200);
    const rows = await database.query(`select 1 from guias where external_ref = 'paso-a-paso'`);
    expect(rows).toHaveLength(1);
  },

  'busy, with a lock on the table: 503 within 5 s, and what got 503 does not happen later': async ({
    database,
    merchant,
  }) => {
    await withClient(database.url, async (holder) => {
      await holder.query('begin');
      await holder.query('lock table guias in access exclusive mode');
      const create = (n: number) =>
        timed(() => merchant.post(GUIAS, guiaBody({ external_ref: `en-espera-${n}` })));
      // One after another: more than are written at the same time, so that some wait for those before them.
      const creates = Array.from({ length: 8 }, async (_, n) => {
        await sleep(500 * n);
        return create(n);
      });
      const results = await Promise.all([timed(() => merchant.get(GUIAS)), ...creates]);
      for (const result of results) expectUnavailable(result);
      await holder.query('rollback');
    });
    await sleep(1_000);
    expect(await database.query(`select 1 from guias where external_ref like 'en-espera-%'`)).toEqual([]);
  },

  'whose answer is lost: 503, and the repeat finds the one guide that was made': async (stage) => {
    const { database, proxy, test, merchant } = stage;
    // A key looked up just now, and an idle connection: the next thing sent is the insert.
    const by = await test.keyOf(merchant.id);
    expect((await by.post(GUIAS, guiaBody())).status).toBe(201);
    proxy.set({ kind: 'frozen', only: 'answers' });
    expectUnavailable(await timed(() => by.post(GUIAS, guiaBody({ external_ref: 'sin-respuesta' }))));
    proxy.set({ kind: 'fair' });
    await recovered(stage);
    const again = await merchant.post(GUIAS, guiaBody({ external_ref: 'sin-respuesta' }));
    expect({ status: again.status, duplicada: again.body.duplicada }).toEqual({
      status: 200,
      duplicada: true,
    });
    const rows = await database.query(`select id from guias where external_ref = 'sin-respuesta'`);
    expect(rows).toEqual([{ id: again.body.id }]);
  },

  'read-only after a failover: creates get 503, reads go on': async ({ database, merchant }) => {
    const alter = (what: string) =>
      database.query(
        `set transaction read write;
         do $$ begin execute format('alter database %I ${what}', current_database()); end $$`,
      );
    await alter('set default_transaction_read_only to on');
    await disconnectAll(database);
    await eventually(async () => (await merchant.get(GUIAS)).status === 200);
    expectUnavailable(await timed(() => merchant.post(GUIAS, guiaBody())));
    expect((await merchant.get(GUIAS)).status).toBe(200);
    await alter('reset default_transaction_read_only');
    await disconnectAll(database);
  },

  'that closes every connection: the next requests open others': async (stage) => {
    await Promise.all(Array.from({ length: 20 }, () => stage.merchant.get(GUIAS)));
    await disconnectAll(stage.database);
  },
};

/** The scenarios mostly wait: they run side by side, and each test says what came of one. */
describe('a database', () => {
  let outcomes: Record<string, Promise<void>>;

  beforeAll(() => {
    const begin = ([name, scenario]: [string, (stage: Stage) => Promise<void>]) => {
      const outcome = onStage(scenario);
      outcome.catch(() => undefined);
      return [name, outcome] as const;
    };
    outcomes = Object.fromEntries(Object.entries(SCENARIOS).map(begin));
  });
  afterAll(() => Promise.allSettled(Object.values(outcomes)));

  it.each(Object.keys(SCENARIOS))('%s; then the service recovers by itself', (name) => outcomes[name]);
});

async function onStage(scenario: (stage: Stage) => Promise<void>): Promise<void> {
  const database = await createTestDatabase();
  const proxy = await createTcpProxy(database);
  const test = await createTestApp({ database: proxy.database });
  try {
    const stage = { database, proxy, test, merchant: await test.merchant() };
    await recovered(stage);
    await scenario(stage);
    proxy.set({ kind: 'fair' });
    await recovered(stage);
  } finally {
    proxy.set({ kind: 'fair' });
    await test.close();
    await proxy.close();
    await database.drop();
  }
}

/** Serves again within 5 s of good weather. */
function recovered({ merchant }: Stage): Promise<void> {
  return eventually(async () => {
    const answers = await Promise.all([merchant.get(GUIAS), merchant.post(GUIAS, guiaBody())]);
    return answers.every(({ status }) => status < 300);
  });
}

/** Asks every kind of question at once, with a known key and with one that must be looked up. */
async function everything({ test, merchant }: Stage): Promise<() => Promise<Timed[]>> {
  const stranger = await test.keyOf(merchant.id);
  return () =>
    Promise.all([
      timed(() => merchant.get(GUIAS)),
      timed(() => merchant.get(`${GUIAS}/01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57`)),
      timed(() => merchant.post(GUIAS, guiaBody())),
      timed(() => stranger.get(GUIAS)),
      timed(() => stranger.post(GUIAS, guiaBody())),
    ]);
}

interface Timed {
  answer: Answer;
  ms: number;
}

async function timed(run: () => Promise<Answer>): Promise<Timed> {
  const began = performance.now();
  const answer = await run();
  return { answer, ms: performance.now() - began };
}

function expectUnavailable({ answer, ms }: Timed): void {
  expectProblem(answer, 'no_disponible');
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  expect(ms).toBeLessThan(LIMIT_MS);
}

async function disconnectAll(database: TestDatabase): Promise<void> {
  await database.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
}

async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const began = performance.now();
  while (!(await condition())) {
    expect(performance.now() - began).toBeLessThan(LIMIT_MS);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
