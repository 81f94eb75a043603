import { setImmediate as nextTurn } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { Database } from '../../src/platform/database/database.js';
import { readDatabaseError } from '../../src/platform/database/database-error.reader.js';
import { POOL_SIZE } from '../../src/platform/database/pool-size.js';
import { withClient } from '../../src/platform/database/connection.js';
import { AppQueue } from '../../src/platform/queues/app-queue.js';
import { QueueStore } from '../../src/platform/queues/queue-store.js';
import { eventually } from '../support/eventually.js';
import { createTestApp, guiaBody } from '../support/test-app.js';
import { createTestDatabase, expectToSurvive, type TestDatabase } from '../support/database.js';
import { useDatabase } from '../support/use.js';

describe('Database', () => {
  let server: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    server = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: server.ownerUrl, poolSize: 1 }).initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    await source.destroy();
    await server.drop();
  });

  const three = {
    name: 'three',
    text: `select n, nullif(n, 2), 'ñ' from generate_series(1, 3) n`,
    values: [],
  };

  it('maps rows from the values as PostgreSQL writes them, with null for NULL', async () => {
    await expect(database.rows(three, (values) => values)).resolves.toEqual([
      ['1', '1', 'ñ'],
      ['2', null, 'ñ'],
      ['3', '3', 'ñ'],
    ]);
  });

  it('returns an empty list for no rows', async () => {
    await expect(database.rows({ text: 'select 1 limit 0' }, (values) => values)).resolves.toEqual([]);
  });

  it('rejects when a row cannot be mapped, and leaves the connection to the next query', async () => {
    const refuse = () => {
      throw new Error('not a row');
    };
    await expect(database.rows(three, refuse)).rejects.toThrow('not a row');
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
  });

  it('is away for a transaction of repositories whose connection is cut between two statements', async () => {
    const cut = database.managed('cut', async (manager) => {
      const [{ pid }] = await manager.query<[{ pid: number }]>('select pg_backend_pid() as pid');
      await withClient(server.ownerUrl, (client) => client.query('select pg_terminate_backend($1)', [pid]));
      await eventually(() => expect(manager.queryRunner!.isReleased).toBe(true));
      await manager.query('select 1');
    });
    expect(readDatabaseError(await cut.catch((error: unknown) => error))).toMatchObject({
      codigo: 'no_disponible',
    });
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
  });

  it('rejects when the database fails after the first rows', async () => {
    const broken = { text: 'select 6 / n from generate_series(2, 0, -1) n' };
    await expect(database.rows(broken, ([n]) => n)).rejects.toMatchObject({ code: '22012' });
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
  });

  describe('on the pool of the service', () => {
    let own: DataSource;
    let service: Database;
    beforeAll(async () => {
      own = await new DataSource(dataSourceOptions(server.url)).initialize();
      service = new Database(own);
    });
    afterAll(() => own.destroy());

    /** Runs a function while as many calls as there are connections, and more, have begun and cannot end. */
    const beside = async (
      begin: (n: number, held: Promise<void>) => Promise<unknown>,
      run: () => Promise<void>,
    ) => {
      let end!: () => void;
      const held = new Promise<void>((resolve) => (end = resolve));
      const calls = Array.from({ length: 3 * POOL_SIZE }, (_, n) => begin(n, held));
      try {
        await run();
      } finally {
        end();
        await Promise.allSettled(calls);
      }
    };

    it('limits the wait for a lock on every connection', async () => {
      const { rows } = await service.query({
        text: "select setting from pg_settings where name = 'lock_timeout'",
      });
      expect(rows).toEqual([{ setting: '2000' }]);
    });

    it.each([
      ['of one row', () => 'one'],
      ['of many rows', (n: number) => `row ${n}`],
    ])(
      'transactions %s that wait leave connections to others, also those of repositories',
      async (_what, keyOf) => {
        let begun = 0;
        const hold = async (held: Promise<void>) => {
          begun++;
          await held;
        };
        const begin = (n: number, held: Promise<void>) =>
          n % 2
            ? service.transaction(keyOf(n), () => hold(held))
            : service.managed(keyOf(n), () => hold(held));
        await beside(begin, async () => {
          await service.query({ text: 'select 1' });
          expect(begun).toBeLessThanOrEqual(POOL_SIZE / 2);
        });
      },
    );

    it('pages read two at a time, and equal reads that are asked for at one time share their rows', async () => {
      const run = jest.spyOn(service, 'query');
      const read = (n: number, lane = service.staff) =>
        lane.query<{ n: number }>({ text: 'select $1::int as n', values: [n] });
      const same = await Promise.all(Array.from({ length: 10 }, () => read(1)));
      expect(run).toHaveBeenCalledTimes(1);
      expect(same.map(({ rows }) => rows[0]!.n)).toEqual(Array(10).fill(1));
      run.mockClear();
      // The other lane: this one rests.
      const others = [1, 2, 3].map((n) => read(n, service.drivers));
      await Promise.resolve();
      expect(run).toHaveBeenCalledTimes(2);
      expect((await Promise.all(others)).map(({ rows }) => rows[0]!.n)).toEqual([1, 2, 3]);
      run.mockRestore();
    });

    it('a read that is asked for while an equal one runs has rows of its own', async () => {
      const run = jest.spyOn(service, 'query');
      const read = () => service.staff.query({ text: 'select pg_sleep(0.05)' });
      const first = read();
      while (run.mock.calls.length === 0) await nextTurn();
      const [one, other] = await Promise.all([first, read()]);
      expect(one).not.toBe(other);
      run.mockRestore();
    });
  });

  describe('after a statement that fails', () => {
    const pid = async () =>
      (await database.query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' })).rows[0]!.pid;
    const fail = (text: string, code: string) =>
      expect(database.query({ text })).rejects.toMatchObject({ code });

    it.each([
      ['22012', 'select 1 / n from generate_series(0, 0) n'],
      ['23514', `do $$ begin raise check_violation; end $$`],
    ])('for its values (%s) keeps the connection', async (code, text) => {
      const before = await pid();
      await fail(text, code);
      expect(await pid()).toBe(before);
    });

    it.each([
      ['42P01', 'select * from nothing'],
      ['0A000', `do $$ begin raise feature_not_supported; end $$`],
      ['57014', `do $$ begin raise query_canceled; end $$`],
    ])('for another reason (%s) takes a new one: a prepared plan may be out of date', async (code, text) => {
      const before = await pid();
      await fail(text, code);
      expect(await pid()).not.toBe(before);
    });
  });

  it('retries a statement that failed with a serialisation error', async () => {
    // Each evaluation takes the next number, also where its statement is rolled back.
    await server.query('create sequence tries');
    await server.query(`create function fail_once() returns int language plpgsql as $$
      begin
        if nextval('tries') = 1 then raise exception 'conflict' using errcode = '40001'; end if;
        return 7;
      end $$`);
    await expect(database.rows({ text: 'select fail_once()' }, ([n]) => n)).resolves.toEqual(['7']);
  });
});

