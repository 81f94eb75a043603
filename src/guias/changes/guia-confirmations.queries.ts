import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { quoted } from '../../database/quoted.js';
import type { EventoActor } from '../../events/evento-tipo.js';
import { recordEvento } from '../../events/record-evento.js';
import { traceparent } from '../../tracing/spans.js';
import { DESTINO_ADVERTENCIAS, type GuiaAdvertencia } from '../guia-advertencia.js';
import { FINAL_ESTADOS, OPEN_ESTADOS } from '../guia-estado.js';
import type { GuiaKey } from '../guia-key.js';
import { TOUCH } from './guia-version.js';

/** Minutes in which a recipient may correct a confirmation. */
export const CORRECTION_MINUTES = 15;

/** A guide whose recipient has answered. */
export interface AnsweredGuia extends GuiaKey {
  /**
   * `secuencia` of the event that last changed the recipient's phone, as read with the answer; null if the
   * phone never changed.
   */
  telefonoSecuencia: number | null;
}

export interface ConfirmedPlace {
  lat: number;
  lng: number;
  /** The map link they sent, if any. */
  mapsUrl?: string;
  /** A landmark; replaces the stored one, which an empty text removes. */
  referencia?: string;
  /** The channel of the answer. */
  origen: 'pagina' | 'whatsapp' | 'sandbox';
  /** Metres, as reported by the device. */
  precision?: number;
}

/**
 * SQL condition: the recipient may confirm or correct the destination.
 * @param guias alias of the table.
 */
export function whereConfirmable(guias: string): string {
  return `${guias}.estado in (${quoted(OPEN_ESTADOS)}) and (not ${guias}.direccion_confirmada
    or ${guias}.confirmada_en > now() - interval '${CORRECTION_MINUTES} minutes')`;
}

/** SQL of a guide's warnings, without those that a known destination resolves. */
export const OTHER_ADVERTENCIAS = `array(
      select codigo from unnest(advertencias) codigo where codigo not in (${quoted(DESTINO_ADVERTENCIAS)}))`;

/** SQL condition: the guide has this place and landmark by its recipient already, who has not denied the parcel since. */
const REPEATS = `direccion_confirmada and destino_lat = $3 and destino_lng = $4
  and destino_maps_url is not distinct from $5::text and coalesce($6::text, referencia, '') = coalesce(referencia, '')
  and not 'destinatario_niega' = any (advertencias)`;

/**
 * The recipient's answer replaces a link that is still being expanded, and takes back a denial. A page that is sent again
 * changes nothing. The first part waits for answers that arrive at the same time, so that it sees what they saved.
 */
const CONFIRM = `with confirmable as (
  select comercio_id, id, confirmada_en as confirmada_antes_en, $11 and ${REPEATS} as es_repetida from guias
  where comercio_id = $1 and id = $2 and telefono_secuencia is not distinct from $10
    and ($11 or respuesta_id is null or respuesta_id < $7) and ${whereConfirmable('guias')}
  for no key update
), confirmada as (
  update guias set destino_lat = $3, destino_lng = $4, destino_maps_url = $5,
    referencia = nullif(coalesce($6, referencia), ''), respuesta_id = $7, direccion_confirmada = true,
    confirmada_en = coalesce(confirmada_en, now()),
    enlaces_pendientes = array_remove(enlaces_pendientes, 'destino'),
    advertencias = array_remove(${OTHER_ADVERTENCIAS}, 'destinatario_niega') || $9::text[],
    ${TOUCH}
  from confirmable
  where guias.comercio_id = confirmable.comercio_id and guias.id = confirmable.id and not es_repetida
  returning guias.comercio_id, guias.id, version, confirmada_en
), evento as (
  ${recordEvento({
    from: 'confirmada',
    id: '$7::uuid',
    tipo: 'guia.confirmada',
    actor: 'destinatario',
    datos: '$8::jsonb',
    traza: '$12::text',
  })}
)
select confirmada_en from confirmada
union all select confirmada_antes_en from confirmable where es_repetida`;

const DENY = `with negada as (
  update guias set advertencias = array_append(advertencias, 'destinatario_niega'), ${TOUCH}
  where comercio_id = $1 and id = $2 and telefono_secuencia is not distinct from $3
    and estado not in (${quoted(FINAL_ESTADOS)}) and not 'destinatario_niega' = any (advertencias)
  returning comercio_id, id, version
)
${recordEvento({ from: 'negada', id: '$4::uuid', tipo: 'guia.destinatario_niega', actor: 'destinatario', traza: '$5::text' })}`;

/** Minutes between a message that was sent and another that support asks for. */
export const RESEND_MINUTES = 2;

/** Why a recipient is not asked again. */
export type AskRefusal =
  /** Confirmed or closed: there is nothing to ask. */
  | 'cerrada'
  /** The recipient said that the parcel is not theirs. */
  | 'niega'
  /** A message to the guide's phone has yet to be sent. */
  | 'por_salir'
  /** One was sent less than `RESEND_MINUTES` ago. */
  | 'reciente';

