import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import type { GuiaKey } from '../guia-key.js';

/** Minutes between a message that was sent and another that support asks for. */
export const RESEND_MINUTES = 2;

/** SQL: the requests `e` for the destination of guide `g` that go to its present phone, and their messages `m` so far. */
const REQUESTS = `eventos e left join mensajes m on m.id = e.id
  where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
    and e.secuencia >= coalesce(g.telefono_secuencia, 0)`;

/** SQL condition: the message of a request has yet to be sent. */
const WAITS = `(m.estado in ('pendiente', 'enviando', 'incierto') or m.id is null and e.despachado_en is null)`;

/** SQL condition: the message of a request was sent less than `RESEND_MINUTES` ago. */
const WAS_SENT = `(m.estado in ('aceptado', 'entregado', 'leido') and exists (
    select from mensaje_intentos i
    where i.mensaje_id = m.id and i.en > clock_timestamp() - interval '${RESEND_MINUTES} minutes'))`;

/** SQL condition: a message to the present phone of guide `g` has yet to be sent. */
const IS_WAITING = `exists (select from ${REQUESTS} and ${WAITS})`;

/** Messages to a guide's present phone that ask for its destination. */
export interface RequestsRow {
  /** One has yet to be sent. */
  espera: boolean;
  /** One was sent less than `RESEND_MINUTES` ago. */
  reciente: boolean;
}

/** A `RequestsRow`. Run it after the guide was locked, so that it sees every message of the changes before. */
export function findRequests({ comercioId, guiaId }: GuiaKey): QueryConfig {
  const text = `select ${IS_WAITING} as espera, exists (select from ${REQUESTS} and ${WAS_SENT}) as reciente
    from guias g where comercio_id = $1 and id = $2`;
  return { text, values: [comercioId, guiaId] };
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
