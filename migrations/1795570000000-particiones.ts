import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables that are divided by month, and the id (UUID version 7, so that it tells the month) that divides each. */
const DIVIDED = [
  ['mensajes', 'id'],
  ['mensaje_intentos', 'mensaje_id'],
  ['webhook_mensajes', 'id'],
  ['webhook_entregas', 'mensaje_id'],
  ['webhook_intentos', 'mensaje_id'],
] as const;

/** Keys between these tables. A partition is dropped without a look at them: what refers to its rows goes in the same month. */
const FOREIGN_KEYS = [
  {
    table: 'mensaje_intentos',
    name: 'mensaje_intentos_mensaje_fkey',
    columns: 'mensaje_id',
    parent: 'mensajes',
    key: 'id',
  },
  {
    table: 'webhook_entregas',
    name: 'webhook_entregas_mensaje_fkey',
    columns: 'mensaje_id',
    parent: 'webhook_mensajes',
    key: 'id',
  },
  {
    table: 'webhook_intentos',
    name: 'webhook_intentos_entrega_fkey',
    columns: 'webhook_id, mensaje_id',
    parent: 'webhook_entregas',
    key: 'webhook_id, mensaje_id',
  },
];

/** The service may read and write rows alone; these let it make and drop partitions, and nothing else. */
const FUNCTIONS = [
  // The first id of a time: all made before it are smaller.
  `create function primer_id(momento timestamptz) returns uuid
  language sql stable strict set search_path = pg_catalog, pg_temp
  as $$ select (lpad(to_hex((extract(epoch from momento) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid $$`,

  // Of these tables alone: somebody may keep others of their own here. `hasta` is above all ids of the partition; null of the
  // one for rows that no other partition takes.
  `create function particiones() returns table (tabla text, particion text, hasta uuid)
  language sql stable set search_path = pg_catalog, pg_temp
  as $$
    select whole.relname, part.relname,
      substring(pg_get_expr(part.relpartbound, part.oid) from $re$ TO [(]'([0-9a-f-]{36})'[)]$re$)::uuid
    from pg_partitioned_table
      join pg_class whole on whole.oid = partrelid
      join pg_inherits on inhparent = partrelid
      join pg_class part on part.oid = inhrelid
    where whole.relnamespace = 'public'::regnamespace
      and whole.relname in (${DIVIDED.map(([table]) => `'${table}'`).join(', ')})
  $$`,

  // Of a table and the first day of a month. Waits for no lock for long: others would wait behind it.
  `create function crear_particion(de text, mes date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms'
  as $$
  declare
    desde timestamptz := date_trunc('month', mes::timestamp) at time zone 'UTC';
  begin
    if not exists (select from public.particiones() where tabla = de) then
      raise exception '% has no partitions', de;
    end if;
    perform pg_advisory_xact_lock(hashtext('particiones'));
    execute format('create table if not exists public.%I partition of public.%I for values from (%L) to (%L)',
      de || to_char(mes, '_YYYY_MM'), de, public.primer_id(desde),
      public.primer_id((date_trunc('month', mes::timestamp) + interval '1 month') at time zone 'UTC'));
  end
  $$`,

  // Does nothing if it is gone. Only one whose rows are all older than 30 days, whoever asks.
  `create function soltar_particion(nombre text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set lock_timeout = '250ms'
  as $$
  begin
    perform pg_advisory_xact_lock(hashtext('particiones'));
    if to_regclass(format('public.%I', nombre)) is null then
      return;
    end if;
    if not exists (
      select from public.particiones()
      where particion = nombre and hasta <= public.primer_id(now() - interval '30 days')
    ) then
      raise exception '% is no partition of old rows', nombre;
    end if;
    execute format('drop table public.%I', nombre);
  end
  $$`,
  'revoke execute on function crear_particion, soltar_particion from public',
];

/**
 * Divides what is written about messages and webhooks by month, so that a month goes at once when it is old: deleting
 * its rows one by one costs as much as writing them. What there is stays where it is, as the first partition.
 */
