import { randomBytes } from 'node:crypto';
import { migrate } from '../../src/platform/database/migrate.js';
import { createTestDatabase, withAdmin, withClient, type TestDatabase } from '../support/database.js';

/** The role that serves, made by the owner's migration. */
describe('the role that serves', () => {
  let database: TestDatabase;
  const role = `serves_${randomBytes(4).toString('hex')}`;
  let serviceUrl: string;
  const asService = (text: string) => withClient(serviceUrl, (client) => client.query(text));

  beforeAll(async () => {
    database = await createTestDatabase('template0');
    const url = new URL(database.ownerUrl);
    [url.username, url.password] = [role, `it's "secret"`];
    serviceUrl = url.href;
  });
  afterAll(async () => {
    await database.drop();
    await withAdmin((client) => client.query(`drop role if exists ${role}`));
  });

  it('is made and granted once by simultaneous migrations', async () => {
    const one = () => migrate(database.ownerUrl, { serviceUrl });
    const applied = await Promise.all([one(), one(), one()]);
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
  });

  it.each(['guias', 'eventos', 'mensajes', 'claves_api', 'bullmq.job'])(
    'reads and writes rows of %s',
    async (table) => {
      for (const privilege of ['select', 'insert', 'update', 'delete']) {
        const { rows } = await asService(`select has_table_privilege('${table}', '${privilege}') as may`);
        expect({ privilege, ...rows[0] }).toEqual({ privilege, may: true });
      }
    },
  );

  it.each([
    'create table other (id int)',
    'create schema other',
    'alter table guias drop column telefono',
    'drop table guias',
    'truncate guias',
    'create index on guias (telefono)',
    'create function f() returns int language sql as $$ select 1 $$',
    `insert into migraciones (timestamp, name) values (1, 'x')`,
    'select * from pg_authid',
    'create role other',
    `copy guias to program 'true'`,
  ])('may not: %s', async (statement) => {
    await expect(asService(statement)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|42P01)$/),
    });
  });

  it('starts by itself on a migrated database', async () => {
    expect(await migrate(serviceUrl)).toEqual([]);
  });

  it('is granted tables that a later migration makes', async () => {
    await database.query('drop table cupos_telefono');
    await database.query('create table cupos_telefono (id int)');
    await expect(asService('select from cupos_telefono')).rejects.toMatchObject({ code: '42501' });
    await migrate(database.ownerUrl, { serviceUrl });
    await asService('select from cupos_telefono');
  });

  it('alone may make and drop partitions, also after a restore without privileges', async () => {
    const functions = ['crear_particion(text, date)', 'soltar_particion(text)'];
    for (const name of functions)
      await database.query(
        `revoke all on function ${name} from ${role}; grant execute on function ${name} to public`,
      );
    const others = () =>
      database.query<{ name: string }>(
        `select oid::regprocedure::text as name from pg_proc cross join aclexplode(proacl)
         where pronamespace = 'public'::regnamespace and prosecdef and grantee = 0 order by 1`,
      );
    expect(await others()).toHaveLength(functions.length);
    await migrate(database.ownerUrl, { serviceUrl });
    expect(await others()).toEqual([]);
    for (const name of functions) {
      const { rows } = await asService(`select has_function_privilege('${name}', 'execute') as may`);
      expect({ name, ...rows[0] }).toEqual({ name, may: true });
    }
  });

  it('is told who has to migrate, where something is left to do', async () => {
    await database.query('delete from migraciones where id = (select max(id) from migraciones)');
    await expect(migrate(serviceUrl)).rejects.toThrow(
      /^DATABASE_URL: its user may not make tables; set MIGRATION_DATABASE_URL /,
    );
  });
});

it('an owner of the tables who may make no extension is told which one is needed', async () => {
  const database = await createTestDatabase('template0');
  const role = `owns_${randomBytes(4).toString('hex')}`;
  const url = new URL(database.ownerUrl);
  [url.username, url.password] = [role, 'secret'];
  try {
    await database.query(`create role ${role} login password 'secret'`);
    await database.query(`grant all on schema public to ${role}`);
    await expect(migrate(url.href, { hasQueues: false })).rejects.toThrow(
      /^DATABASE_URL: its user or server cannot make the extension pg_trgm; .* create extension pg_trgm$/,
    );
    await database.query('create extension pg_trgm');
    expect(await migrate(url.href, { hasQueues: false })).not.toEqual([]);
  } finally {
    await database.drop();
    await withAdmin((client) => client.query(`drop role if exists ${role}`));
  }
});
