import type { QueryConfig } from 'pg';
import { firstIdAt } from '../database/row-id.js';
import type { Retention } from './retention.js';

const DAY_MS = 86_400_000;

/** The lower bound of the ids that are kept. */
export function firstIdToKeep({ keepDays }: Retention): string {
  return firstIdAt(Date.now() - keepDays * DAY_MS);
}

/** Deletes, or empties, at most `limit` rows that are too old; skips locked rows. */
export function deleteExpired(rule: Retention, limit: number): QueryConfig {
  const { table, keepDays, by, where = 'true', clears } = rule;
  const action = clears === undefined ? `delete from ${table}` : `update ${table} set ${clears} = null`;
  const before = by.endsWith('id') ? firstIdToKeep(rule) : new Date(Date.now() - keepDays * DAY_MS);
  return {
    text: `${action} where ctid = any (array(
      select ctid from ${table} where ${by} < $1 and ${where} order by ${by} limit $2 for update skip locked))`,
    values: [before, limit],
  };
}

/** A row that has to stay, with an id in a range. @param below is not in the range. */
export function findRowToStay(
  { table, by, where = 'true' }: Retention,
  from: string,
  below: string,
): QueryConfig {
  const text = `select from ${table} where ${by} >= $1 and ${by} < $2 and not (${where}) limit 1`;
  return { text, values: [from, below] };
}
