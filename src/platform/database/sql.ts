import type { CustomTypesConfig, QueryConfig } from 'pg';
import type { Sql } from 'sql-template-tag';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/**
 * A statement written with the tag `sql`, for `Database` and `Run`. Each value in it is a parameter of its own, whose type
 * PostgreSQL takes from its place: write `${id}::uuid` where the place has none (`select ${id}`).
 * @param options.name prepares it once for each connection: only values may differ between calls, never the text.
 * @param options.types how values are read: `textTypes`, `exactTypes`.
 */
export function statement(
  { text, values }: Sql,
  options: { name?: string; types?: CustomTypesConfig } = {},
): QueryConfig & { values: unknown[] } {
  return { ...options, text, values };
}
