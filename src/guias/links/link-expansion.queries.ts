import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { arrayLiteral } from '../../database/array-literal.js';
import { columnsOf } from '../../database/columns-of.js';
import { quoted } from '../../database/quoted.js';
import { recordEvento } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import { IS_WAITING, OTHER_ADVERTENCIAS } from '../changes/guia-confirmations.queries.js';
import { TOUCH, touch } from '../changes/guia-version.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import type { Lugar } from '../guia-row.js';
import type { EnlaceFalla } from './link-failures.js';
import type { EnlaceKey, EnlaceOfRound } from './links.queue.js';
import { LINKS } from './links.work.js';

/** A link that an event has set, and that is still to be read. */
export interface SetLinkRow {
  comercio_id: string;
  guia_id: string;
  lugar: Lugar;
  /** When it was set. */
  creado_en: Date;
}

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

const RECORD = `insert into enlaces as t (comercio_id, guia_id, lugar, creado_en, proximo_en)
  select comercio_id, guia_id, lugar, creado_en, now()
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[]) as nuevo (comercio_id, guia_id, lugar, creado_en)
  on conflict (comercio_id, guia_id, lugar) do update
  set ronda = t.ronda + 1, intentos = 0, creado_en = excluded.creado_en, proximo_en = now()
  where t.creado_en < excluded.creado_en`;

/** Records links that are due now. One that replaces an older link starts again; one that is recorded already stays as it is. */
export function recordEnlaces(links: SetLinkRow[]): QueryConfig {
  return { text: RECORD, values: columnsOf(links, 'comercio_id', 'guia_id', 'lugar', 'creado_en') };
}

/** The rows of links, as `QueueableEnlace`. */
export function findEnlaces(links: SetLinkRow[]): QueryConfig {
  const text = `select ${LINKS.columns}
    from unnest($1::uuid[], $2::uuid[], $3::text[]) as l (comercio_id, guia_id, lugar)
    join enlaces t on t.comercio_id = l.comercio_id and t.guia_id = l.guia_id and t.lugar = l.lugar`;
  return { text, values: columnsOf(links, 'comercio_id', 'guia_id', 'lugar') };
}