describe('Database.queryBefore', () => {
  let server: TestDatabase;
  let source: DataSource;
  let database: Database;
  const check = (serverDeadlineMs: number) => ({
    text: 'select check_deadline($1) as timely',
    values: [serverDeadlineMs],
  });

  beforeAll(async () => {
    server = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: server.url }).initialize();
    database = new Database(source);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await source.destroy();
    await server.drop();
  });

  it('runs a statement whose deadline lies ahead', async () => {
    const { rows } = await database.queryBefore(performance.now() + 3_600_000, check);
    expect(rows).toEqual([{ timely: true }]);
  });

  it('rejects a statement whose deadline has passed', async () => {
    await expect(database.queryBefore(performance.now(), check)).rejects.toMatchObject({ code: '57X01' });
  });

  it('reads the clock of the server again when that refuses a deadline that lies ahead', async () => {
    const deadline = performance.now() + 3_600_000;
    await database.queryBefore(deadline, check);
    // What a server looks like whose clock was set forward by two hours.
    await server.query(`
      create schema later;
      create function later.clock_timestamp() returns timestamptz language sql volatile
        as $$ select pg_catalog.clock_timestamp() + interval '2 hours' $$`);
    await server.query(
      `do $$ begin execute format('alter database %I set search_path = later, public, pg_catalog', current_database()); end $$`,
    );
    await source.destroy();
    await source.initialize();
    const { rows } = await database.queryBefore(deadline, check);
    expect(rows).toEqual([{ timely: true }]);
  });
});

