import { DataSource } from 'typeorm';
import { Particiones1795570000000 } from '../../migrations/1795570000000-particiones.js';
import { dataSourceOptions } from '../../src/platform/database/data-source.js';
import { partitionEnds } from '../../src/platform/database/partitions.queries.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { firstIdAt, newRowId } from '../../src/platform/database/row-id.js';
import { createTestDatabase, withClient, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { withRetention } from '../support/retention.js';
import { useDatabase } from '../support/use.js';

const DIVIDED = [
  'mensaje_intentos',
  'mensajes',
  'webhook_entregas',
  'webhook_intentos',
  'webhook_mensajes',
] as const;

const DAY_MS = 86_400_000;

/** The first moment of the month that is so many months from now. */
const monthAt = (months: number, now = new Date()) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));

const nameAt = (table: string, months: number) =>
  `${table}_${monthAt(months).toISOString().slice(0, 7).replace('-', '_')}`;

describe('tables that are divided by month', () => {
  let database: TestDatabase;
  // As if nobody had made a month's partition yet.
  beforeEach(async () => {
    database = await createTestDatabase();
    const months = await database.query<{ particion: string }>(
      `select particion from particiones() where particion ~ '_[0-9]{4}_[0-9]{2}$'`,
    );
    for (const { particion } of months) await database.query(`drop table ${particion}`);
  });
  afterEach(() => database.drop());

  const asService = (text: string, values?: unknown[]) =>
    withClient(database.url, async (client) => (await client.query(text, values)).rows);
  const partitions = async (table: string) =>
    (
      await database.query<{ particion: string }>(
        'select particion from particiones() where tabla = $1 order by hasta nulls last',
        [table],
      )
    ).map(({ particion }) => particion);
  /** A message, and what the table of its row is. */
  const message = async (ms: number, estado = 'aceptado') => {
    const [row] = await asService(
      `insert into mensajes (id, tipo, estado, telefono, creado_en, actualizado_en, proximo_en)
       values ($1, 'ayuda', $2, '+50255551234', now(), now(), now()) returning tableoid::regclass::text as part`,
      [newRowId(ms), estado],
    );
    return (row as { part: string }).part;
  };
  /** Gives messages partitions of months that are over: their first one begins later then. */
  const withPastMonths = async (months: number[]) => {
    await database.query('drop table mensajes_inicio');
    for (const month of months)
      await asService('select crear_particion($1, $2)', ['mensajes', monthAt(month).toISOString()]);
  };

  it('are only those of messages and webhooks, whatever other partitioned tables exist', async () => {
    await database.query('create table ventas (id uuid) partition by range (id)');
    await database.query('create table ventas_resto partition of ventas default');
    const rows = await database.query('select distinct tabla from particiones() order by tabla');
    expect(rows).toEqual(DIVIDED.map((tabla) => ({ tabla })));
    await withRetention(database, (_, service) => service.prepare());
    await expect(asService(`select crear_particion('ventas', '2027-01-01')`)).rejects.toMatchObject({
      code: 'P0001',
    });
  });

  it('get the months to come before they begin, by the role that serves, from several processes at once', async () => {
    await withRetention(database, async (_, service) => {
      await Promise.all(Array.from({ length: 4 }, () => service.prepare()));
      await service.prepare();
    });
    for (const table of DIVIDED) {
      const names = await partitions(table);
      expect(names[0]).toBe(`${table}_inicio`);
      expect(names.slice(-2)).toEqual([nameAt(table, 2), `${table}_resto`]);
    }
    expect(await message(monthAt(2).getTime())).toBe(nameAt('mensajes', 2));
    expect(await message(monthAt(2).getTime() - 1)).not.toBe(nameAt('mensajes', 2));
    expect(await message(monthAt(3).getTime() - 1)).toBe(nameAt('mensajes', 2));
    expect(await message(monthAt(3).getTime())).toBe('mensajes_resto');
  });

  it('accept rows of a month without a partition, and still get partitions for the next months', async () => {
    const late = monthAt(7);
    expect(await message(late.getTime() + DAY_MS)).toBe('mensajes_resto');
    await expect(asService('select crear_particion($1, $2)', ['mensajes', late])).rejects.toMatchObject({
      code: '23514',
    });
    await withRetention(database, async (_, service) => {
      await service.prepare(late);
      expect(await partitions('mensajes')).toEqual([
        'mensajes_inicio',
        nameAt('mensajes', 8),
        nameAt('mensajes', 9),
        'mensajes_resto',
      ]);
      expect((await partitions('webhook_mensajes')).slice(1, 2)).toEqual([nameAt('webhook_mensajes', 7)]);
      await service.prepare(late);
    });
    expect(await message(late.getTime() + 2 * DAY_MS)).toBe('mensajes_resto');
  });

  it('get a partition that could not be created at first, even if later months already have theirs', async () => {
    const months = (from: number) => [from, from + 1, from + 2].map((month) => nameAt('mensajes', month));
    const reader = async (run: () => Promise<unknown>) =>
      withClient(database.url, async (client) => {
        await client.query('begin; select from mensajes');
        await run();
      });
    await withRetention(database, async (_, service) => {
      await reader(() => expect(service.prepare(monthAt(7))).rejects.toMatchObject({ code: '55P03' }));
      expect(await partitions('mensajes')).toEqual(['mensajes_inicio', 'mensajes_resto']);
      for (const month of [monthAt(8), monthAt(9), monthAt(120)])
        await asService('select crear_particion($1, $2)', ['mensajes', month]);
      await service.prepare(monthAt(7));
      await service.prepare(monthAt(20));
    });
    expect(await partitions('mensajes')).toEqual([
      'mensajes_inicio',
      ...months(7),
      ...months(20),
      nameAt('mensajes', 120),
      'mensajes_resto',
    ]);
  });

  it('each report the end of their last partition, also a table that has none', async () => {
    const ends = async () =>
      (await database.query<{ hasta: string | null }>(partitionEnds().text)).map(({ hasta }) => hasta);
    const [end] = await ends();
    expect(await ends()).toEqual(DIVIDED.map(() => end));
    expect(end! > firstIdAt(Date.now() + 6 * DAY_MS)).toBe(true);
    // As a clock ahead of its time makes them.
    await asService('select crear_particion($1, $2)', ['mensajes', monthAt(120)]);
    expect(await ends()).toEqual(DIVIDED.map(() => end));
    await database.query('drop table mensajes_inicio');
    expect((await ends()).filter((hasta) => hasta !== end)).toEqual([null]);
  });

  it('drop an expired month at once, except a month with a pending message', async () => {
    await withPastMonths([-12, -11, -10, -1, 0]);
    await message(monthAt(-12).getTime(), 'fallido');
    await message(monthAt(-11).getTime(), 'pendiente');
    await message(monthAt(-10).getTime(), 'leido');
    await message(monthAt(-1).getTime(), 'leido');
    await withRetention(database, async (sweeps) => {
      await sweeps.get('old mensajes')!();
      const kept = [nameAt('mensajes', -11), nameAt('mensajes', -1), nameAt('mensajes', 0), 'mensajes_resto'];
      expect(await partitions('mensajes')).toEqual(kept);
      await database.query(`update mensajes set estado = 'fallido' where estado = 'pendiente'`);
      await Promise.all([sweeps.get('old mensajes')!(), sweeps.get('old mensajes')!()]);
      expect(await partitions('mensajes')).toEqual(kept.slice(1));
    });
  });

  it('get partitions for this month and the next two at startup, before any row is written', async () => {
    await database.query('drop table mensajes_inicio');
    await migrate(database.url);
    expect(await partitions('mensajes')).toEqual([
      ...[0, 1, 2].map((month) => nameAt('mensajes', month)),
      'mensajes_resto',
    ]);
  });

  it.each([
    ['from before the partitioning', 'mensajes_inicio', []],
    ['of the default partition', 'mensajes_resto', [-1, 0]],
  ])('delete the rows %s one by one', async (_, part, months) => {
    if (months.length > 0) await withPastMonths(months);
    expect(await message(monthAt(-12).getTime())).toBe(part);
    expect(await message(monthAt(-12).getTime(), 'incierto')).toBe(part);
    await withRetention(database, (sweeps) => sweeps.get('old mensajes')!());
    expect(await database.query('select estado from mensajes')).toEqual([{ estado: 'incierto' }]);
  });

  it('delete their old rows even if another worker drops their first partition meanwhile', async () => {
    await withPastMonths([-1, 0]);
    expect(await message(monthAt(-12).getTime())).toBe('mensajes_resto');
    await database.query(
      `create table mensajes_inicio partition of mensajes for values from (minvalue) to ('${firstIdAt(monthAt(-13).getTime())}')`,
    );
    await withClient(database.ownerUrl, async (other) => {
      await other.query('begin; drop table mensajes_inicio');
      await withRetention(database, async (sweeps) => {
        const swept = sweeps.get('old mensajes')!();
        await eventually(async () =>
          expect(await database.query('select from pg_locks where not granted')).toHaveLength(1),
        );
        await other.query('commit');
        await swept;
      });
    });
    expect(await database.query('select from mensajes')).toEqual([]);
  });

  it('delete other old rows and months even if one partition can be neither deleted from nor dropped', async () => {
    await withPastMonths([-12, -11, -1, 0]);
    // A role that serves has no right to what the owner makes beside the migrations.
    await database.query(
      `create table mensajes_inicio partition of mensajes for values from (minvalue) to ('${firstIdAt(monthAt(-13).getTime())}')`,
    );
    expect(await message(monthAt(-14).getTime())).toBe('mensajes_inicio');
    expect(await message(monthAt(-10).getTime())).toBe('mensajes_resto');
    await withClient(database.ownerUrl, async (reader) => {
      await reader.query(`begin; select from ${nameAt('mensajes', -12)}`);
      await withRetention(database, (sweeps) =>
        expect(sweeps.get('old mensajes')!()).rejects.toMatchObject({ code: '42501' }),
      );
    });
    expect(await database.query('select from mensajes_resto')).toEqual([]);
    const kept = [-12, -1, 0].map((month) => nameAt('mensajes', month));
    expect(await partitions('mensajes')).toEqual([...kept, 'mensajes_resto']);
  });

  it('never block others: if a table is in use, its change waits for the next sweep', async () => {
    await withPastMonths([-12]);
    expect(await message(monthAt(-13).getTime())).toBe('mensajes_resto');
    await withClient(database.url, async (reader) => {
      await reader.query('begin; select from mensajes');
      await withRetention(database, async (sweeps, service) => {
        await expect(service.prepare()).rejects.toMatchObject({ code: '55P03' });
        await expect(sweeps.get('old mensajes')!()).rejects.toMatchObject({ code: '55P03' });
        expect(await database.query('select from mensajes_resto')).toEqual([]);
        expect(await partitions('webhook_mensajes')).toContain(nameAt('webhook_mensajes', 2));
        await reader.query('rollback');
        await service.prepare();
        await sweeps.get('old mensajes')!();
      });
    });
    expect(await partitions('mensajes')).toEqual([
      ...[0, 1, 2].map((month) => nameAt('mensajes', month)),
      'mensajes_resto',
    ]);
  });
});