/** SQL condition: guide `g` has a request `e`, or its message `m`, to its present phone that meets `condition`. */
const hasRequest = (condition: string) => `exists (
      select from eventos e left join mensajes m on m.id = e.id
      where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.tipo in ('guia.creada', 'guia.confirmacion_pedida')
        and e.secuencia >= coalesce(g.telefono_secuencia, 0) and ${condition})`;

/** SQL condition: a message to the present phone of guide `g` has yet to be sent. */
export const IS_WAITING = hasRequest(
  `(m.estado in ('pendiente', 'enviando', 'incierto') or m.id is null and e.despachado_en is null)`,
);

const IS_RECENT = hasRequest(`m.estado in ('aceptado', 'entregado', 'leido') and exists (
        select from mensaje_intentos i where i.mensaje_id = m.id and i.en > now() - interval '${RESEND_MINUTES} minutes')`);

/**
 * Decides by what it reads of the guide's messages, and asks only if the guide still has the version that was read: every
 * request raises the version, so that of two at the same time one finds the guide changed, and is to be repeated.
 */
const askAgainAs = (actor: EventoActor, refusesRecent: boolean) => `with vista as materialized (
  select g.comercio_id, g.id, g.version, case
      when g.direccion_confirmada or not (${whereConfirmable('g')}) then 'cerrada'
      when 'destinatario_niega' = any (g.advertencias) then 'niega'
      when ${IS_WAITING} then 'por_salir'
      ${refusesRecent ? `when ${IS_RECENT} then 'reciente'` : ''}
    end as motivo
  from guias g where g.guia = $1
), pedida as (
  update guias g set version = g.version + 1 from vista
  where g.comercio_id = vista.comercio_id and g.id = vista.id and g.version = vista.version and vista.motivo is null
  returning g.comercio_id, g.id, g.version
), evento as (
  ${recordEvento({ from: 'pedida', id: '$2::uuid', tipo: 'guia.confirmacion_pedida', actor, datos: '$3::jsonb', traza: '$4::text' })}
)
select motivo, exists (select from pedida) as pedida from vista`;

const ASK_AGAIN = { sistema: askAgainAs('sistema', false), soporte: askAgainAs('soporte', true) };

/** What became of a request to ask; neither asked nor refused if the guide changed meanwhile. */
export interface AskedRow {
  motivo: AskRefusal | null;
  pedida: boolean;
}

/** Who asks a recipient again: an operator's command, or somebody of support. */
export type Asker = { actor: 'sistema' } | { actor: 'soporte'; usuario: string };

/**
 * Confirms the destination and records it, in one statement; records nothing where an answer without an id repeats what is
 * saved. Returns `confirmada_en`, or no row if the guide is not confirmable, its phone has changed since the answer was read, or the answer is not the newest.
 * @param answerId of an answer that may arrive late or twice; an answer without an id is the newest.
 */
export function confirmGuia(
  { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
  { lat, lng, mapsUrl, referencia, origen, precision }: ConfirmedPlace,
  advertencias: GuiaAdvertencia[],
  answerId: string | undefined,
): QueryConfig {
  const datos = { origen, ...(precision !== undefined && { precision }) };
  return {
    name: 'guia-confirm',
    text: CONFIRM,
    values: [
      comercioId,
      guiaId,
      lat,
      lng,
      mapsUrl,
      referencia,
      answerId ?? v7(),
      datos,
      advertencias,
      telefonoSecuencia,
      answerId === undefined,
      traceparent(),
    ],
  };
}

/** The confirmation time of a guide, if it was confirmed by this answer or a newer one. */
export function findConfirmedSince({ comercioId, guiaId }: AnsweredGuia, answerId: string): QueryConfig {
  const text = `select confirmada_en from guias
    where comercio_id = $1 and id = $2 and respuesta_id >= $3 and direccion_confirmada`;
  return { name: 'guia-confirmed-since', text, values: [comercioId, guiaId, answerId] };
}

/**
 * Warns that the recipient says the parcel is not theirs, and records it. Affects no row if the guide has ended, has the
 * warning already, or has another phone than when the answer was read.
 */
export function denyGuia({ comercioId, guiaId, telefonoSecuencia }: AnsweredGuia): QueryConfig {
  return {
    name: 'guia-deny',
    text: DENY,
    values: [comercioId, guiaId, telefonoSecuencia, v7(), traceparent()],
  };
}

/**
 * Records that the recipient is to be asked, by guide number, unless a message is on its way; for support, neither shortly
 * after one. Returns no row if there is no such guide.
 */
export function askAgain(guia: string, eventoId: string, asker: Asker): QueryConfig {
  const datos = asker.actor === 'soporte' ? { usuario: asker.usuario } : null;
  return { text: ASK_AGAIN[asker.actor], values: [guia, eventoId, datos, traceparent()] };
}