it('the end of a connection between two statements does not end the process', async () => {
  const server = await createTestDatabase();
  const source = await new DataSource(dataSourceOptions(server.url)).initialize();
  await expectToSurvive(new Database(source).pool, server);
  await source.destroy();
  await server.drop();
});

/** What a database may set for its sessions, and what the service's have all the same. */
const SETTINGS: [name: string, set: string, pinned: string][] = [
  ['DateStyle', "'German'", 'ISO, MDY'],
  ['DateStyle', "'SQL, DMY'", 'ISO, MDY'],
  ['DateStyle', "'Postgres, YMD'", 'ISO, MDY'],
  ['TimeZone', "'America/Guatemala'", 'UTC'],
  ['IntervalStyle', 'iso_8601', 'postgres'],
  ['search_path', 'otro', 'public'],
  ['standard_conforming_strings', 'off', 'on'],
  ['bytea_output', 'escape', 'hex'],
  ['extra_float_digits', '-15', '1'],
  ['array_nulls', 'off', 'on'],
  ['transform_null_equals', 'on', 'off'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['statement_timeout', '60000', '4s'],
  ['lock_timeout', '60000', '2s'],
];

describe('the settings of a database', () => {
  const server = useDatabase();

  beforeAll(async () => {
    for (const [name, set] of SETTINGS)
      await server.query(
        `alter database ${new URL(server.ownerUrl).pathname.slice(1)} set ${name} to ${set}`,
      );
  });

  const names = [...new Set(SETTINGS.map(([name]) => name))];
  const shown = names.map((name) => `current_setting('${name}') as "${name}"`).join();
  const pinned = Object.fromEntries(SETTINGS.map(([name, , value]) => [name, value]));

  it('do not reach the sessions of the service', async () => {
    const source = await new DataSource(dataSourceOptions(server.url)).initialize();
    expect((await source.query(`select ${shown}`))[0]).toEqual(pinned);
    await source.destroy();
  });

  it('do not reach those of the queues, and of commands', async () => {
    expect(
      await withClient(server.url, async (client) => (await client.query(`select ${shown}`)).rows[0]),
    ).toEqual({ ...pinned, statement_timeout: '0', lock_timeout: '0' });
    const store = new QueueStore(undefined, server.url, pino({ enabled: false }));
    const queue = new AppQueue(store, 'prueba', { connection: store.producer() });
    const { pool } = (queue as unknown as { backend: { connection: { pool: pg.Pool } } }).backend.connection;
    const { rows } = await pool.query(`select ${shown}`);
    expect(rows[0]).toEqual({ ...pinned, statement_timeout: '0', lock_timeout: '0', search_path: 'bullmq' });
    await queue.close();
  });

  it.each(SETTINGS.slice(0, 3).map(([, set]) => set))(
    'leave dates as they are: DateStyle %s',
    async (style) => {
      await server.query(
        `alter database ${new URL(server.ownerUrl).pathname.slice(1)} set datestyle to ${style}`,
      );
      const test = await createTestApp({ database: server });
      const merchant = await test.merchant();
      const { body: made } = await merchant.post('/api/v1/guias', guiaBody());
      const [row] = await server.query<{ day: string }>(
        `select to_char(creada_en at time zone 'UTC', 'YYYY-MM-DD') as day from guias where id = $1`,
        [made.id],
      );
      const { body } = await merchant.get(`/api/v1/guias/${made.id}`);
      expect(body.guia.creada_en.slice(0, 10)).toBe(row!.day);
      const { body: listed } = await merchant.get(`/api/v1/guias?desde=${row!.day}&hasta=${row!.day}`);
      expect(listed.guias).toHaveLength(1);
      await test.app.close();
    },
  );
});
