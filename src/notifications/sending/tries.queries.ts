import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import type { IntentoResultado } from '../messages/mensaje-intento.entity.js';
import type { MensajeRow } from '../messages/messages.queries.js';

/** Statements of one try to send a message. Those that settle it also log it, so that a send costs no further round trip. */

const CLAIM = `with libre as (
  select id, actualizado_en from mensajes where id = $1 and estado = $2 and intentos = $3 for no key update
), cupo as (
  insert into cupos_telefono as c (huella, enviados, ultimo_en)
  select $7, array[now()], now() from libre where $7::bytea is not null
  on conflict (huella) do update
  set enviados = array(select e from unnest(c.enviados) e where e > now() - interval '24 hours') || now(),
    ultimo_en = now()
  where (select count(*) from unnest(c.enviados) e where e > now() - interval '24 hours') < $8
  returning huella
), tomado as (
  update mensajes m set estado = 'enviando', actualizado_en = now(), proveedor = $4, enlace_base = $5, telefono = $6,
    intentos = case estado when 'fallido' then 1 else intentos + 1 end,
    primer_intento_en = coalesce(primer_intento_en, now())
  from libre where m.id = libre.id and ($7 is null or exists (select from cupo))
  returning intentos
), interrumpido as (
  insert into mensaje_intentos (mensaje_id, id, en, resultado)
  select id, $9::uuid, actualizado_en, 'interrumpido' from libre where $2 = 'enviando'
)
select tomado.intentos from libre left join tomado on true`;

/**
 * Claims a message in the state it was loaded in; returns no row if another process was faster. The first try
 * of a confirmation, which has a `quota.huella`, uses up one of the number's messages per 24 hours; if none is left, the
 * message is not claimed and `intentos` null. One that was being sent was left so by a process that died, which is logged.
 */
export function claimMensaje(
  mensaje: MensajeRow,
  by: { proveedor: string; enlaceBase: string; quota: { huella: Buffer | null; limit: number } },
): QueryConfig {
  const { id, estado, intentos, telefono } = mensaje;
  const values = [
    id,
    estado,
    intentos,
    by.proveedor,
    by.enlaceBase,
    telefono,
    by.quota.huella,
    by.quota.limit,
    v7(),
  ];
  return { name: 'mensaje-claim', text: CLAIM, values };
}

const ACCEPTED = `with intento as (
  insert into mensaje_intentos (mensaje_id, id, en, resultado)
  select id, $4::uuid, now(), 'aceptado' from mensajes where id = $1
)
update mensajes set actualizado_en = now(),
    estado = case when estado in ('enviando', 'incierto') then 'aceptado' else estado end,
    causa = case when estado in ('enviando', 'incierto') then null else causa end,
    proveedor_id = coalesce($2, proveedor_id), usuario = coalesce($3, usuario)
  where id = $1`;

/** Marks a message as accepted, unless a status that arrived before the answer says more; logs the try. */
export function acceptMensaje(id: string, proveedorId: string | null, usuario: string | null): QueryConfig {
  return { name: 'mensaje-accepted', text: ACCEPTED, values: [id, proveedorId, usuario, v7()] };
}

const SETTLE_TRY = `with repetido as (
  update mensaje_intentos set veces = veces + 1, en = now()
  where $7::text = 'detenido' and mensaje_id = $1
    and id = (select id from mensaje_intentos where mensaje_id = $1 order by en desc, id desc limit 1)
    and resultado = $7 and causa = $3
  returning id
), intento as (
  insert into mensaje_intentos (mensaje_id, id, en, resultado, causa)
  select id, $6::uuid, now(), $7::text, $3::text from mensajes where id = $1 and not exists (select from repetido)
)
update mensajes set estado = $2, causa = $3, intentos = coalesce($5, intentos), actualizado_en = now(),
  proximo_en = now() + make_interval(secs => $4::float8 / 1000)
where id = $1 and estado = 'enviando'`;

/** What follows from a try that was not accepted. */
export interface SettledTry {
  resultado: IntentoResultado;
  /** The message's state. */
  estado: MensajeEstado;
  /** Why, in Spanish; never a phone. */
  causa: string;
  /** Milliseconds until the next try; 0 by default. */
  inMs?: number;
  /** Tries that count; by default all. */
  intentos?: number;
}

/**
 * Logs a try that was not accepted, and moves its message on unless another process or a status was faster. Of tries in a
 * row that found the sender paused for one reason there is one entry, with their number.
 */
export function settleTry(id: string, { resultado, estado, causa, inMs, intentos }: SettledTry): QueryConfig {
  const values = [id, estado, causa, inMs ?? 0, intentos ?? null, v7(), resultado];
  return { name: 'mensaje-try', text: SETTLE_TRY, values };
}
