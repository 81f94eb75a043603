// Fills tables with millions of rows within minutes.

/** Primary and unique keys, with their definitions. */
const KEYS = `select conrelid::regclass as relation, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('p', 'u')`;

const INDEXES = `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
  from pg_index where indrelid = any ($1::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`;

/**
 * Empties the tables, runs `load` without their keys and indexes, and creates these again. It all happens in
 * the transaction that emptied the tables, so that the server writes no WAL for it.
 */
export async function bulkLoad(client, tables, load) {
  await client.query(`begin; set local maintenance_work_mem = '256MB'; truncate ${tables.join(', ')}`);
  const keys = (await client.query(KEYS, [tables])).rows;
  const indexes = (await client.query(INDEXES, [tables])).rows;
  for (const { relation, name } of keys)
    await client.query(`alter table ${relation} drop constraint ${name}`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await load();
  for (const { relation, name, definition } of keys)
    await client.query(`alter table ${relation} add constraint ${name} ${definition}`);
  for (const { definition } of indexes) await client.query(definition);
  await client.query('commit');
  await client.query(`vacuum analyze ${tables.join(', ')}`);
}
