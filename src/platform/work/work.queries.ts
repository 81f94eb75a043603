import type { QueryConfig, QueryResultRow } from 'pg';
import { columnsOf } from '../database/columns-of.js';
import { LOWEST_ID } from '../database/row-id.js';
import type { WorkKind } from './work-kind.js';

/** s; the job of a row that has been due for longer may be lost. */
const OVERDUE_S = 20;

/** Below all values of a key's column. */
const LOWEST = { uuid: LOWEST_ID, text: '' };

const columnsOfKey = ({ key }: WorkKind): string[] => Object.keys(key);

/** SQL: `$1::uuid[], …` for each column of the key. */
const keyParameters = ({ key }: WorkKind): string =>
  Object.values(key)
    .map((type, n) => `$${n + 1}::${type}[]`)
    .join(', ');

/** SQL condition: `t` has the key of `other`. */
const hasKeyOf = (kind: WorkKind, other: string): string =>
  columnsOfKey(kind)
    .map((column) => `t.${column} = ${other}.${column}`)
    .join(' and ');

/**
 * A page of the rows with work that have been due for a while, the oldest first, of all queues of the kind.
 * @param last the last row of the page before.
 */
export function findOverdue(kind: WorkKind, last: QueryResultRow | undefined, limit: number): QueryConfig {
  const { table, key, hasWork, dueAt, isClaimed = 'false', columns } = kind;
  const order = [dueAt, ...columnsOfKey(kind)];
  const position = order.map((column) => `t.${column}`).join(', ');
  const after = ['timestamptz', ...Object.values(key)].map((type, n) => `$${n + 1}::${type}`).join(', ');
  const text = `select ${columns}, t.${dueAt}::text as ${dueAt} from ${table} t
    where ${hasWork} and not (${isClaimed}) and t.${dueAt} < now() - interval '${OVERDUE_S} seconds' and (${position}) > (${after})
    order by ${position} limit $${order.length + 1}`;
  const values: unknown[] = last
    ? order.map((column) => last[column] as unknown)
    : ['-infinity', ...Object.values(key).map((type) => LOWEST[type])];
  return { name: `${table}-overdue`, text, values: [...values, limit] };
}

/** Gives rows the next round, and so a new job; skips those that are done or got one meanwhile. Returns `columns`. */
export function startNextRound(kind: WorkKind, rows: QueryResultRow[]): QueryConfig {
  const { table, key, hasWork, columns } = kind;
  const names = columnsOfKey(kind);
  const text = `update ${table} t set ronda = t.ronda + 1
    from unnest(${keyParameters(kind)}, $${names.length + 1}::integer[]) as lost (${names.join(', ')}, ronda)
    where ${hasKeyOf(kind, 'lost')} and t.ronda = lost.ronda and ${hasWork}
    returning ${columns}`;
  return { name: `${table}-round`, text, values: columnsOf(rows, ...Object.keys(key), 'ronda') };
}

/** Rows of a kind, chosen by a person or a program. */
export interface Selection {
  /** SQL condition on `t`, with parameters from `$1` on. */
  readonly where: string;
  readonly values: readonly unknown[];
  /** The first of them by key. Default: all. */
  readonly limit?: number;
}

/**
 * Starts rows again, whatever state they are in: in a new round, due now. Returns `columns`. Without a name: a generic plan,
 * for any values, could read most of the table to find a few rows.
 */
export function startAgain(
  kind: WorkKind & { startAgain: string },
  { where, values, limit }: Selection,
): QueryConfig {
  const { table, dueAt, columns } = kind;
  const names = columnsOfKey(kind).map((column) => `t.${column}`);
  const text = `with chosen as (
      select ${names.join(', ')} from ${table} t where ${where}
      order by ${names.join(', ')}${limit === undefined ? '' : ` limit ${limit}`} for update
    )
    update ${table} t set ronda = t.ronda + 1, ${dueAt} = now(), ${kind.startAgain}
    from chosen where ${hasKeyOf(kind, 'chosen')}
    returning ${columns}`;
  return { text, values: [...values] };
}

/** The key of a job's row, and the round of the job; null if it is meant for any. */
export interface RowOfJob {
  readonly key: readonly string[];
  readonly ronda: number | null;
}

/** The positions, from 1, of jobs that need nobody: their row is done or gone, or has another job. */
export function findResolved(kind: WorkKind, jobs: readonly RowOfJob[]): QueryConfig {
  const { table, hasWork, needsPerson = hasWork } = kind;
  const names = columnsOfKey(kind);
  const text = `select job.n::int from unnest(${keyParameters(kind)}, $${names.length + 1}::integer[])
      with ordinality as job (${names.join(', ')}, ronda, n)
    where not exists (
      select from ${table} t where ${hasKeyOf(kind, 'job')} and t.ronda = coalesce(job.ronda, t.ronda) and (${needsPerson}))`;
  const keys = names.map((_, n) => jobs.map(({ key }) => key[n]));
  return { name: `${table}-resolved`, text, values: [...keys, jobs.map(({ ronda }) => ronda)] };
}
