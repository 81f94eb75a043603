import type { Client } from 'pg';
import { Database } from '../../src/platform/database/database.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';

/** The advisory lock that an insert of a guide with the notes `espera` takes. */
const LOCK = 4_711;

/** A create answered with 503 is never written later, whatever held it up. */
describe('POST /api/v1/guias past its deadline', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    database = await createTestDatabase();
    await database.query(`
      create function wait_for_lock() returns trigger language plpgsql as $$
        begin perform pg_advisory_xact_lock(${LOCK}); return new; end $$;
      create trigger wait_for_lock before insert on guias for each row when (new.notas = 'espera')
        execute function wait_for_lock()`);
    proxy = await createTcpProxy(database);
    test = await createTestApp({ database: proxy.database, timeLimits: { answer: 500 } });
    merchant = await test.merchant();
    await warmUp();
  });
  afterAll(async () => {
    proxy.set({ kind: 'fair' });
    await test.close();
    await proxy.close();
    await database.drop();
  });

  const create = (ref: string, over = {}) => merchant.post(GUIAS, guiaBody({ external_ref: ref, ...over }));
  const creates = (prefix: string, count: number, over = {}) =>
    Promise.all(Array.from({ length: count }, (_, n) => create(`${prefix}-${n}`, over)));
  /** On a busy machine even a first create may take longer than its limit. */
  const warmUp = () =>
    eventually(async () => expect((await merchant.post(GUIAS, guiaBody())).status).toBe(201));
  const expectNoneWritten = async (prefix: string) => {
    await eventually(async () => {
      const running = await database.query(
        `select query from pg_stat_activity where datname = current_database() and state <> 'idle'
           and application_name = 'guias'`,
      );
      expect(running).toEqual([]);
    });
    const rows = await database.query('select 1 from guias where external_ref like $1', [`${prefix}%`]);
    expect(rows).toEqual([]);
  };
  /** Holds something on a connection of the test's own until `run` has ended. */
  const whileHeld = (sql: string, run: () => Promise<void>) =>
    withClient(database.url, async (holder: Client) => {
      await holder.query(`begin; ${sql}`);
      await run();
      await holder.query('rollback');
    });

  it('is not written when its statement waited for a row lock', async () => {
    await whileHeld(`select pg_advisory_xact_lock(${LOCK})`, async () => {
      expectProblem(await create('fila', { notas: 'espera' }), 'no_disponible');
    });
    await expectNoneWritten('fila');
  });

  it('is not written if it waited behind hundreds of concurrent creates', async () => {
    await whileHeld('lock table guias in access exclusive mode', async () => {
      for (const answer of await creates('turno', 300)) expectProblem(answer, 'no_disponible');
    });
    await expectNoneWritten('turno');
  });

  it('is not written when it waited for a free connection', async () => {
    await warmUp();
    const { pool } = test.app.get(Database);
    await whileHeld(`select pg_advisory_xact_lock(${LOCK})`, async () => {
      const busy = Array.from({ length: pool.options.max }, () =>
        pool.query(`select pg_advisory_xact_lock_shared(${LOCK})`),
      );
      expectProblem(await create('conexion'), 'no_disponible');
      void Promise.allSettled(busy);
    });
    await expectNoneWritten('conexion');
  });

  it('is not written when its statement reached the server late', async () => {
    await warmUp();
    proxy.set({ kind: 'frozen' });
    const answers = await creates('camino', 50);
    for (const answer of answers) expectProblem(answer, 'no_disponible');
    proxy.set({ kind: 'fair' });
    await expectNoneWritten('camino');
  });

  it('can be retried afterwards, and creates one guide', async () => {
    await eventually(async () => expect((await create('fila')).status).toBeLessThan(300));
    expect((await create('fila')).body.duplicada).toBe(true);
  });
});