describe('partitions', () => {
  const database = useDatabase();

  it.each(DIVIDED)('of %s have exactly the indexes and keys of the table', async (table) => {
    const counts = await database.query<{ part: string; indexes: number; constraints: number }>(
      `select c.relname as part,
         (select count(*)::int from pg_index where indrelid = c.oid) as indexes,
         (select count(*)::int from pg_constraint where conrelid = c.oid and contype <> 'n') as constraints
       from pg_class c where c.oid = $1::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = $1::regclass)`,
      [table],
    );
    const whole = counts.find(({ part }) => part === table)!;
    for (const { part, indexes, constraints } of counts) {
      const more = /^webhook_intentos_(inicio|resto)$/.test(part) ? 1 : 0;
      expect([part, indexes - more, constraints]).toEqual([part, whole.indexes, whole.constraints]);
    }
  });

  it.each([
    ['another table', `soltar_particion('guias')`],
    ['a divided table', `soltar_particion('mensajes')`],
    ['the partition for all other rows', `soltar_particion('mensajes_resto')`],
    ['the first partition while it takes rows', `soltar_particion('mensajes_inicio')`],
    ['a month that is not old', `soltar_particion('${nameAt('mensajes', 2)}')`],
    ['partitions of another table', `crear_particion('guias', '2027-01-01')`],
    ['a table whose name is SQL', `crear_particion('mensajes (id); drop table guias; --', '2027-01-01')`],
  ])('are created and dropped by the service role, but not %s', async (_, call) => {
    const asked = withClient(database.url, (client) => client.query(`select ${call}`));
    await expect(asked).rejects.toMatchObject({ code: 'P0001' });
  });
});

