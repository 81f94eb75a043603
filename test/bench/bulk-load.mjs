// Fills tables with millions of rows in minutes.

/** Primary and unique keys, with what makes them again. */
const KEYS = `select conrelid::regclass as relation, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('p', 'u')`;

const INDEXES = `select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as definition
  from pg_index where indrelid = any ($1::regclass[])
    and not exists (select from pg_constraint where conindid = indexrelid)`;

/**
 * Empties the tables and runs `load` without their keys and indexes, which come back at once at the end. All in
 * the transaction that emptied them: the server then flushes files and writes no log.
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
