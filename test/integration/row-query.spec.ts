import { DataSource } from 'typeorm';
import { Database } from '../../src/database/database.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Rows that are made inside of the driver: whatever happens there, only their query ends. */
describe('a query with rows of its own', () => {
  let server: TestDatabase;
  let source: DataSource;
  let database: Database;

  beforeAll(async () => {
    server = await createTestDatabase();
    source = await new DataSource({ type: 'postgres', url: server.url, poolSize: 1 }).initialize();
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

  it('makes them of the values as they are written, null where there is none', async () => {
    await expect(database.rows(three, (values) => values)).resolves.toEqual([
      ['1', '1', 'ñ'],
      ['2', null, 'ñ'],
      ['3', '3', 'ñ'],
    ]);
  });

  it('may have none', async () => {
    await expect(database.rows({ text: 'select 1 limit 0' }, (values) => values)).resolves.toEqual([]);
  });

  it('fails where one of them cannot be made, and leaves the connection to the next', async () => {
    let seen = 0;
    const refuse = () => {
      seen++;
      throw new Error('no row of mine');
    };
    await expect(database.rows(three, refuse)).rejects.toThrow('no row of mine');
    expect(seen).toBe(3);
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
  });

  it('fails where the database does so behind the first rows', async () => {
    const broken = { text: 'select 6 / n from generate_series(2, 0, -1) n' };
    await expect(database.rows(broken, ([n]) => n)).rejects.toMatchObject({ code: '22012' });
    await expect(database.rows(three, ([n]) => n)).resolves.toEqual(['1', '2', '3']);
  });

  it('begins anew where it is tried again', async () => {
    let tries = 0;
    const retryable = Object.assign(new Error('deadlock'), { code: '40P01', severity: 'ERROR' });
    const rows = database.rows(three, ([n]) => {
      if (n === '3' && ++tries === 1) throw retryable;
      return n;
    });
    await expect(rows).resolves.toEqual(['1', '2', '3']);
    expect(tries).toBe(2);
  });
});
