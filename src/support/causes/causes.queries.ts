import type { QueryConfig } from 'pg';
import { raw, sql, statement, type Sql } from '../../platform/database/sql.js';
import { quoted } from '../../platform/database/quoted.js';
import { firstIdAt, LOWEST_ID } from '../../platform/database/row-id.js';
import { textTypes } from '../../platform/database/text-types.js';
import { isSeenBy } from '../../guias/advertencias-vistas.queries.js';
import { outlastingFor, SUPPORT_ADVERTENCIAS } from '../../guias/guia/guia-advertencia.js';
import type { FailedMessage } from '../../notifications/notifications.queue.js';
import type { MensajeTipo } from '../../notifications/providers/messaging-provider.js';
import { OPEN_ESTADOS } from '../../guias/guia/guia-estado.js';
import { STANDS } from '../../guias/guia/standing-moves.js';

const DAY_MS = 86_400_000;

/** Days that are searched; older problems have been settled in other ways. */
const LOOK_BACK_DAYS = 30;

const daysAgo = (days: number) => firstIdAt(Date.now() - days * DAY_MS);

const OPEN = raw(quoted(OPEN_ESTADOS));

/** Guides of a merchant that are searched for warnings, the newest that warn: most have ended, and they keep their warnings. */
export const WARNED_SEARCHED = 1_000;

/** Groups of guides that need a person for the same kind of reason. */
export const CLASES = ['mensajes', 'intentos', 'sin-confirmar', 'advertencias'] as const;
export type Clase = (typeof CLASES)[number];

/** Of a message that failed: without the words of an answer, which may differ each time. */
const CAUSA = raw(`regexp_replace(coalesce(m.causa, ''), ' ?«[^»]*»', '', 'g')`);

/** Left out if the recipient was asked again, has confirmed, or no longer has to; a PIN, unless its guide is on its way. */
const failedMessages = (
  comercioId: string | null,
) => sql`select m.comercio_id, g.id, g.guia, m.actualizado_en as desde,
    'mensajes-' || left(md5(${CAUSA}), 12) as clave, ${CAUSA} as causa, m.id as mensaje_id
  from mensajes m
  join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  where m.estado = 'fallido' and m.id >= ${daysAgo(LOOK_BACK_DAYS)} and not g.de_prueba
    and case m.tipo when 'pin_de_entrega' then g.estado = 'en_ruta' else not g.direccion_confirmada and g.estado in (${OPEN}) end
    and (${comercioId}::uuid is null or m.comercio_id = ${comercioId}::uuid)
    and not exists (select from mensajes n where n.guia_id = m.guia_id and n.id > m.id
      and (n.tipo = 'pin_de_entrega') = (m.tipo = 'pin_de_entrega'))`;

/** SQL of the guides of all live merchants, or of one, among `own`, the guides of the merchant `c`: each index begins with the merchant. */
const ofMerchants = (
  comercioId: string | null,
  own: Sql,
) => sql`select c.id as comercio_id, own.* from comercios c cross join lateral (${own}) own
  where c.prueba_de is null and (${comercioId}::uuid is null or c.id = ${comercioId}::uuid)`;

/** The last message of `g` is older than a day, so its recipient had time to answer. */
const wasAsked = () =>
  sql`exists (select from mensajes n where n.guia_id = g.id and n.id >= ${daysAgo(1)} and n.tipo <> 'pin_de_entrega')`;

const unconfirmed = (comercioId: string | null) =>
  ofMerchants(
    comercioId,
    sql`select g.id, g.guia, g.creada_en + interval '24 hours' as desde, 'sin-confirmar' as clave,
        null as causa, null::uuid as mensaje_id
      from guias g where g.comercio_id = c.id and not g.direccion_confirmada and g.id >= ${daysAgo(LOOK_BACK_DAYS)} and g.id < ${daysAgo(1)}
        and g.estado in (${OPEN}) and not ${wasAsked()}`,
  );

/** Since the attempt the recipient has neither answered nor been asked. */
const attempted = (comercioId: string | null) =>
  ofMerchants(
    comercioId,
    sql`select g.id, g.guia, intento.creado_en as desde, 'intentos' as clave, null as causa,
        null::uuid as mensaje_id
      from guias g cross join lateral (
        select e.secuencia, e.id, e.creado_en from eventos e
        where e.comercio_id = c.id and e.guia_id = g.id and e.tipo = 'guia.estado_cambiado' and ${raw(STANDS)}
        order by e.secuencia desc limit 1
      ) intento
      where g.comercio_id = c.id and g.estado = 'intento_fallido' and g.id >= ${daysAgo(LOOK_BACK_DAYS)}
        and not exists (select from eventos e where e.comercio_id = c.id and e.guia_id = g.id and e.secuencia > intento.secuencia
          and e.actor = 'destinatario')
        and not exists (select from mensajes n where n.guia_id = g.id and n.id >= greatest(${daysAgo(1)}, intento.id)
          and n.tipo <> 'pin_de_entrega')`,
  );

/** `offset 0` looks notes up guide by guide, by the index; a join might read all notes. */
const IS_ATTENDED = `exists (select from guia_notas n where n.guia_id = g.id and n.creado_en > g.actualizada_en offset 0)`;

