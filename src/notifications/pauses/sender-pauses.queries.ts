import type { QueryConfig } from 'pg';
import { sql, statement } from '../../platform/database/sql.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { textTypes } from '../../platform/database/text-types.js';
import type { Failure } from '../providers/messaging-provider.js';
import type { Pausa } from './pausa.entity.js';

/**
 * Records why a provider is paused; returns a row only if it was not paused for that reason already. A reported failure stays
 * one until a report ends it, and each moves `desde`.
 */
export function beginPause(proveedor: string, { code, message }: Failure, isReported: boolean): QueryConfig {
  return statement(sql`with nueva as (
      insert into pausas (proveedor, codigo, causa, desde, por_informe)
      values (${proveedor}, ${code}, ${message}, now(), ${isReported})
      on conflict (proveedor) do update
      set codigo = excluded.codigo, causa = excluded.causa, respuesta = null, prueba_en = null, prueba_id = null, responde_en = null,
        por_informe = pausas.por_informe or excluded.por_informe,
        desde = case when excluded.por_informe then excluded.desde else pausas.desde end
      where pausas.codigo <> excluded.codigo or excluded.por_informe > pausas.por_informe
      returning proveedor
    ), repetida as (
      update pausas set desde = now()
      where proveedor = ${proveedor} and ${isReported}::boolean and not exists (select from nueva)
    )
    select proveedor from nueva`);
}

/** Ends a provider's pause after it accepted a message; returns a row if there was one that this ends. */
export function endPauseOf(proveedor: string): QueryConfig {
  const text =
    'delete from pausas where proveedor = $1 and not por_informe and prueba_en is null returning proveedor';
  return { text, values: [proveedor] };
}

const END_REPORTED = `delete from pausas where proveedor = $1 and por_informe and desde < (
    select max(en) from mensaje_intentos where mensaje_id = $2 and resultado = 'aceptado')
  returning proveedor`;

/** Ends a provider's pause by report, if the message was accepted after its last report; returns a row if so. */
export function endReportedPause(proveedor: string, mensajeId: string): QueryConfig {
  return { text: END_REPORTED, values: [proveedor, mensajeId] };
}

export function findPause(proveedor: string): QueryConfig {
  return { text: 'select from pausas where proveedor = $1 and responde_en is null', values: [proveedor] };
}

export interface PausedSender extends TextRow<
  Pausa,
  'proveedor' | 'causa' | 'desde' | 'por_informe' | 'respuesta' | 'responde_en'
> {
  /** Whether it is an outage, which ends by itself. */
  es_caida: boolean;
  /** Messages that wait; as many as the limit of the query for that many or more. */
  esperan: number;
}

/**
 * @param proveedor the one in use: pauses of those used before no longer matter.
 * @param limit of the messages that are counted.
 */
export function pausedSenders(proveedor: string, limit: number): QueryConfig {
  const text = `select proveedor, causa, desde, por_informe, prueba_en is not null as es_caida, respuesta, responde_en, (select count(*)::int from (
      select from mensajes where estado in ('pendiente', 'enviando', 'incierto') limit ${limit}) m) as esperan
    from pausas where proveedor = $1`;
  return { text, values: [proveedor], types: textTypes };
}
