import type { QueryConfig } from 'pg';
import { quoted } from '../../database/quoted.js';
import { firstIdAt } from '../../database/row-id.js';
import { textTypes } from '../../database/text-types.js';
import { ATTENDED_ADVERTENCIAS, type GuiaAdvertencia } from '../../guias/guia-advertencia.js';
import { OPEN_ESTADOS } from '../../guias/guia-estado.js';
import { countOf, LAST_CAUSE } from '../merchant/endpoint-health.queries.js';

/** Rows of a section that are counted; for more rows the page says "más de". */
export const MAX_ROWS = 100;

const DAY_MS = 86_400_000;

/** Days that are searched; older problems have been settled in other ways. */
const LOOK_BACK_DAYS = 30;

const daysAgo = (days: number) => firstIdAt(Date.now() - days * DAY_MS);

const LIMIT = MAX_ROWS + 1;

/** An endpoint that fails to accept its deliveries. */
export interface FailingEndpoint {
  id: string;
  comercio_id: string;
  comercio: string;
  pais: string;
  /** Its whole URL, which may hold a secret. */
  url: string;
  activo: boolean;
  /** First failure, or when it was disabled; ISO 8601. */
  desde: string;
  /** Of the last failed attempt of an undelivered delivery. */
  causa: string | null;
  /** Deliveries that wait for a retry or failed; above `MAX_DELIVERIES` for more. */
  sin_entregar: number;
}

const FAILING = `select w.id, w.comercio_id, c.nombre as comercio, c.pais, w.url, w.activo,
    coalesce(w.falla_desde, w.desactivado_en) as desde, ${LAST_CAUSE} as causa,
    ${countOf('pendiente')} + ${countOf('fallida')} as sin_entregar
  from (
    select * from webhooks where eliminado_en is null
      and comercio_id in (select id from comercios where prueba_de is null)
      and (activo and falla_desde is not null or not activo and desactivado_por <> 'comercio')
    order by coalesce(falla_desde, desactivado_en) limit ${LIMIT}
  ) w
  join comercios c on c.id = w.comercio_id
  order by desde`;

/** The endpoints that fail, or were disabled because they failed; the longest failure first. */
export function failingEndpoints(): QueryConfig {
  return { text: FAILING, values: [], types: textTypes };
}

/** A guide that something is wrong with. */
export interface TroubledGuia {
  guia: string;
  comercio_id: string;
  comercio: string;
  pais: string;
  /** ISO 8601. */
  desde: string;
  /** Why, in Spanish; or the state of the last message. */
  causa: string | null;
}

const LIVE_GUIA = `select from comercios c cross join lateral (select from guias where comercio_id = c.id limit 1) g
  where c.prueba_de is null limit 1`;

/** A row if there is a live guide. */
export function liveGuia(): QueryConfig {
  return { text: LIVE_GUIA, values: [] };
}

const OPEN = quoted(OPEN_ESTADOS);

/** Left out if the recipient was asked again, has confirmed, or no longer has to. */
const FAILED_MESSAGES = `select g.guia, g.comercio_id, c.nombre as comercio, c.pais, m.actualizado_en as desde, m.causa
  from mensajes m
  join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  join comercios c on c.id = m.comercio_id
  where m.estado = 'fallido' and m.id >= $1 and not g.de_prueba and not g.direccion_confirmada and g.estado in (${OPEN})
    and not exists (select from mensajes n where n.guia_id = m.guia_id and n.id > m.id)
  order by m.id desc limit ${LIMIT}`;

/** The guides whose last message failed for good, newest first. */
export function failedMessages(): QueryConfig {
  return { text: FAILED_MESSAGES, values: [daysAgo(LOOK_BACK_DAYS)], types: textTypes };
}

/**
 * SQL of the first guides of all merchants among `own`, the guides of the merchant `c`. Merchant by merchant, because each
 * index begins with the merchant. A merchant whose first guide is not among the first LIMIT such guides cannot contribute a row.
 */
function firstOfAll(own: string, order: 'asc' | 'desc'): string {
  return `select g.* from (
      select c.id from comercios c cross join lateral (select id from (${own}) own order by id ${order} limit 1) own
      where c.prueba_de is null order by own.id ${order} limit ${LIMIT}
    ) c cross join lateral (select * from (${own}) own order by id ${order} limit ${LIMIT}) g
    order by g.id ${order} limit ${LIMIT}`;
}

const OWN_UNCONFIRMED = `select * from guias where comercio_id = c.id and direccion_confirmada = false
  and id >= $1 and id < $2 and estado in (${OPEN})`;

const UNCONFIRMED = `select g.guia, g.comercio_id, c.nombre as comercio, c.pais, g.creada_en as desde,
    (select estado from mensajes m where m.guia_id = g.id order by m.id desc limit 1) as causa
  from (${firstOfAll(OWN_UNCONFIRMED, 'asc')}) g
  join comercios c on c.id = g.comercio_id order by g.id`;

/** The guides whose recipient has not confirmed within 24 hours, oldest first. */
export function unconfirmedGuias(): QueryConfig {
  return { text: UNCONFIRMED, values: [daysAgo(LOOK_BACK_DAYS), daysAgo(1)], types: textTypes };
}

/** A guide with warnings that somebody has to act on. */
export interface WarnedGuia extends Omit<TroubledGuia, 'desde' | 'causa'> {
  /** ISO 8601. */
  creada_en: string;
  /** At least one. */
  advertencias: GuiaAdvertencia[];
}

/** Guides of a merchant that are searched, the newest that warn: most of them have ended, and they keep their warnings. */
export const WARNED_SEARCHED = 1_000;

/** `offset 0` looks notes up guide by guide, by the index; a join might read all notes. */
const IS_ATTENDED = `exists (select from guia_notas n where n.guia_id = warned.id and n.creado_en > warned.actualizada_en offset 0)`;

const OWN_WARNED = `select * from (
    select * from guias where comercio_id = c.id and advertencias <> '{}' and id >= $1
    order by id desc limit ${WARNED_SEARCHED}
  ) warned where (estado in (${OPEN}) or 'destinatario_no_recibio' = any (advertencias)) and advertencias && $2 and not ${IS_ATTENDED}`;

const WARNED = `select g.guia, g.comercio_id, c.nombre as comercio, c.pais, g.creada_en,
    array(select a from unnest(g.advertencias) a where a = any ($2)) as advertencias
  from (${firstOfAll(OWN_WARNED, 'desc')}) g
  join comercios c on c.id = g.comercio_id order by g.id desc`;

/** The guides, open or said not to have arrived, that somebody has to act on and that support wrote no note about since their last change, newest first. */
export function warnedGuias(): QueryConfig {
  return { text: WARNED, values: [daysAgo(LOOK_BACK_DAYS), ATTENDED_ADVERTENCIAS], types: textTypes };
}
