import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import { v7 } from 'uuid';
import { IS_UNDISPATCHED } from '../../platform/events/outbox.queries.js';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import type { IntentoResultado } from '../messages/mensaje-intento.entity.js';
import { SECUENCIA, type MensajeRow } from '../messages/messages.queries.js';
import type { Omision } from '../messages/send-decision.js';

export interface Claim {
  /** As it was loaded. */
  mensaje: MensajeRow;
  proveedor: string;
  enlaceBase: string;
  /** HMAC of the number whose quota of 24 hours the try uses; null if it uses none. */
  huella: Buffer | null;
}

/** A message that could be claimed. */
export interface ClaimedRow {
  id: string;
  /** Why it was not claimed: its recipient has been asked again since, or the quota of its number is used up. */
  omision: Omision | null;
  /** Tries, including this one if it was claimed. */
  intentos: number;
}

/**
 * SQL condition: message `m` is a request for confirmation, and a newer request of its guide was sent or is due, even if its
 * event is not dispatched yet. On a first try for a guide that had not changed when it was loaded, no events are read: there
 * is no newer request.
 */
const IS_REPLACED = `((m.primer_intento_en is not null or p.cambiada) and m.tipo = 'confirmacion_ubicacion' and exists (
    select from eventos e left join mensajes n on n.id = e.id
    where e.comercio_id = m.comercio_id and e.guia_id = m.guia_id and e.tipo = 'guia.confirmacion_pedida'
      and e.secuencia > ${SECUENCIA}
      and (n.estado not in ('fallido', 'omitido') or n.id is null and ${IS_UNDISPATCHED})))`;

const CLAIM_TYPES = {
  id: 'uuid',
  estado: 'text',
  intentos: 'integer',
  telefono: 'text',
  proveedor: 'text',
  enlace_base: 'text',
  huella: 'bytea',
  intento_id: 'uuid',
  cambiada: 'boolean',
};

/**
 * Claims messages that are still in the states they were loaded in; returns no row of one that another process has claimed.
 * A claim with a `huella` uses one of the number's `limit` messages per 24 hours. A message that was being sent belonged to a
 * process that died: its try is logged as interrupted.
 * @param claims each message once, and one of each number at most.
 */
export function claimMensajes(claims: Claim[], limit: number): QueryConfig {
  const rows = claims.map(({ mensaje, proveedor, enlaceBase: enlace_base, huella }) => {
    const { id, estado, intentos, telefono, cambiada } = mensaje;
    return { id, estado, intentos, telefono, proveedor, enlace_base, huella, intento_id: v7(), cambiada };
  });
  return statement(
    sql`with pedido as (
        select * from ${unnest(rows, 'p', CLAIM_TYPES)}
      ), libre as (
        select p.*, m.actualizado_en, ${raw(IS_REPLACED)} as reemplazado from pedido p join mensajes m on m.id = p.id
        where m.estado = p.estado and m.intentos = p.intentos
        order by m.id for no key update of m
      ), cupo as (
        insert into cupos_telefono as c (huella, enviados, ultimo_en)
        select huella, array[now()], now() from libre where huella is not null and not reemplazado order by huella
        on conflict (huella) do update
        set enviados = array(select e from unnest(c.enviados) e where e > now() - interval '24 hours') || now(),
          ultimo_en = now()
        where (select count(*) from unnest(c.enviados) e where e > now() - interval '24 hours') < ${limit}
        returning huella
      ), tomado as (
        update mensajes m set estado = 'enviando', actualizado_en = now(), proveedor = libre.proveedor,
          enlace_base = libre.enlace_base, telefono = libre.telefono,
          intentos = case m.estado when 'fallido' then 1 else m.intentos + 1 end,
          primer_intento_en = coalesce(m.primer_intento_en, now())
        from libre where m.id = libre.id and not reemplazado and (libre.huella is null or libre.huella in (select huella from cupo))
        returning m.id, m.intentos
      ), interrumpido as (
        insert into mensaje_intentos (mensaje_id, id, en, resultado)
        select id, intento_id, actualizado_en, 'interrumpido' from libre where estado = 'enviando'
      )
      select libre.id, case when reemplazado then 'reemplazado' when tomado.id is null then 'limite' end as omision,
          coalesce(tomado.intentos, libre.intentos) as intentos
        from libre left join tomado on tomado.id = libre.id`,
    { name: 'mensajes-claim' },
  );
}