/** A link to be read, and its guide. */
export interface EnlaceRow {
  ronda: number;
  intentos: number;
  /** ms since the link was set. */
  edad_ms: number;
  pais: string;
  enlaces_pendientes: Lugar[];
  recogida_maps_url: string | null;
  destino_maps_url: string | null;
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

const OF_ROUND = 'where comercio_id = $1 and guia_id = $2 and lugar = $3 and ronda = $4';

/** Counts an attempt, and says when the next one is due. Does nothing in a later round. */
export function retryEnlace({ comercioId, guiaId, lugar, ronda }: EnlaceOfRound, inMs: number): QueryConfig {
  const text = `update enlaces set intentos = intentos + 1, proximo_en = now() + $5::float8 * interval '1 millisecond'
    ${OF_ROUND}`;
  return { name: 'enlace-retry', text, values: [comercioId, guiaId, lugar, ronda, inMs] };
}

/** Deletes a link that is read or given up. Does nothing in a later round: its own job looks again. */
export function finishEnlace({ comercioId, guiaId, lugar, ronda }: EnlaceOfRound): QueryConfig {
  return {
    name: 'enlace-done',
    text: `delete from enlaces ${OF_ROUND}`,
    values: [comercioId, guiaId, lugar, ronda],
  };
}

const SAVE_PICKUP = `with leida as (
  update guias set recogida_lat = $3, recogida_lng = $4, advertencias = advertencias || $5::text[],
    enlaces_pendientes = array_remove(enlaces_pendientes, 'recogida'), ${TOUCH}
  where comercio_id = $1 and id = $2 and 'recogida' = any (enlaces_pendientes)
  returning comercio_id, id, version
)
${recordEvento({
  from: 'leida',
  id: '$6::uuid',
  tipo: 'guia.enlace_leido',
  actor: 'sistema',
  datos: `'{"lugar":"recogida"}'::jsonb`,
})}`;

/** SQL condition: the destination still has the link that was asked about. @param enlace parameter of the link. */
const hasLink = (enlace: string) =>
  `comercio_id = $1 and id = $2 and 'destino' = any (enlaces_pendientes) and destino_maps_url = ${enlace}::text`;

/** The guide whose destination is decided. @param column SQL of what counts of it as it was. */
const before = (enlace: string, column: string) => `antes as (
  select comercio_id as comercio, id as guia_id, ${column} from guias g where ${hasLink(enlace)} for update
)`;

/** Its recipient has been asked meanwhile. */
const FUE_PEDIDA = 'not direccion_confirmada as fue_pedida';

/** Its recipient is to be asked: the address counted as confirmed, and no message waits that asks. */
const SE_PIDE = `direccion_confirmada and estado in (${quoted(OPEN_ESTADOS)}) and not ${IS_WAITING} as se_pide`;

const settleDestination = (set: string, versions: string) => `update guias set ${set},
    enlaces_pendientes = array_remove(enlaces_pendientes, 'destino'), ${touch(versions)}
  from antes where comercio_id = comercio and id = guia_id
  returning comercio_id, id, version, antes.*`;

const CONFIRMED = `direccion_confirmada = true, advertencias = ${OTHER_ADVERTENCIAS}`;

const SAVE_DESTINATION = `with ${before('$9', FUE_PEDIDA)}, leida as (
  ${settleDestination(`destino_lat = $3, destino_lng = $4, ${CONFIRMED} || $5::text[]`, '1 + fue_pedida::int')}
), historia as (
  ${recordEvento({
    from: 'leida',
    id: '$6::uuid',
    tipo: 'guia.enlace_leido',
    actor: 'sistema',
    datos: `'{"lugar":"destino"}'::jsonb`,
    secuencia: 'version - fue_pedida::int',
  })}
)
${recordEvento({
  from: 'leida',
  id: '$7::uuid',
  tipo: 'guia.confirmada',
  actor: 'sistema',
  traza: '$8::text',
  where: 'fue_pedida',
})}`;

const FAIL_PICKUP = `with fallida as (
  update guias set advertencias = array_append(advertencias, 'recogida_sin_coordenadas'),
    enlaces_pendientes = array_remove(enlaces_pendientes, 'recogida'), ${TOUCH}
  where comercio_id = $1 and id = $2 and 'recogida' = any (enlaces_pendientes)
  returning comercio_id, id, version
)
${recordEvento({
  from: 'fallida',
  id: '$3::uuid',
  tipo: 'guia.enlace_fallido',
  actor: 'sistema',
  datos: '$4::jsonb',
})}`;

/** The destination becomes unconfirmed and, unless already done or still to be done, the recipient is asked for it. */
const FAIL_DESTINATION = `with ${before('$7', SE_PIDE)}, fallida as (
  ${settleDestination(
    `advertencias = array_append(advertencias, 'destino_sin_coordenadas'), direccion_confirmada = false`,
    '1 + se_pide::int',
  )}
), historia as (
  ${recordEvento({
    from: 'fallida',
    id: '$3::uuid',
    tipo: 'guia.enlace_fallido',
    actor: 'sistema',
    datos: '$4::jsonb',
    secuencia: 'version - se_pide::int',
  })}
)
${recordEvento({
  from: 'fallida',
  id: '$5::uuid',
  tipo: 'guia.confirmacion_pedida',
  actor: 'sistema',
  traza: '$6::text',
  where: 'se_pide',
})}`;

/** A destination that is a place without coordinates counts as confirmed, as it does when a guide is created. */
const SAVE_PLACE = `with ${before('$5', FUE_PEDIDA)}, leida as (
  ${settleDestination(CONFIRMED, '1')}
)
${recordEvento({
  from: 'leida',
  id: '$3::uuid',
  tipo: 'guia.confirmada',
  actor: 'sistema',
  traza: '$4::text',
  where: 'fue_pedida',
})}`;

/** The address becomes unconfirmed, so that a message that waits asks; without one, another is asked for. */
const ASK_MEANWHILE = `with pedida as (
  update guias g set direccion_confirmada = false, ${TOUCH}
  where ${hasLink('$5')} and direccion_confirmada and estado in (${quoted(OPEN_ESTADOS)})
  returning comercio_id, id, version, ${IS_WAITING} as espera
)
${recordEvento({
  from: 'pedida',
  id: '$3::uuid',
  tipo: 'guia.confirmacion_pedida',
  actor: 'sistema',
  traza: '$4::text',
  where: 'not espera',
})}`;

/** A place of a guide and the link that was asked about: a destination that has another one by now is left alone. */
export interface AskedLink extends EnlaceKey {
  enlace: string;
}

/** Sets the coordinates of a place. A destination counts as confirmed from then on, also if its recipient was asked. */
export function saveLinkPoint(
  { comercioId, guiaId, lugar, enlace }: AskedLink,
  { lat, lng, advertencias }: { lat: number; lng: number; advertencias: GuiaAdvertencia[] },
): QueryConfig {
  const values = [comercioId, guiaId, lat, lng, advertencias, v7()];
  return lugar === 'recogida'
    ? { text: SAVE_PICKUP, values }
    : { text: SAVE_DESTINATION, values: [...values, v7(), traceparent(), enlace] };
}

export function saveDestinationPlace({ comercioId, guiaId, enlace }: AskedLink): QueryConfig {
  return { text: SAVE_PLACE, values: [comercioId, guiaId, v7(), traceparent(), enlace] };
}

/** Asks the recipient of a destination whose link is still being read, once. */
export function askMeanwhile({ comercioId, guiaId, enlace }: AskedLink): QueryConfig {
  return { text: ASK_MEANWHILE, values: [comercioId, guiaId, v7(), traceparent(), enlace] };
}

/** Gives up on a link, with a warning and an event that says why. */
export function failLink({ comercioId, guiaId, lugar, enlace }: AskedLink, motivo: EnlaceFalla): QueryConfig {
  const values = [comercioId, guiaId, v7(), { lugar, motivo }];
  return lugar === 'recogida'
    ? { text: FAIL_PICKUP, values }
    : { text: FAIL_DESTINATION, values: [...values, v7(), traceparent(), enlace] };
}
