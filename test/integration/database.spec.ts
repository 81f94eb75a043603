import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/database/data-source.js';
import { Database } from '../../src/database/database.js';
import { createTestDatabase, expectToSurvive, type TestDatabase } from '../support/database.js';

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

  it('rejects when the database fails after the first rows', async () => {
    const broken = { text: 'select 6 / n from generate_series(2, 0, -1) n' };
    await expect(database.rows(broken, ([n]) => n)).rejects.toMatchObject({ code: '22012' });
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
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
