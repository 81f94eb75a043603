import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import type { SendError } from '../providers/messaging-provider.js';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import type { MensajeRow } from '../messages/messages.queries.js';

/** s between two probes of a provider that is out. */
const PROBE_S = 15;

/** ms after which a message looks by itself whether its provider still is out. */
export const HOLD_MS = 600_000;

/**
 * Records that a provider is out, or that its probe failed; returns whether that is new. No row: a person has to act on another
 * pause of it.
 */
export function beginOutage(proveedor: string, { code, message, answer }: SendError): QueryConfig {
  return statement(sql`insert into pausas as p (proveedor, codigo, causa, respuesta, desde, prueba_en)
    values (${proveedor}, ${code}, ${message}, ${answer}, now(), now() + interval '${raw(String(PROBE_S))} seconds')
    on conflict (proveedor) do update
    set codigo = excluded.codigo, causa = excluded.causa, respuesta = coalesce(excluded.respuesta, p.respuesta), responde_en = null
    where p.prueba_en is not null
    returning desde = now() as es_nueva`);
}

/**
 * Records that a provider that was out took a message; returns a row if so. The time is taken once the row is locked:
 * `holdMensajes` locks the same row, so every message that it let wait was written before `responde_en`.
 */
export function endOutage(proveedor: string): QueryConfig {
  const text = `with caida as materialized (
      select proveedor from pausas where proveedor = $1 and prueba_en is not null and responde_en is null for update
    )
    update pausas p set responde_en = clock_timestamp(), prueba_en = clock_timestamp() - interval '1 second'
    from caida where p.proveedor = caida.proveedor returning p.proveedor`;
  return { text, values: [proveedor] };
}

/** A message whose provider is out, as it was loaded. */
export type Held = Pick<MensajeRow, 'id' | 'estado' | 'caida'>;

/**
 * Lets messages wait until their provider works again; changes none if it does so already. Its lock holds up the end of the
 * outage alone: probes leave while thousands of messages begin to wait. Returns the ids of those that wait.
 * @param held each message once.
 */
export function holdMensajes(held: Held[], proveedor: string): QueryConfig {
  const types = { id: 'uuid', estado: 'text', caida: 'text' };
  return statement(
    sql`with caida as materialized (
        select from pausas where proveedor = ${proveedor} and prueba_en is not null and responde_en is null for key share
      ), espera as (
        select e.* from ${unnest(held, 'e', types)} join mensajes m on m.id = e.id where exists (select from caida)
        order by m.id for no key update of m
      )
      update mensajes m set estado = case m.estado when 'incierto' then m.estado else 'pendiente' end,
        intentos = case m.estado when 'fallido' then 0 else m.intentos end, causa = e.caida, actualizado_en = now(),
        proximo_en = now() + make_interval(secs => ${HOLD_MS}::float8 / 1000)
      from espera e where m.id = e.id and m.estado = e.estado
      returning m.id`,
    { name: 'mensajes-hold' },
  );
}

const TURN = `with turno as (
    select proveedor, prueba_en as antes from pausas where proveedor = $1 and prueba_en <= now() for no key update skip locked
  )
  update pausas p set prueba_en = now() + case when responde_en is null then interval '${PROBE_S} seconds' else interval '0' end
  from turno where p.proveedor = turno.proveedor
  returning p.responde_en, extract(epoch from now() - turno.antes)::float8 as espera_s`;

/** Work for a provider that is, or was, out. */
export interface Turn {
  /** Since when it works again; null while it is out. */
  responde_en: Date | null;
  /** Seconds since this was due. */
  espera_s: number;
}

/** A row, for one process, if the next probe or the next release is due. */
export function takeTurn(proveedor: string): QueryConfig {
  return { name: 'outage-turn', text: TURN, values: [proveedor] };
}

/** SQL condition on `t`: the message is to be sent, to a person. @param estados parameter. */
const WAITS = `t.estado = any ($1) and not coalesce((select g.de_prueba from guias g
    where g.comercio_id = t.comercio_id and g.id = t.guia_id), false)`;

/** The messages that waited when their provider began to work again; the parameters are the states, and when. */
export const HELD = `${WAITS} and t.proximo_en > now() and t.actualizado_en <= $2`;

/** Chooses the message that waits since its last try for longest, and records it as the probe; no row if none waits. */
export function chooseProbe(proveedor: string, estados: readonly MensajeEstado[]): QueryConfig {
  const text = `update pausas set prueba_id = sonda.id
    from (select t.id from mensajes t where ${WAITS} order by t.actualizado_en limit 1) sonda
    where proveedor = $2 and responde_en is null returning prueba_id`;
  return { text, values: [estados, proveedor] };
}

/** Makes a message the probe, if its provider is out. */
export function probeWith(proveedor: string, mensajeId: string): QueryConfig {
  const text = `update pausas set prueba_id = $2, prueba_en = now() + interval '${PROBE_S} seconds'
    where proveedor = $1 and prueba_en is not null and responde_en is null`;
  return { text, values: [proveedor, mensajeId] };
}

/** Forgets an outage: nothing waits any more. */
export function forgetOutage(proveedor: string): QueryConfig {
  return { text: 'delete from pausas where proveedor = $1 and prueba_en is not null', values: [proveedor] };
}