/** A warning may come up long after its guide was created, which is older than what is listed. */
const WARNED_DAYS = 2 * LOOK_BACK_DAYS;

/**
 * Of an open guide, or of any where its end does not settle the warning; without those that support has seen, or wrote a note
 * about since their last change.
 */
const warned = (comercioId: string | null) =>
  ofMerchants(
    comercioId,
    sql`select g.id, g.guia, g.actualizada_en as desde, 'advertencias-' || a.codigo as clave, a.codigo as causa,
        null::uuid as mensaje_id
      from (
        select * from guias where comercio_id = c.id and advertencias <> '{}' and id >= ${daysAgo(WARNED_DAYS)}
        order by id desc limit ${raw(String(WARNED_SEARCHED))}
      ) g cross join lateral unnest(g.advertencias) as a (codigo)
      where a.codigo = any (${SUPPORT_ADVERTENCIAS}) and (g.estado in (${OPEN}) or a.codigo = any (${outlastingFor('soporte')}))
        and g.actualizada_en > now() - interval '${raw(String(LOOK_BACK_DAYS))} days' and not ${raw(IS_ATTENDED)} and not ${raw(isSeenBy('soporte'))}`,
  );

/**
 * SQL of the guides of a class of causes, each with `comercio_id, id, guia, desde, clave, causa, mensaje_id`.
 * @param comercioId of one merchant; of all by default.
 */
export function rowsOf(clase: Clase, comercioId: string | null = null): Sql {
  const rows = {
    mensajes: failedMessages,
    'sin-confirmar': unconfirmed,
    intentos: attempted,
    advertencias: warned,
  };
  return rows[clase](comercioId);
}

/** The class of a cause, by its key; undefined for a key that no cause has. */
export function claseOf(clave: string): Clase | undefined {
  return CLASES.find((clase) => clave === clase || clave.startsWith(`${clase}-`));
}

/** SQL condition: all of a merchant's guides `r` of a cause were marked as attended. */
const IS_PUT_OFF = `exists (select from masivas a join masiva_guias i on i.masiva_id = a.id
  where a.accion = 'atender' and a.causa = r.clave and a.hasta > now() and i.guia_id = r.id)`;

export interface CausaGroup {
  clave: string;
  /** Why, in Spanish; of a warning its code. Null where the class says it. */
  causa: string | null;
  comercio_id: string;
  comercio: string;
  pais: string;
  guias: number;
  /** When the last and the first of them got it, ISO 8601. */
  ultima: string;
  primera: string;
  /** The provider's own words on one of its messages; null if nothing is known. */
  palabras: string | null;
  /** Whether somebody put it off until tomorrow. */
  atendida: boolean;
}

/** SQL: the words of an answer to a message of `r`, which `CAUSA` leaves out. */
const WORDS = `max((select substring(m.causa from '«([^»]*)»') from mensajes m where m.id = r.mensaje_id and m.guia_id = r.id))`;

/** The groups of a class, those with most guides first; a report that a parcel did not arrive before all. */
export function groupsOf(clase: Clase, comercioId: string | null = null): QueryConfig {
  return statement(
    sql`select r.clave, max(r.causa) as causa, r.comercio_id, c.nombre as comercio, c.pais, count(*)::int as guias,
        ${raw(clase === 'mensajes' ? WORDS : 'null')} as palabras, max(r.desde) as ultima, min(r.desde) as primera,
        bool_and(${raw(IS_PUT_OFF)}) as atendida
      from (${rowsOf(clase, comercioId)}) r join comercios c on c.id = r.comercio_id
      group by r.clave, r.comercio_id, c.nombre, c.pais
      order by r.clave = 'advertencias-destinatario_no_recibio' desc, guias desc, comercio, comercio_id`,
    { types: textTypes },
  );
}

export interface CausaGuia {
  id: string;
  guia: string;
  comercio_id: string;
  comercio: string;
  pais: string;
  /** Since when, ISO 8601. */
  desde: string;
  causa: string | null;
  /** State of its last message; null without one. */
  ultimo_mensaje: string | null;
  /** Of the message that failed; null for other causes. */
  mensaje: (FailedMessage & { tipo: MensajeTipo; intentos: number }) | null;
}

/** A page of the guides of a cause, by when they were created, the oldest first. @param after the last id of the page before. */
export function guiasOf(
  clase: Clase,
  {
    clave,
    comercioId,
    after,
    limit,
  }: { clave: string; comercioId: string | null; after: string | null; limit: number },
): QueryConfig {
  return statement(
    sql`select r.id, r.guia, r.comercio_id, c.nombre as comercio, c.pais, r.desde, r.causa,
        (select estado from mensajes m where m.guia_id = r.id order by m.id desc limit 1) as ultimo_mensaje,
        (select json_build_object('id', m.id, 'ronda', m.ronda, 'proveedor_id', m.proveedor_id, 'tipo', m.tipo, 'intentos', m.intentos)
          from mensajes m where m.id = r.mensaje_id and m.guia_id = r.id) as mensaje
      from (${rowsOf(clase, comercioId)}) r join comercios c on c.id = r.comercio_id
      where r.clave = ${clave} and r.id > ${after ?? LOWEST_ID} order by r.id limit ${limit}`,
    { types: textTypes },
  );
}