describe('the migration that divides tables by month', () => {
  it('keeps the rows there are, in both directions', async () => {
    const database = await createTestDatabase();
    const source = await new DataSource(dataSourceOptions(database.ownerUrl)).initialize();
    const runner = source.createQueryRunner();
    const migration = new Particiones1795570000000();
    const messages = () => database.query('select * from mensajes order by id');
    const tries = () => database.query('select * from mensaje_intentos order by id');
    const add = async (ms: number, hasMessage = true) => {
      const id = newRowId(ms);
      if (hasMessage)
        await database.query(
          `insert into mensajes (id, tipo, estado, telefono, creado_en, actualizado_en, proximo_en)
           values ($1, 'ayuda', 'aceptado', '+50255551234', now(), now(), now())`,
          [id],
        );
      await database.query(
        `insert into mensaje_intentos (mensaje_id, id, en, resultado) values ($1, gen_random_uuid(), now(), 'aceptado')`,
        [id],
      );
    };
    try {
      await migration.down(runner);
      await add(Date.now() - 200 * DAY_MS);
      await add(Date.now());
      await add(Date.now() + 400 * DAY_MS);
      const before = [await messages(), await tries()];
      await migration.up(runner);
      expect([await messages(), await tries()]).toEqual(before);
      for (const table of ['mensajes', 'mensaje_intentos'])
        expect(await database.query(`select from ${table}_resto`)).toHaveLength(1);

      await add(Date.now() + 300 * DAY_MS);
      const divided = [await messages(), await tries()];
      await add(Date.now(), false);
      await migration.down(runner);
      expect([await messages(), await tries()]).toEqual(divided);
      await database.query('delete from mensajes');
      expect(await tries()).toEqual([]);
    } finally {
      await source.destroy();
      await database.drop();
    }
  });

  it('starts the first monthly partition at least a week ahead', async () => {
    const database = await createTestDatabase();
    const rows = await database.query<{ hasta: string }>(
      `select distinct hasta from particiones() where particion like '%_inicio'`,
    );
    expect(rows).toHaveLength(1);
    const bounds = [0, 1, 2].map((month) => firstIdAt(monthAt(month).getTime()));
    expect(bounds).toContain(rows[0]!.hasta);
    expect(rows[0]!.hasta > firstIdAt(Date.now() + 6 * DAY_MS)).toBe(true);
    await database.drop();
  });
});
