import { check } from '../validation/fields.js';
import { QueryField } from '../validation/query.fields.js';

/** The query parameters of every list. */

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

/** Rows per page: an integer from 1 to 100. */
export function LimitField(what: string): PropertyDecorator {
  return QueryField(
    { description: `${what} por página.` },
    { type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
    check(
      'formato',
      (text: string) => /^-?(0|[1-9]\d*)$/.test(text),
      `Debe ser un entero entre 1 y ${MAX_LIMIT}.`,
    ),
    check(
      'fuera_de_rango',
      (text) => Number(text) >= 1 && Number(text) <= MAX_LIMIT,
      `Debe estar entre 1 y ${MAX_LIMIT}.`,
    ),
  );
}

export function CursorField(): PropertyDecorator {
  return QueryField(
    {
      description:
        '`siguiente_cursor` de la página anterior, tal cual y con los mismos filtros (`limit` puede cambiar). No vence.',
    },
    { type: String },
  );
}

/** Rows per page, given a valid `limit`. */
export function limitOf({ limit }: { limit?: string }): number {
  return limit === undefined ? DEFAULT_LIMIT : Number(limit);
}
