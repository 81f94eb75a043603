import type { QueryConfig } from 'pg';
import { quoted } from '../../platform/database/quoted.js';
import { raw } from '../../platform/database/sql.js';
import { IS_UNDISPATCHED } from '../../platform/events/outbox.queries.js';
import { MOVE_TIPOS } from '../guia/standing-moves.js';
import { MAX_CORRECTIONS } from './confirmable.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { ofMerchant } from './guia-context.queries.js';

/** Whether a request `e` still asks for the destination of guide `g`: not one from before the confirmation. */
const ASKS = `(not g.direccion_confirmada or coalesce((e.datos->>'confirmada')::boolean, false))`;

/** SQL condition: message `m` has yet to be sent. */
const IS_UNSENT = `m.estado in ('pendiente', 'enviando', 'incierto')`;

/** SQL condition: there is a request `e`, with its message `m` if it has one, to the present phone of guide `g`. */
const isRequested = (which: string) => `exists (
    select from eventos e left join mensajes m on m.id = e.id
    where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
      and e.secuencia >= coalesce(g.telefono_secuencia, 0) and ${which})`;

const WAITING = `select ${isRequested(`${ASKS} and (${IS_UNSENT} or m.id is null and ${IS_UNDISPATCHED})`)} as espera,
    ${isRequested(IS_UNSENT)} as en_cola
  from guias g where comercio_id = $1 and id = $2`;

/** Requests to a guide's present phone that have not left yet. */
export interface WaitingRow {
  /** Asks for the destination as it is now, with its message or to be dispatched. */
  espera: boolean;
  /**
   * The message of one, which asks if the address is unconfirmed when it is sent. A request that is to be dispatched does not
   * count: the relay may have found the address confirmed. A newer request replaces it.
   */
  en_cola: boolean;
}

/** A `WaitingRow`. Run it after the guide was locked, so that it sees every message of the changes before. */
export function findWaitingRequest({
  comercio_id,
  id,
}: Pick<CurrentGuia, 'comercio_id' | 'id'>): QueryConfig {
  return { text: WAITING, values: [comercio_id, id] };
}

/**
 * SQL: when the recipient of guide `g` may correct it again: the `MAX_CORRECTIONS`th correction counted back is 24 hours old
 * then. Null while they may.
 */
export const CORRECTABLE_FROM = `(select e.creado_en + interval '24 hours' from eventos e
  where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.confirmada', 'guia.actualizada')
    and e.datos->>'correccion' = 'true' and e.creado_en > clock_timestamp() - interval '24 hours'
  order by e.creado_en desc offset ${MAX_CORRECTIONS - 1} limit 1)`;

/** SQL: the last note for the driver by the recipient of guide `g`; null if there is none. */
export const LAST_NOTA = `(select e.datos->>'nota' from eventos e
  where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.confirmada', 'guia.actualizada')
    and e.actor = 'destinatario' and e.datos->>'nota' is not null and e.datos->>'no_recibio' is null
  order by e.secuencia desc limit 1)`;

/** Days after a delivery in which its recipient may say that the parcel did not arrive. */
const REPORT_DAYS = 7;

/** SQL condition: guide `g` was delivered less than `REPORT_DAYS` ago. */
export const IS_REPORTABLE = `(g.estado = 'entregado'
  and coalesce(g.estado_en, g.actualizada_en) > clock_timestamp() - interval '${REPORT_DAYS} days')`;

/**
 * SQL condition: the recipient of guide `g` has said that its last delivery did not arrive. Earlier versions recorded it as a
 * change.
 */
export const IS_REPORTED = `exists (select from eventos e
  where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and (e.tipo = 'guia.destinatario_no_recibio' or e.tipo = 'guia.actualizada' and e.datos->>'no_recibio' = 'true') and e.secuencia > coalesce((select max(m.secuencia) from eventos m
      where m.comercio_id = g.comercio_id and m.guia_id = g.id and m.tipo in (${quoted(MOVE_TIPOS)})), 0))`;

/** Whether a recipient may say that the parcel did not arrive, and has said so. */
export interface ReportRow {
  reclamable: boolean;
  reclamada: boolean;
}

/** A `ReportRow`, of guide `g`. */
export const REPORT = raw(`${IS_REPORTABLE} as reclamable, ${IS_REPORTED} as reclamada`);

/**
 * SQL condition: the recipient of guide `g` was asked about a destination that is known already, after a failed attempt or
 * by a person, and has not answered since.
 */
const IS_ASKED_AGAIN = `exists (select from eventos e
  where e.comercio_id = g.comercio_id and e.guia_id = g.id
    and (e.tipo = 'guia.estado_cambiado' and e.datos->>'estado' = 'intento_fallido'
      or e.tipo = 'guia.confirmacion_pedida' and (e.datos->>'confirmada')::boolean)
    and e.secuencia > coalesce((select max(r.secuencia) from eventos r
      where r.comercio_id = g.comercio_id and r.guia_id = g.id and r.actor = 'destinatario'
        and r.tipo in ('guia.confirmada', 'guia.actualizada')), 0))`;

/** Context of a recipient's answer, beside the guide itself. Times are ISO 8601. */
export interface AnswerContextRow {
  /** The merchant's country, ISO 3166. */
  pais: string;
  /** By the database's clock. */
  ahora: string;
  /** When the recipient may correct again; null while they may. */
  corregible_desde: string | null;
  /** The last note for the driver; null if there is none. */
  nota: string | null;
  /** Whether they were asked about the known destination, and have not answered since. */
  preguntada: boolean;
}

/** An `AnswerContextRow`, of guide `g`. */
export const ANSWER_CONTEXT = raw(`${ofMerchant('pais')} as pais, clock_timestamp()::timestamptz(3) as ahora,
  ${CORRECTABLE_FROM} as corregible_desde, ${LAST_NOTA} as nota, ${IS_ASKED_AGAIN} as preguntada`);
