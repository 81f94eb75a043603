import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import type { GuiaEstado } from '../../guias/guia-estado.js';
import { LISTED } from '../../guias/guia-row.js';

/** Guides that are counted for a day; for more the page says "más de". */
export const MAX_OF_DAY = 20_000;

/** Guides that came to their state at this time or later: an index has the guides that changed since then. */
const CAME = `comercio_id = $1 and actualizada_en >= $2 and coalesce(estado_en, creada_en) >= $2`;

/** How many guides came to each state since a time. */
export function countsOfDay(comercioId: string, since: Date): QueryConfig {
  const text = `select estado, count(*)::int as guias from (
      select estado from guias where ${CAME} limit ${MAX_OF_DAY + 1}
    ) g group by estado`;
  return { text, values: [comercioId, since] };
}

/** The guides that came to a state since a time, the last to change first. */
export function guiasOfDay(
  comercioId: string,
  since: Date,
  estado: GuiaEstado,
  { rows, offset }: { rows: number; offset: number },
): QueryConfig {
  const text = `select ${LISTED.join(', ')} from guias where ${CAME} and estado = $3
    order by actualizada_en desc, id desc limit $4 offset $5`;
  return { text, values: [comercioId, since, estado, rows, offset], types: textTypes };
}

/** The guides with these keys, in the order of the keys. */
export function guiasById(comercioId: string, ids: string[]): QueryConfig {
  const text = `select ${LISTED.join(', ')} from guias where comercio_id = $1 and id = any ($2::uuid[])
    order by array_position($2::uuid[], id)`;
  return { text, values: [comercioId, ids], types: textTypes };
}
