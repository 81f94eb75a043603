/** Guides that a list by change reads in its order before it searches for all those that match. */
const READ_IN_ORDER = 5_000;

/** Guides of all merchants that a list by change sorts; with more, it reads each merchant's in order. */
const FEW = 2_500;

/** The condition of the partial index of warnings: PostgreSQL uses it only for statements with the same condition. */
export const WITH_WARNING = `advertencias <> '{}'`;

/** Adds a value to a statement and returns its placeholder. */
export type Param = (value: unknown) => string;

/** A list as a statement of `pg`. */
export interface Statement {
  /** Of a common list alone; undefined for any other, which is planned anew each time. */
  name: string | undefined;
  text: string;
  values: unknown[];
}

/**
 * The lists that are prepared. A connection lives as long as the service, and PostgreSQL keeps a statement with a name as
 * long as the connection: with a name for each combination of filters, each connection would grow by megabytes.
 */
const PREPARED: ReadonlySet<string> = new Set([
  'guia-list',
  'guia-list-estado1',
  'guia-list-telefono',
  'guia-list-ref',
  'guia-list-guia',
  'guia-list-cambio',
  'guia-list-conf',
  'operador',
  'operador-guia',
  'operador-de',
  'operador-de-estado1',
  'operador-todos-estado1',
  'operador-todos-cambio',
]);

/** A statement while it is composed: its name lists its filters, its values are in the order of the placeholders. */
export class StatementDraft {
  private readonly nameParts: string[];
  private readonly values: unknown[] = [];

  constructor(name: string) {
    this.nameParts = [name];
  }

  readonly param: Param = (value) => `$${this.values.push(value)}`;

  readonly addToName = (part: string): void => {
    this.nameParts.push(part);
  };

  toStatement(text: string): Statement {
    const name = this.nameParts.join('-');
    return { name: PREPARED.has(name) ? name : undefined, text, values: this.values };
  }
}

export interface Conditions {
  /** An index finds the guides that match these. */
  indexed: string[];
  /** Where the page begins, in the order of the list. */
  start: string[];
  /** Checked on each guide that was found. */
  checked: string[];
  /** One condition: the state is any of those asked for. Empty if none was. */
  anyState: string[];
  /** One condition for each state asked for. */
  eachState: string[];
}

/** `order by …`, and the placeholder of the number of rows. */
interface Order {
  sort: string;
  limit: string;
}

const select = (columns: string, conditions: string[]) =>
  `select ${columns} from guias where ${conditions.join(' and ')}`;

export const oneRow = (columns: string, { indexed, start, checked, anyState }: Conditions) =>
  select(columns, [...indexed, ...start, ...checked, ...anyState]);

/** Each state has a page of its own, or the planner would read and sort all guides of several states. */
export function byState(
  columns: string,
  { indexed, start, checked, eachState }: Conditions,
  { sort, limit }: Order,
): string {
  const conditions = eachState.map((ofState) => [...indexed, ...start, ofState, ...checked]);
  const page = `${sort} limit ${limit}`;
  if (conditions.length === 1) return `${select(columns, conditions[0]!)} ${page}`;
  const pages = conditions.map((each) => `(${select('*', each)} ${page})`);
  return `select ${columns} from (${pages.join(' union all ')}) guias ${page}`;
}

/**
 * @param isFenced whether to keep the planner, which expects too few guides to match, from reading and sorting all of them
 *   for each page. It does not optimise across `offset 0`.
 */
export function inOrder(
  columns: string,
  { indexed, start, checked, anyState }: Conditions,
  { sort, limit }: Order,
  isFenced: boolean,
): string {
  const read = [...indexed, ...start];
  const all = [...checked, ...anyState];
  const page = `${sort} limit ${limit}`;
  if (!isFenced || all.length === 0) return `${select(columns, [...read, ...all])} ${page}`;
  return `select ${columns} from (${select('*', read)} ${sort} offset 0) guias where ${all.join(' and ')} ${page}`;
}

/**
 * Reads `READ_IN_ORDER` guides in the order of the list. If too few of them match and there are more, reads all that match,
 * by indexes of their own.
 */
export function inTwoSteps(
  columns: string,
  { indexed, start, checked, anyState, eachState }: Conditions,
  { sort, limit }: Order,
  hasWarning: boolean,
): string {
  const fromStart = [...indexed, ...start];
  const matching = matchingOf([...indexed, ...checked], eachState, hasWarning).join(' union all ');
  return `with found as materialized (
      select * from (${select('*', fromStart)} ${sort} limit ${READ_IN_ORDER}) read
      where ${[...checked, ...anyState].join(' and ')} ${sort} limit ${limit}
    ), rest as materialized (
      ${select('actualizada_en, id', fromStart)} ${sort} offset ${READ_IN_ORDER} limit 1
    )
    select ${columns} from (
      select * from found
      union all
      select * from (${matching} offset 0) matching
      where (select count(*) from found) < ${limit} and exists (select from rest)
        and (actualizada_en, id) >= (select actualizada_en, id from rest)
    ) guias ${sort} limit ${limit}`;
}

/** All guides that match, by the indexes of states or of warnings: a statement for each state. */
function matchingOf(conditions: string[], eachState: string[], hasWarning: boolean): string[] {
  const matched = hasWarning ? [...conditions, WITH_WARNING] : conditions;
  const parts = eachState.length > 0 ? eachState.map((ofState) => [...matched, ofState]) : [matched];
  return parts.map((part) => select('*', part));
}

/**
 * Merges the pages of the merchants whose first guides come first.
 * @param own the page of merchant `c`. @param first order and limit of the guides `p`.
 */
export function mergePages(own: string, merchants: string, first: string): string {
  // A merchant whose first guide is not among the first of all has none on this page.
  const leading = `select c.id from comercios c cross join lateral (select * from (${own}) own limit 1) p
    where c.${merchants} ${first}`;
  return `select p.* from (${leading}) c cross join lateral (${own}) p ${first}`;
}

/** The list by change of all merchants: sorts the guides that match if these are few, else merges `pages`. */
export function fewOfAll(
  columns: string,
  { indexed, start, checked, anyState, eachState }: Conditions,
  { sort, limit }: Order,
  { hasWarning, merchants, pages }: { hasWarning: boolean; merchants: string; pages: string },
): string {
  // In order and limited, or the planner would expect to find these soon in any order, and read the whole table.
  const matching = matchingOf(indexed, eachState, hasWarning).map(
    (text) => `(${text} order by id desc limit ${FEW + 1})`,
  );
  return `with few as materialized (
      select m.* from comercios c cross join lateral (${matching.join(' union all ')}) m
      where c.${merchants} limit ${FEW + 1}
    )
    (select ${columns} from few
      where (select count(*) from few) <= ${FEW} and ${[...start, ...checked, ...anyState].join(' and ')}
      ${sort} limit ${limit})
    union all
    select * from (${pages}) page where (select count(*) from few) > ${FEW}`;
}
