import type { QueryConfig } from 'pg';
import { quoted } from '../../../platform/database/quoted.js';
import { GUIA_ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../../../guias/guia/guia-estado.js';

/** Guides that are counted for a line; for more the page says "más de". */
export const MAX_GUIAS = 5_000;

export interface EstadoCount {
  estado: GuiaEstado;
  /** `MAX_GUIAS` + 1 for more, like `sin_confirmar`. */
  guias: number;
  /** Without a known destination, among the newest; 0 where it does not matter any more. */
  sin_confirmar: number;
}

/** Of an open state all columns are read, but of no more guides than are counted. */
const COUNTS = `select e.estado,
    (select count(*)::int from (
      select from guias where comercio_id = $1 and estado = e.estado order by id desc limit ${MAX_GUIAS + 1}
    ) g) as guias,
    case when e.estado in (${quoted(OPEN_ESTADOS)}) then (select (count(*) filter (where not direccion_confirmada))::int from (
      select direccion_confirmada from guias where comercio_id = $1 and estado = e.estado order by id desc limit ${MAX_GUIAS + 1}
    ) g) else 0 end as sin_confirmar
  from unnest($2::text[]) with ordinality as e (estado, n) order by e.n`;

/** In the usual order of the states. */
export function guiasByEstado(comercioId: string): QueryConfig {
  return { text: COUNTS, values: [comercioId, GUIA_ESTADOS] };
}
