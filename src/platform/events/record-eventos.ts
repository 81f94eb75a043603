import type { CustomTypesConfig, QueryConfig } from 'pg';
import { empty, join, raw, sql, statement, type Sql } from '../database/sql.js';
import { traceparent } from '../tracing/spans.js';
import { isRelayed, type EventoActor, type EventoTipo } from './evento-tipo.js';

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

/** A statement that changes a guide or a settlement, and records it. */
export interface Change {
  /** Prepares it: only values may differ between calls. */
  name?: string;
  types: CustomTypesConfig;
  /** Returns `comercio_id`, the id as `guia_id`, the time of the change as `ahora`, and what its caller reads. */
  sql: Sql;
  /**
   * Further writes, by name. They run also where nothing is changed, and see rows as they were: so they take all from `cambio`,
   * what `sql` returns.
   */
  also?: readonly [name: string, Sql][];
}

/**
 * The statement of a change that also records what happened, and that it is to be dispatched where it has subscribers: one
 * round trip. Returns what the change returns; if there is no such row, nothing is recorded.
 */
export function recordEventos(
  { sql: change, also = [], ...options }: Change,
  eventos: NewEvento[],
): QueryConfig {
  const relayed = eventos.filter(({ tipo }) => isRelayed(tipo)).map(({ id }) => id);
  const text = sql`with cambio as (${change}),
      evento as (
        insert into eventos (comercio_id, guia_id, ${raw(COLUMNS)}, creado_en, traza)
        select cambio.comercio_id, cambio.guia_id, e.*, cambio.ahora, ${traceparent()}
        from cambio, json_to_recordset(${JSON.stringify(eventos)}::json) as e (${raw(TYPED.join(', '))})
        returning comercio_id, guia_id, id
      ),
      pendiente as (
        insert into eventos_pendientes (comercio_id, guia_id, id)
        select comercio_id, guia_id, id from evento where id = any (${relayed})
      )${join([empty, ...also.map(([name, other]) => sql`${raw(name)} as (${other})`)], ', ')}
      select * from cambio`;
  return statement(text, options);
}
