import type { QueryConfig } from 'pg';
import { firstIdAt } from '../database/row-id.js';
import type { Retention } from './retention.js';

const DAY_MS = 86_400_000;

/** Deletes, or empties, at most `limit` rows that are too old; rows that another process has locked are left to it. */
export function forget(
  { table, keepDays, by, where = 'true', clears }: Retention,
  limit: number,
): QueryConfig {
  const before = Date.now() - keepDays * DAY_MS;
  const action = clears === undefined ? `delete from ${table}` : `update ${table} set ${clears} = null`;
  return {
    text: `${action} where ctid = any (array(
      select ctid from ${table} where ${by} < $1 and ${where} order by ${by} limit $2 for update skip locked))`,
    values: [by === 'id' ? firstIdAt(before) : new Date(before), limit],
  };
}
