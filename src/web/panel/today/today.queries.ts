import type { QueryConfig } from 'pg';
import { quoted } from '../../../platform/database/quoted.js';
import { textTypes } from '../../../platform/database/text-types.js';
import { isSeenBy } from '../../../guias/advertencias-vistas.queries.js';
import {
  ADVERTENCIA_CODES,
  ADVERTENCIAS,
  outlastingFor,
  type GuiaAdvertencia,
} from '../../../guias/guia/guia-advertencia.js';
import { OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import type { Motivo } from '../../../guias/guia/guia-motivo.js';

/** Guides of each kind that the page shows; one more is read. */
export const SHOWN = 10;

/** Guides that are asked for their place at once. */
export const MAX_ASKED = 50;

/** Guides that are searched for warnings, the newest that warn: most have ended, and they keep their warnings. */
const WARNED_SEARCHED = 1_000;

/** Guides with a failed attempt that are searched, the newest: their recipients may all have answered. */
const ATTEMPTED_SEARCHED = 500;

/** A guide that needs somebody; times are ISO 8601. */
export interface NeedRow {
  guia: string;
  destinatario: string;
  telefono: string;
  desde: string;
}

const COLUMNS = 'g.guia, g.destinatario, g.telefono';

/** Since the attempt the recipient has not answered. */
const ATTEMPTED = `select ${COLUMNS}, intento.creado_en as desde, intento.motivo
  from (
    select * from guias where comercio_id = $1 and estado = 'intento_fallido' and id >= $2 order by id desc limit ${ATTEMPTED_SEARCHED}
  ) g cross join lateral (
    select secuencia, creado_en, datos->>'motivo' as motivo from eventos
    where comercio_id = $1 and guia_id = g.id and tipo = 'guia.estado_cambiado' order by secuencia desc limit 1
  ) intento
  where not exists (select from eventos e where e.comercio_id = $1 and e.guia_id = g.id
      and e.secuencia > intento.secuencia and e.actor = 'destinatario')
  order by g.id desc limit ${SHOWN + 1}`;

/** @param since lowest id. */
export function attempted(comercioId: string, since: string): QueryConfig {
  return { text: ATTEMPTED, values: [comercioId, since], types: textTypes };
}

/** Those of any state that the merchant attends. */
const ALWAYS = outlastingFor('comercio');

/** Days that a warning stands. */
const WARNED_DAYS = 30;

/** Warnings that their merchant can do something about. */
const OWN_CODES = ADVERTENCIA_CODES.filter((code) => ADVERTENCIAS[code].merchant !== undefined);

/** First those whose parcel did not arrive; of a guide's warnings one. */
const WARNED = `select ${COLUMNS}, g.actualizada_en as desde, a.codigo,
    case a.codigo when 'mensaje_fallido' then (select m.causa from mensajes m
      where m.comercio_id = $1 and m.guia_id = g.id order by m.id desc limit 1) end as causa
  from (
    select * from guias where comercio_id = $1 and advertencias <> '{}' and id >= $2 order by id desc limit ${WARNED_SEARCHED}
  ) g cross join lateral (
    select a.codigo from unnest(g.advertencias) a (codigo)
    where a.codigo = any ($3) and (g.estado in (${quoted(OPEN_ESTADOS)}) or a.codigo = any ($4))
      and not (a.codigo = any ($4) and ${isSeenBy('comercio')})
    order by a.codigo = 'destinatario_no_recibio' desc limit 1
  ) a
  where g.actualizada_en > now() - interval '${WARNED_DAYS} days'
  order by a.codigo = 'destinatario_no_recibio' desc, g.id desc limit ${SHOWN + 1}`;

/** @param since lowest id, from longer ago: a warning may come up long after its guide was created. */
export function warned(comercioId: string, since: string): QueryConfig {
  return { text: WARNED, values: [comercioId, since, OWN_CODES, ALWAYS], types: textTypes };
}

/** Nobody was asked in the last day, so whoever was had time to answer. */
const UNCONFIRMED = `select ${COLUMNS}, g.creada_en as desde from guias g
  where g.comercio_id = $1 and g.estado in ('aceptado', 'en_camino_a_recoger', 'recogido') and not g.direccion_confirmada
    and g.advertencias = '{}' and g.id >= $2 and g.id < $3
    and not exists (select from mensajes n where n.comercio_id = $1 and n.guia_id = g.id and n.id >= $3)
  order by g.id desc limit ${MAX_ASKED}`;

/** @param before ids of guides that are younger than a day are not smaller. */
export function unconfirmed(comercioId: string, since: string, before: string): QueryConfig {
  return { text: UNCONFIRMED, values: [comercioId, since, before], types: textTypes };
}

export type AttemptedRow = NeedRow & { motivo: Motivo | null };
export type WarnedRow = NeedRow & {
  codigo: GuiaAdvertencia;
  /** Why its message failed, where it did. */
  causa: string | null;
};

/** Whether the merchant has no guide at all. */
export function hasNone(comercioId: string): QueryConfig {
  return {
    text: 'select not exists (select from guias where comercio_id = $1) as es_nuevo',
    values: [comercioId],
  };
}
