import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import type { LockedGuia } from './guia-changes.queries.js';

/**
 * Whether a request `e` still asks for the destination of guide `g`: one that was made before the address was confirmed does
 * not, once it is.
 */
const ASKS = `(not g.direccion_confirmada or coalesce((e.datos->>'confirmada')::boolean, false))`;

const WAITING = `select exists (
    select from eventos e left join mensajes m on m.id = e.id
    where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
      and e.secuencia >= coalesce(g.telefono_secuencia, 0) and ${ASKS}
      and (m.estado in ('pendiente', 'enviando', 'incierto') or m.id is null and e.despachado_en is null)
  ) as espera
  from guias g where comercio_id = $1 and id = $2`;

/** Whether a message to a guide's present phone that asks for its destination has yet to be sent. */
export interface WaitingRow {
  espera: boolean;
}

/** A `WaitingRow`. Run it after the guide was locked, so that it sees every message of the changes before. */
export function findWaitingRequest({ comercio_id, id }: Pick<LockedGuia, 'comercio_id' | 'id'>): QueryConfig {
  return { text: WAITING, values: [comercio_id, id] };
}

/** The merchant's country, and the time. */
export interface AnswerContextRow {
  /** ISO 3166. */
  pais: string;
  /** ISO 8601, by the database's clock. */
  ahora: string;
}

/** An `AnswerContextRow`. */
export function findAnswerContext(comercioId: string): QueryConfig {
  const text = 'select pais, clock_timestamp()::timestamptz(3) as ahora from comercios where id = $1';
  return { name: 'answer-context', text, values: [comercioId], types: textTypes };
}
