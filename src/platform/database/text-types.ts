import pg from 'pg';

const TIMESTAMPTZ = pg.types.builtins.TIMESTAMPTZ;
const NUMERIC = pg.types.builtins.NUMERIC;

/** For a query's `types`: timestamps as ISO 8601 text made without `Date`, numerics as numbers. */
export const textTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) => {
    if (oid === (TIMESTAMPTZ as number)) return toIso;
    if (oid === (NUMERIC as number)) return Number;
    return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
  },
};

/** Like `textTypes`, with numerics as the text that PostgreSQL writes. */
export const exactTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary'): ((value: string) => unknown) =>
    oid === (NUMERIC as number) ? keep : textTypes.getTypeParser(oid, format),
};

const keep = (value: string) => value;

/** For a query's `types`: every value as PostgreSQL writes it. */
export const unparsed = { getTypeParser: () => keep };

/** SQL that formats a time as ISO 8601, for values inside JSON, which `types` do not reach. */
export const asIso = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** `2026-11-21 15:04:05.12+00` → `2026-11-21T15:04:05.120Z`. The connection's time zone is UTC. */
export function toIso(text: string): string {
  if (!text.endsWith('+00')) return new Date(text).toISOString();
  const fraction = text.slice(20, -3).padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}
