type Query = <R extends Record<string, unknown>>(text: string) => Promise<R[]>;

/** Tables that are ours: not of extensions, no partitions, not TypeORM's list of migrations. */
const TABLES = `select c.oid, c.relname::text as name, pg_get_partkeydef(c.oid) as partitioned
  from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    and c.relname not in ('migraciones', 'typeorm_metadata')
  order by c.relname`;

const COLUMNS = `select a.attrelid as oid, concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
    case when a.attidentity <> '' then 'generated always as identity' end,
    case when a.attgenerated <> '' then 'generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
      else 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
    case when a.attnotnull then 'not null' end) as line
  from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attnum > 0 and not a.attisdropped order by a.attnum`;

const CONSTRAINTS = `select conrelid as oid, 'constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid) as line
  from pg_constraint where conrelid <> 0 and contype in ('p', 'u', 'f', 'c', 'x') and conparentid = 0
  order by position(contype::text in 'pucxf'), conname`;

const INDEXES = `select i.indrelid as oid, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') || ';' as line
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by c.relname`;

const TRIGGERS = `select tgrelid as oid, pg_get_triggerdef(oid) || ';' as line from pg_trigger
  where not tgisinternal and tgparentid = 0 order by tgname`;

/** What tables build on, in the order in which it can be made. */
const BEFORE = `
  select 1 as place, extname::text as name, 'create extension ' || extname || ';' as line from pg_extension where extname <> 'plpgsql'
  union all
  select 2, t.typname, concat_ws(' ', 'create domain', t.typname, 'as', format_type(t.typbasetype, t.typtypmod),
      string_agg('constraint ' || k.conname || ' ' || pg_get_constraintdef(k.oid), ' ' order by k.conname)) || ';'
    from pg_type t left join pg_constraint k on k.contypid = t.oid
    where t.typtype = 'd' and t.typnamespace = 'public'::regnamespace group by t.oid
  union all
  select 3, p.proname, rtrim(pg_get_functiondef(p.oid), E'\\n') || ';' from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.prokind = 'f'
      and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  order by 1, 2`;

interface Line extends Record<string, unknown> {
  oid: number;
  line: string;
}

/**
 * The whole schema of a migrated database, for readers: tables with their columns, constraints, indexes and triggers, as
 * PostgreSQL's catalog has them. Partitions are left out: how a table is divided stands at its end.
 */
export async function schemaSql(query: Query): Promise<string> {
  const linesOf = async (text: string) => {
    const all = await query<Line>(text);
    return (table: number) => all.filter(({ oid }) => oid === table).map(({ line }) => line);
  };
  const before = await query<Line>(BEFORE);
  const [columns, constraints] = [await linesOf(COLUMNS), await linesOf(CONSTRAINTS)];
  const [indexes, triggers] = [await linesOf(INDEXES), await linesOf(TRIGGERS)];
  const tables = await query<{ oid: number; name: string; partitioned: string | null }>(TABLES);
  const blocks = tables.map(({ oid, name, partitioned }) => {
    const inside = [...columns(oid), ...constraints(oid)].map((line) => `  ${line}`);
    const end = partitioned === null ? ');' : `) partition by ${partitioned};`;
    return [`create table ${name} (`, inside.join(',\n'), end, ...indexes(oid), ...triggers(oid)].join('\n');
  });
  return `${[before.map(({ line }) => line).join('\n\n'), ...blocks].join('\n\n')}\n`;
}
