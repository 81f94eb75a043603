import type { QueryConfig } from 'pg';
import { ofEachText } from '../guia/guia-fields.js';
import type { GuiaRow, NewGuia } from '../guia/guia-row.js';

export type GuiaInsert = NewGuia &
  Pick<GuiaRow, 'id' | 'guia' | 'estado' | 'creada_en'> & {
    comercio_id: string;
    de_prueba: boolean;
  };

/** W3C `traceparent` of the request that creates a guide, for its event; absent without tracing. */
export interface Traced {
  traza?: string;
}

const INSERTED = {
  comercio_id: 'uuid',
  id: 'uuid',
  guia: 'text',
  estado: 'text',
  creada_en: 'timestamptz',
  external_ref: 'text',
  destinatario: 'text',
  telefono: 'text',
  direccion: 'text',
  departamento: 'text',
  municipio: 'text',
  ...ofEachText(() => 'text'),
  cod_amount: 'numeric',
  direccion_confirmada: 'boolean',
  advertencias: 'text[]',
  destino_lat: 'float8',
  destino_lng: 'float8',
  destino_maps_url: 'text',
  recogida_lat: 'float8',
  recogida_lng: 'float8',
  recogida_maps_url: 'text',
  recogida_nombre: 'text',
  recogida_direccion: 'text',
  enlaces_pendientes: 'text[]',
  de_prueba: 'boolean',
} satisfies Record<keyof GuiaInsert, string>;

const COLUMNS = Object.keys(INSERTED).join(', ');

/** The existing guide of a repeated request, for its response and for the comparison. */
export type KeptGuia = Omit<GuiaInsert, 'advertencias' | 'comercio_id' | 'creada_en' | 'de_prueba'>;

/**
 * Outcome of one insert. Where the guide was not inserted, `conservada` is the existing guide with its `external_ref`; null if
 * that one was committed after the statement began.
 */
export interface InsertOutcome {
  id: string;
  insertada: boolean;
  /** Whether to wake the relay: a subscriber has something to do. */
  por_despachar: boolean;
  conservada: KeptGuia | null;
}

/** SQL: the endpoints of operators. Here because `webhooks` may import `guias`, not the reverse. */
export const OF_OPERATORS = 'webhooks where operador_id is not null and eliminado_en is null';

/**
 * An event has its guide's id. It is not to be dispatched if no subscriber has anything to do: no link to expand, no
 * recipient to ask, no endpoint of the merchant or of an operator to notify, and no merchant who asks for its messages.
 *
 * Scalar subqueries, not `exists`: PostgreSQL may answer `exists` from a hash of the whole table where it expects many rows.
 * A scalar subquery runs by index, once for each row, that of operators once for all. The existing guide is searched with `>=`
 * and `limit 1` because only the index of references has that order: for `=`, a planner without statistics may choose any
 * index of the merchant, and read all of its guides for each repeat.
 *
 * A closed merchant gets no guide, and its guides have no row. A statement that began before the closing does not see it: the
 * closing waits for it, and cancels its guides.
 *
 * The deadline is checked before the first row is written and again after the last: a statement that waited for a lock
 * beyond its deadline is rolled back.
 */
const insert = ({ isTraced }: { isTraced: boolean }) => `with entrada as (
  select * from json_to_recordset($1::json)
    as e(${Object.entries(INSERTED)
      .map(([column, type]) => `${column} ${type}`)
      .join(', ')}${isTraced ? ', traza text' : ''})
  where check_deadline($2) and (select cerrado_en is null from comercios where comercios.id = e.comercio_id)
), nueva as (
  insert into guias (${COLUMNS}, actualizada_en)
  select ${COLUMNS}, creada_en from entrada
  on conflict on constraint guias_external_ref_key do nothing
  returning comercio_id, id, creada_en, direccion_confirmada, enlaces_pendientes
), evento as (
  insert into eventos (comercio_id, guia_id, id, tipo, creado_en${isTraced ? ', traza' : ''})
  select comercio_id, id, id, 'guia.creada', creada_en${isTraced ? ', (select traza from entrada where entrada.id = nueva.id)' : ''}
  from nueva
  returning guia_id
), pendiente as (
  insert into eventos_pendientes (comercio_id, guia_id, id)
  select comercio_id, id, id from nueva
  where not direccion_confirmada or enlaces_pendientes <> '{}' or (
      select true from webhooks w
      where w.comercio_id = nueva.comercio_id and w.eliminado_en is null and 'guia.creada' = any (w.eventos) limit 1
    ) or (
      select true from ${OF_OPERATORS} and 'guia.creada' = any (eventos) limit 1
    ) or (
      select escucha_desde from comercios c where c.id = nueva.comercio_id
    ) is not null
  returning id
)
select e.id, evento.guia_id is not null as insertada, pendiente.id is not null as por_despachar,
  case when evento.guia_id is null then (
    select row_to_json(g) from (
      select ${COLUMNS} from guias
      where (comercio_id, external_ref) >= (e.comercio_id, e.external_ref)
      order by comercio_id, external_ref limit 1
    ) g where comercio_id = e.comercio_id and external_ref = e.external_ref
  ) end as conservada
from entrada e left join evento on evento.guia_id = e.id left join pendiente on pendiente.id = e.id
where check_deadline($2)`;

const INSERT = { name: 'guias-insert', text: insert({ isTraced: false }) };
/** A statement of its own, so that without tracing a create costs nothing more. */
const INSERT_TRACED = { name: 'guias-insert-traced', text: insert({ isTraced: true }) };

/**
 * Inserts guides and their events in one statement and one round trip; returns the stored guide in place of each whose
 * `external_ref` is taken. No row: its merchant is closed.
 * @param serverDeadlineMs on the server's clock, in milliseconds since 1970; after it nothing is written.
 */
export function insertGuias(guias: (GuiaInsert & Traced)[], serverDeadlineMs: number): QueryConfig {
  const statement = guias.some(({ traza }) => traza !== undefined) ? INSERT_TRACED : INSERT;
  return { ...statement, values: [JSON.stringify(guias), serverDeadlineMs] };
}
