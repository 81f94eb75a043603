import type { CustomTypesConfig, QueryConfig } from 'pg';
import type { Sql } from 'sql-template-tag';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/**
 * A statement written with the tag `sql`, for `Database` and `Run`. Each value in it is a parameter of its own, whose type
 * PostgreSQL takes from its place: write `${id}::uuid` where the place has none (`select ${id}`).
 * @param options.name prepares it once for each connection: only values may differ between calls, never the text.
 * @param options.types how values are read: `textTypes`, `exactTypes`.
 * @param options.once a value that is one parameter, of one type, wherever it occurs: a merchant whose tables are read together.
 */
export function statement(
  { strings, values }: Sql,
  { once, ...options }: { name?: string; types?: CustomTypesConfig; once?: string } = {},
): QueryConfig & { values: unknown[] } {
  const kept: unknown[] = [];
  const numbers = values.map((value) => {
    const before = value === once && value !== undefined ? kept.indexOf(value) : -1;
    return before < 0 ? kept.push(value) : before + 1;
  });
  const text = strings.reduce((head, part, i) => `${head}$${numbers[i - 1]}${part}`);
  return { ...options, text, values: kept };
}