/** The outcome of a message that was tried, or is not to be tried. */
export interface Settled {
  id: string;
  /** State that it has: it is moved on unless another process or a status was faster. */
  desde: MensajeEstado;
  estado: MensajeEstado;
  /** How the try ended; without one, none was made. */
  resultado?: IntentoResultado;
  /** Why it is not sent, in Spanish; never a phone. */
  causa?: string;
  /** Milliseconds until the next try; 0 by default. */
  inMs?: number;
  /** The new number of tries; unchanged by default. */
  intentos?: number;
  /** The provider's id of it, where it has accepted it and gives one. */
  proveedorId?: string | null;
  /** The recipient's id in the app, where the provider returns it. */
  usuario?: string | null;
  /** Nothing is recorded if its guide is on its way, again maybe. */
  aparcado?: boolean;
}

const SETTLED_TYPES = {
  ...{ id: 'uuid', desde: 'text', estado: 'text', resultado: 'text', causa: 'text', en_ms: 'float8' },
  ...{ intentos: 'integer', proveedor_id: 'text', usuario: 'text', intento_id: 'uuid' },
  aparcado: 'boolean',
};

/**
 * Moves messages on, and logs their tries in the same statement: a try is logged also where another process or a status was
 * faster, and a message that was accepted keeps the provider's id of it. Consecutive tries that found the sender paused for
 * the same reason share one entry, which counts them. Returns the messages that it moved on.
 * @param settled each message once.
 */
export function settleMensajes(settled: Settled[]): QueryConfig {
  const rows = settled.map(({ inMs: en_ms = 0, proveedorId: proveedor_id, ...one }) => ({
    ...{ ...one, en_ms, proveedor_id, intento_id: v7() },
  }));
  return statement(
    sql`with hecho as (
        select h.*, m.estado = h.desde or h.resultado = 'aceptado' and m.estado = 'incierto' as avanza
        from ${unnest(rows, 'h', SETTLED_TYPES)}
        join mensajes m on m.id = h.id
        where h.aparcado is null or m.estado = h.desde
          and (select estado from guias where comercio_id = m.comercio_id and id = m.guia_id) is distinct from 'en_ruta'
        order by m.id for no key update of m
      ), intento as (
        insert into mensaje_intentos as i (mensaje_id, id, en, resultado, causa)
        select id, coalesce(case when resultado = 'detenido' then (
            select u.id from (select * from mensaje_intentos where mensaje_id = h.id order by en desc, id desc limit 1) u
            where u.resultado = h.resultado and u.causa = h.causa) end, intento_id), now(), resultado,
          case when aparcado is null then causa end
        from hecho h where resultado is not null
        on conflict (mensaje_id, id) do update set veces = i.veces + 1, en = excluded.en
      )
      update mensajes m set actualizado_en = now(),
          proveedor_id = coalesce(h.proveedor_id, m.proveedor_id), usuario = coalesce(h.usuario, m.usuario),
          estado = case when avanza then h.estado else m.estado end, causa = case when avanza then h.causa else m.causa end,
          intentos = case when avanza then coalesce(h.intentos, m.intentos) else m.intentos end,
          proximo_en = case when avanza then now() + make_interval(secs => h.en_ms / 1000) else m.proximo_en end
        from hecho h where m.id = h.id and (avanza or resultado = 'aceptado')
        returning m.id`,
    { name: 'mensajes-settle' },
  );
}
