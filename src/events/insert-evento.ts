import type { QueryConfig } from 'pg';
import { traceparent } from '../tracing/spans.js';
import { isRelayed, type EventoActor, type EventoTipo } from './evento-tipo.js';

/** An event to be recorded in the transaction of its change. */
export interface NewEvento {
  comercio_id: string;
  /** Of `liquidacion.…` the settlement's id. */
  guia_id: string;
  /** UUID. */
  id: string;
  tipo: EventoTipo;
  actor: EventoActor;
  secuencia: number;
  /** ISO 8601; when it is recorded: now if absent. */
  creado_en?: string;
  /** Details; never a phone or an address. */
  datos?: Record<string, unknown>;
  /** ISO 8601; when it happened, if that was reported. */
  ocurrido_en?: string;
  operador_id?: string;
  ref?: string;
}

const INSERT = `with evento as (
  insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, ocurrido_en, operador_id, ref, datos, traza)
  values ($1, $2, $3, $4, $5, $6, coalesce($7::timestamptz, clock_timestamp()), $8, $9, $10, $11, $12)
  returning comercio_id, guia_id, id
)
insert into eventos_pendientes (comercio_id, guia_id, id) select comercio_id, guia_id, id from evento where $13`;

/** Records an event, and that it is to be dispatched if it has subscribers. */
export function insertEvento(evento: NewEvento): QueryConfig {
  return {
    name: 'evento-insert',
    text: INSERT,
    values: [
      evento.comercio_id,
      evento.guia_id,
      evento.id,
      evento.tipo,
      evento.actor,
      evento.secuencia,
      evento.creado_en,
      evento.ocurrido_en,
      evento.operador_id,
      evento.ref,
      evento.datos,
      traceparent(),
      isRelayed(evento.tipo),
    ],
  };
}