export class Particiones1795570000000 implements MigrationInterface {
  name = 'Particiones1795570000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const { table, name } of FOREIGN_KEYS)
      await runner.query(`alter table ${table} drop constraint ${name}`);
    for (const statement of FUNCTIONS) await runner.query(statement);
    // A week ahead at least, so that a worker has the time to make the months that follow.
    const [{ first }] = (await runner.query(`select primer_id(
      date_trunc('month', now() at time zone 'UTC' + interval '1 month 7 days') at time zone 'UTC') as first`)) as [
      { first: string },
    ];
    for (const [table, id] of DIVIDED) await divide(runner, table, id, first);
    // Rows of these two are deleted one by one; in months nothing is looked for by this id alone.
    for (const part of ['inicio', 'resto'])
      await runner.query(
        `create index webhook_intentos_${part}_mensaje_idx on webhook_intentos_${part} (mensaje_id)`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table] of DIVIDED) await unite(runner, table);
    await runner.query('drop function soltar_particion, crear_particion, particiones, primer_id');
    for (const { table, name, columns, parent, key } of FOREIGN_KEYS) {
      await runner.query(`delete from ${table} where (${columns}) not in (select ${key} from ${parent})`);
      await runner.query(
        `alter table ${table} add constraint ${name} foreign key (${columns})
          references ${parent} (${key}) on delete cascade`,
      );
    }
  }
}

async function divide(runner: QueryRunner, table: string, id: string, until: string): Promise<void> {
  const parts = await partsOf(runner, table);
  const first = `${table}_inicio`;
  await runner.query(`alter table ${table} rename to ${first}`);
  await runner.query(`alter table ${first} rename constraint ${table}_pkey to ${first}_pkey`);
  for (const { name } of parts.indexes)
    await runner.query(`alter index ${name} rename to ${name.replace(table, first)}`);
  await runner.query(
    `create table ${table} (like ${first} including defaults including constraints) partition by range (${id})`,
  );
  await runner.query(`create table ${table}_resto partition of ${table} default`);
  await addParts(runner, table, parts);
  // Rows of a clock that was far ahead.
  await runner.query(
    `with ahead as (delete from ${first} where ${id} >= '${until}' returning *) insert into ${table} select * from ahead`,
  );
  // Its own keys and indexes become parts of these.
  await runner.query(
    `alter table ${table} attach partition ${first} for values from (minvalue) to ('${until}')`,
  );
}

async function unite(runner: QueryRunner, table: string): Promise<void> {
  const parts = await partsOf(runner, table);
  await runner.query(`create table ${table}_entera (like ${table} including defaults including constraints)`);
  await runner.query(`insert into ${table}_entera select * from ${table}`);
  await runner.query(`drop table ${table}`);
  await runner.query(`alter table ${table}_entera rename to ${table}`);
  await addParts(runner, table, parts);
}

interface Named {
  name: string;
  definition: string;
}

/** What `create table (like …)` leaves out, or gives names of its own. */
interface Parts {
  /** Primary and foreign keys. */
  keys: Named[];
  /** Without the primary key's. */
  indexes: Named[];
}

async function partsOf(runner: QueryRunner, table: string): Promise<Parts> {
  const keys = `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
    where conrelid = $1::regclass and contype in ('p', 'f') and conparentid = 0`;
  const indexes = `select c.relname as name, replace(pg_get_indexdef(c.oid), ' ON ONLY ', ' ON ') as definition
    from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = $1::regclass and not i.indisprimary`;
  return {
    keys: (await runner.query(keys, [table])) as Named[],
    indexes: (await runner.query(indexes, [table])) as Named[],
  };
}

async function addParts(runner: QueryRunner, table: string, { keys, indexes }: Parts): Promise<void> {
  for (const { name, definition } of keys)
    await runner.query(`alter table ${table} add constraint ${name} ${definition}`);
  for (const { definition } of indexes) await runner.query(definition);
}
