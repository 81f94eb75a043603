import type { QueryConfig } from 'pg';
import { traceparent } from '../tracing/spans.js';
import { isRelayed, type EventoActor, type EventoTipo } from './evento-tipo.js';

/** An event to be recorded with its change. */
export interface NewEvento {
  /** UUID. */
  id: string;
  tipo: EventoTipo;
  actor: EventoActor;
  secuencia: number;
  /** Details; never a phone or an address. */
  datos?: Record<string, unknown>;
  /** ISO 8601; when it happened, if that was reported. */
  ocurrido_en?: string;
  operador_id?: string;
  ref?: string;
}

/** The columns of a `NewEvento` with their types. */
const RECORDED = {
  id: 'uuid',
  tipo: 'text',
  actor: 'text',
  secuencia: 'integer',
  datos: 'jsonb',
  ocurrido_en: 'timestamptz',
  operador_id: 'uuid',
  ref: 'text',
} satisfies Record<keyof NewEvento, string>;

const COLUMNS = Object.keys(RECORDED).join(', ');
const TYPED = Object.entries(RECORDED).map(([column, type]) => `${column} ${type}`);

/**
 * A statement that changes a guide or a settlement: it returns `comercio_id`, the id as `guia_id`, the time of the change as
 * `ahora`, and what its caller reads.
 */
export type Change = QueryConfig & { values: unknown[] };

/**
 * The statement of a change that also records what happened, and that it is to be dispatched where it has subscribers: one
 * round trip. Returns what the change returns; if there is no such row, nothing is recorded.
 */
export function recordEventos(change: Change, eventos: NewEvento[]): QueryConfig {
  const { text, values } = change;
  const [recorded, traza, relayed] = [1, 2, 3].map((n) => `$${values.length + n}`);
  return {
    ...change,
    text: `with cambio as (${text}),
      evento as (
        insert into eventos (comercio_id, guia_id, ${COLUMNS}, creado_en, traza)
        select cambio.comercio_id, cambio.guia_id, e.*, cambio.ahora, ${traza}
        from cambio, json_to_recordset(${recorded}::json) as e (${TYPED.join(', ')})
        returning comercio_id, guia_id, id
      ),
      pendiente as (
        insert into eventos_pendientes (comercio_id, guia_id, id)
        select comercio_id, guia_id, id from evento where id = any (${relayed})
      )
      select * from cambio`,
    values: [
      ...values,
      JSON.stringify(eventos),
      traceparent(),
      eventos.filter(({ tipo }) => isRelayed(tipo)).map(({ id }) => id),
    ],
  };
}
