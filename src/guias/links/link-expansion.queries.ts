import type { QueryConfig } from 'pg';
import { arrayLiteral } from '../../platform/database/array-literal.js';
import { columnsOf } from '../../platform/database/columns-of.js';
import { sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import type { Guia } from '../guia/guia.entity.js';
import type { Enlace } from './enlace.entity.js';
import type { EnlaceKey, EnlaceOfRound } from './links.queue.js';
import { LINKS } from './links.work.js';

/** A link that an event has set, and that is still to be read. */
export type SetLinkRow = Pick<Enlace, 'comercio_id' | 'guia_id' | 'lugar' | 'creado_en'>;

const SET_LINKS = `select g.comercio_id, g.id as guia_id, lugar, max(e.creado_en) as creado_en
  from guias g cross join unnest(g.enlaces_pendientes) lugar
  join eventos e on e.comercio_id = g.comercio_id and e.guia_id = g.id and e.id = any ($2)
  where g.id = any ($1) and g.enlaces_pendientes <> '{}'
    and (e.tipo = 'guia.creada' or lugar = 'destino' and e.datos->'campos' ? 'maps_url')
  group by g.comercio_id, g.id, lugar`;

/** The links of events that are still to be read, as `SetLinkRow`; a partial index holds only their guides. */
export function findSetLinks(eventos: readonly { guia_id: string; id: string }[]): QueryConfig {
  return {
    name: 'enlaces-set',
    text: SET_LINKS,
    values: columnsOf(eventos, 'guia_id', 'id').map(arrayLiteral),
  };
}

/** Records links that are due now. One that replaces an older link starts again; one that is recorded already stays as it is. */
export function recordEnlaces(links: SetLinkRow[]): QueryConfig {
  const types = { comercio_id: 'uuid', guia_id: 'uuid', lugar: 'text', creado_en: 'timestamptz' };
  return statement(sql`insert into enlaces as t (comercio_id, guia_id, lugar, creado_en, proximo_en)
    select comercio_id, guia_id, lugar, creado_en, now() from ${unnest(links, 'nuevo', types)}
    on conflict (comercio_id, guia_id, lugar) do update
    set ronda = t.ronda + 1, intentos = 0, creado_en = excluded.creado_en, proximo_en = now()
    where t.creado_en < excluded.creado_en`);
}

/** The rows of links, as `QueueableEnlace`. */
export function findEnlaces(links: SetLinkRow[]): QueryConfig {
  const text = `select ${LINKS.columns}
    from unnest($1::uuid[], $2::uuid[], $3::text[]) as l (comercio_id, guia_id, lugar)
    join enlaces t on t.comercio_id = l.comercio_id and t.guia_id = l.guia_id and t.lugar = l.lugar`;
  return { text, values: columnsOf(links, 'comercio_id', 'guia_id', 'lugar') };
}

export interface EnlaceRow
  extends
    Pick<Enlace, 'ronda' | 'intentos'>,
    Pick<Guia, 'enlaces_pendientes' | 'recogida_maps_url' | 'destino_maps_url'> {
  /** ms since the link was set. */
  edad_ms: number;
  pais: string;
}

const LOAD = `select t.ronda, t.intentos, extract(epoch from now() - t.creado_en)::float8 * 1000 as edad_ms,
    c.pais, g.enlaces_pendientes, g.recogida_maps_url, g.destino_maps_url
  from enlaces t
  join guias g on g.comercio_id = t.comercio_id and g.id = t.guia_id
  join comercios c on c.id = t.comercio_id
  where t.comercio_id = $1 and t.guia_id = $2 and t.lugar = $3`;

/** An `EnlaceRow`; no row once the link is read or given up. */
export function loadEnlace({ comercioId, guiaId, lugar }: EnlaceKey): QueryConfig {
  return { name: 'enlace-load', text: LOAD, values: [comercioId, guiaId, lugar] };
}

const ofRound = ({ comercioId, guiaId, lugar, ronda }: EnlaceOfRound) =>
  sql`where comercio_id = ${comercioId} and guia_id = ${guiaId} and lugar = ${lugar} and ronda = ${ronda}`;

/** Counts an attempt, and says when the next one is due. Does nothing in a later round. */
export function retryEnlace(enlace: EnlaceOfRound, inMs: number): QueryConfig {
  const retry = sql`update enlaces
    set intentos = intentos + 1, proximo_en = now() + ${inMs}::float8 * interval '1 millisecond' ${ofRound(enlace)}`;
  return statement(retry, { name: 'enlace-retry' });
}

/** Deletes a link that is read or given up. Does nothing in a later round: its own job looks again. */
export function finishEnlace(enlace: EnlaceOfRound): QueryConfig {
  return statement(sql`delete from enlaces ${ofRound(enlace)}`, { name: 'enlace-done' });
}
