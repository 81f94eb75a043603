import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { arrayLiteral } from '../../database/array-literal.js';
import { quoted } from '../../database/quoted.js';
import { LOWEST_ID } from '../../database/row-id.js';
import { recordEvento } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import type { GuiaKey } from '../guia-key.js';
import { IS_WAITING, OTHER_ADVERTENCIAS } from '../changes/guia-confirmations.queries.js';
import { TOUCH, touch } from '../changes/guia-version.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import { OPEN_ESTADOS } from '../guia-estado.js';
import type { Lugar } from '../guia-row.js';
import type { EnlaceFalla } from './link-failures.js';
import type { PendingEnlace } from './links.queue.js';

/** A guide with its links that have not been expanded. */
export interface PendingRow {
  guia: string;
  pais: string;
  creada_en: Date;
  /** When the destination's link was set. */
  destino_desde: Date;
  enlaces_pendientes: Lugar[];
  recogida_maps_url: string | null;
  destino_maps_url: string | null;
}

/** SQL of a column of the last change of guide `g` that set a destination's link still to be expanded; null if none did. */
const lastLinkEvento = (column: string) => `(select e.${column} from eventos e
    where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo = 'guia.actualizada' and e.datos->'campos' ? 'maps_url'
      and 'destino' = any (g.enlaces_pendientes)
    order by e.secuencia desc limit 1)`;

/** `guia.creada` has its guide's id. */
const ENLACE = `select g.comercio_id as "comercioId", g.id as "guiaId", g.guia,
    coalesce(${lastLinkEvento('id')}, g.id) as "eventoId"
  from guias g`;

const JOBS = `${ENLACE} where g.id = any ($1) and g.enlaces_pendientes <> '{}'`;

const OVERDUE = `${ENLACE}
  where g.enlaces_pendientes <> '{}' and g.id > $1
    and coalesce(${lastLinkEvento('creado_en')}, g.creada_en) < now() - interval '1 minute'
  order by g.id limit $2`;

const PENDING = `select g.guia, c.pais, g.creada_en, g.enlaces_pendientes,
    coalesce(${lastLinkEvento('creado_en')}, g.creada_en) as destino_desde, g.recogida_maps_url, g.destino_maps_url
  from guias g join comercios c on c.id = g.comercio_id
  where g.comercio_id = $1 and g.id = $2`;

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

/** Those of the guides that have pending links; a partial index holds only these. */
export function findEnlaceJobs(guiaIds: string[]): QueryConfig {
  return { name: 'enlaces-jobs', text: JOBS, values: [arrayLiteral(guiaIds)] };
}

/** The guides with links that have been pending for a minute, after `last`. */
export function findOverdueEnlaces(last: PendingEnlace | undefined, limit: number): QueryConfig {
  return { name: 'enlaces-overdue', text: OVERDUE, values: [last?.guiaId ?? LOWEST_ID, limit] };
}

/** A `PendingRow`. */
export function findPendingLinks({ comercioId, guiaId }: GuiaKey): QueryConfig {
  return { name: 'enlaces-load', text: PENDING, values: [comercioId, guiaId] };
}

/** A place of a guide and the link that was asked about: a destination that has another one by now is left alone. */
export interface AskedLink extends GuiaKey {
  lugar: Lugar;
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
