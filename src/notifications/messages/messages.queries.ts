import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import { columnsOf } from '../../platform/database/columns-of.js';
import { arrayLiteral } from '../../platform/database/array-literal.js';
import { mintLinks } from '../../confirmations/confirmations.queries.js';
import { TOKEN_DAYS } from '../../confirmations/token.js';
import { MENSAJE_ADVERTENCIAS } from '../../guias/guia/guia-advertencia.js';
import type { GuiaEstado } from '../../guias/guia/guia-estado.js';
import type { GuiaKey } from '../../guias/guia/guia-key.js';
import type { PendingEvento } from '../../platform/events/dispatcher.service.js';
import { quoted } from '../../platform/database/quoted.js';
import { estadosBefore, type EstadoInformado } from './mensaje-estado.js';
import type { IntentoResultado } from './mensaje-intento.entity.js';
import type { QueueableMessage } from '../notifications.queue.js';
import { STARTING_TIPOS, type MensajeTipo } from '../providers/messaging-provider.js';
import type { Recipient } from './recipient.js';
import type { Mensaje } from './mensaje.entity.js';

/** Hours in which WhatsApp allows free answers to a recipient's message. */
const ANSWER_HOURS = 24;

/** s; longer than any try takes, so a process with an older claim has died. */
const LONGEST_TRY_S = 12;

/** A message with all that determines whether and how it is sent. */
export interface MensajeRow extends Pick<
  Mensaje,
  | 'id'
  | 'tipo'
  | 'estado'
  | 'comercio_id'
  | 'guia_id'
  | 'telefono'
  | 'usuario'
  | 'proveedor_id'
  | 'causa'
  | 'intentos'
  | 'primer_intento_en'
> {
  /** ms until the next try is due. */
  falta_ms: number;
  /** ms until the claim of a try ends. */
  reclamo_ms: number;
  /** Whether it is too old to be sent: 7 days for a link, 24 hours for an answer. */
  vencido: boolean;
  /** Whether its guide got another phone after the message was created. */
  telefono_cambiado: boolean;
  /** Whether its guide has changed in any way since it was asked for. */
  cambiada: boolean;
  niega: boolean;
  de_baja: boolean;
  guia: string | null;
  de_prueba: boolean;
  guia_estado: GuiaEstado | null;
  con_pin: boolean;
  direccion_confirmada: boolean | null;
  destinatario: string | null;
  comercio: string | null;
  /** Whether its guide has a warning that its recipient was not asked. */
  sin_preguntar: boolean;
  con_mensaje_no_enviado: boolean;
  /** Why its provider is out; null if it is not, and of the message that probes it. */
  caida: string | null;
  /** Whether it probes a provider that is out. */
  es_sonda: boolean;
}

/** `secuencia` of the event that caused message `m`, whose id is the event's. */
export const SECUENCIA = `(select e.secuencia from eventos e
    where e.comercio_id = m.comercio_id and e.guia_id = m.guia_id and e.id = m.id)`;

/** Message `m` asks for the destination of a guide that was confirmed, and its recipient has not answered since. */
const INSISTS = `exists (
    select from eventos e where e.comercio_id = m.comercio_id and e.guia_id = m.guia_id and e.id = m.id
      and (e.datos->>'confirmada')::boolean and not exists (
        select from eventos c where c.comercio_id = e.comercio_id and c.guia_id = e.guia_id
          and c.tipo = 'guia.confirmada' and c.secuencia > e.secuencia))`;

/**
 * Creates one message with the event's id for each event that still asks for the destination, and its link; also returns those
 * created before. Leaves out events older than the guide's current phone, and all but the last request of a guide: the change
 * of phone and the later request have events of their own.
 * @param huellas of the links, in the order of the events.
 */
export function askRecipients(eventos: PendingEvento[], huellas: Buffer[]): QueryConfig {
  const columns = columnsOf(eventos, 'comercio_id', 'guia_id', 'id', 'secuencia');
  const [comercios, guias, ids, secuencias] = columns.map(arrayLiteral);
  return statement(
    sql`with evento as (
        select * from unnest(${comercios}::uuid[], ${guias}::uuid[], ${ids}::uuid[], ${secuencias}::integer[], ${huellas}::bytea[])
          as evento (comercio_id, guia_id, id, secuencia, huella)
      ), nuevos as (
        insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en)
        select evento.id, 'confirmacion_ubicacion', 'pendiente', g.comercio_id, g.id, g.telefono, now(), now(), now()
        from evento join guias g on g.comercio_id = evento.comercio_id and g.id = evento.guia_id
        where evento.secuencia >= coalesce(g.telefono_secuencia, 0)
          and (not g.direccion_confirmada or (
            select (e.datos->>'confirmada')::boolean from eventos e
            where e.comercio_id = g.comercio_id and e.guia_id = g.id and e.id = evento.id))
          and (evento.secuencia = g.version or not exists (
            select from eventos later where later.comercio_id = g.comercio_id and later.guia_id = g.id
              and later.tipo = 'guia.confirmacion_pedida' and later.secuencia > evento.secuencia))
        on conflict do nothing
        returning id, comercio_id, guia_id, ronda, tipo
      ), todos as (
        select * from nuevos
        union all select id, comercio_id, guia_id, ronda, tipo from mensajes where id = any (${ids}) and estado = 'pendiente'
      ), enlaces as (
        ${mintLinks(sql`evento where id in (select id from todos)`)}
      )
      select t.id, t.ronda, t.tipo, g.guia, g.de_prueba from todos t join guias g on g.comercio_id = t.comercio_id and g.id = t.guia_id`,
    { name: 'mensajes-ask' },
  );
}

/** Outcomes of a try that may have reached the recipient. */
const MAY_HAVE_LEFT = ['aceptado', 'sin_respuesta', 'interrumpido'] as const satisfies IntentoResultado[];

/**
 * `id` is the first departure of the guide's present trip, so that processes that handle two of its events at once make one
 * message. A trip ends with a move out of `en_ruta` that was not taken back. What was omitted starts again, in a new round, if
 * the guide departs again and no try may have reached the recipient.
 */
const TELL_PINS = `with en_ruta as (
  select distinct on (g.id) evento.id as evento_id, g.comercio_id, g.id as guia_id, g.guia, g.telefono, g.de_prueba, (
      select e.id from eventos e where e.comercio_id = g.comercio_id and e.guia_id = g.id
        and e.tipo = 'guia.estado_cambiado' and e.datos->>'estado' = 'en_ruta'
        and e.secuencia > coalesce((
          select max(x.secuencia) from eventos x where x.comercio_id = g.comercio_id and x.guia_id = g.id
            and x.tipo = 'guia.estado_cambiado' and x.datos->>'estado_anterior' = 'en_ruta' and not exists (
              select from eventos u where u.comercio_id = g.comercio_id and u.guia_id = g.id
                and u.tipo = 'guia.estado_corregido' and (u.datos->>'deshecho')::integer = x.secuencia)
        ), 0)
      order by e.secuencia limit 1) as id
  from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as evento (comercio_id, guia_id, id)
  join guias g on g.comercio_id = evento.comercio_id and g.id = evento.guia_id and g.estado = 'en_ruta'
  join comercios c on c.id = g.comercio_id and c.con_pin
  order by g.id, evento.id desc
), nuevos as (
  insert into mensajes (id, tipo, estado, comercio_id, guia_id, telefono, creado_en, actualizado_en, proximo_en)
  select id, 'pin_de_entrega', 'pendiente', comercio_id, guia_id, telefono, now(), now(), now()
  from en_ruta where id is not null order by id
  on conflict (id) do update set estado = 'pendiente', ronda = mensajes.ronda + 1, intentos = 0, causa = null,
    creado_en = now(), actualizado_en = now(), proximo_en = now()
  where mensajes.estado = 'omitido' and not exists (
    select from mensaje_intentos i where i.mensaje_id = mensajes.id and i.resultado in (${quoted(MAY_HAVE_LEFT)}))
  returning id, ronda
), todos as (
  select * from nuevos
  union all select id, ronda from mensajes
    where id = any (array(select id from en_ruta)) and tipo = 'pin_de_entrega' and estado = 'pendiente'
      and id not in (select id from nuevos)
)
select evento_id, t.id, t.ronda, 'pin_de_entrega' as tipo, guia, de_prueba from todos t join en_ruta using (id)`;

/** The message that tells a PIN, and the event that it follows from. */
export interface PinMessage extends QueueableMessage {
  evento_id: string;
}

/**
 * Creates one message for each guide of a merchant with PIN that is on its way, as `PinMessage`; also returns those that were
 * created before and wait. One for each trip, whichever events it is called with.
 */
export function tellPins(eventos: PendingEvento[]): QueryConfig {
  const values = columnsOf(eventos, 'comercio_id', 'guia_id', 'id').map(arrayLiteral);
  return { name: 'mensajes-pins', text: TELL_PINS, values };
}

/** A message that starts a conversation goes to the guide's current phone, an answer to the person who wrote. */
const RECIPIENT = `case when m.tipo in (${quoted(STARTING_TIPOS)}) then g.telefono else m.telefono end`;

const LOAD = `select m.id, m.tipo, m.estado, m.comercio_id, m.guia_id, ${RECIPIENT} as telefono, m.usuario,
    m.proveedor_id, m.causa, m.intentos, m.primer_intento_en,
    extract(epoch from m.proximo_en - now())::float8 * 1000 as falta_ms,
    extract(epoch from m.actualizado_en + interval '${LONGEST_TRY_S} seconds' - now())::float8 * 1000 as reclamo_ms,
    m.creado_en < now() - case m.tipo when 'confirmacion_ubicacion' then interval '${TOKEN_DAYS} days'
      else interval '${ANSWER_HOURS} hours' end as vencido,
    coalesce(${SECUENCIA} < g.telefono_secuencia, false) as telefono_cambiado,
    coalesce(${SECUENCIA} < g.version, false) as cambiada,
    not coalesce(g.de_prueba, false)
      and exists (select from bajas where destinatario in (${RECIPIENT}, m.usuario) and vigente) as de_baja,
    coalesce('destinatario_niega' = any (g.advertencias), false) as niega,
    coalesce(g.de_prueba, false) as de_prueba, coalesce(c.con_pin, false) as con_pin, g.guia, g.estado as guia_estado, g.direccion_confirmada and not ${INSISTS} as direccion_confirmada, g.destinatario, c.nombre as comercio,
    coalesce(g.advertencias && array[${quoted(MENSAJE_ADVERTENCIAS)}], false) as sin_preguntar,
    coalesce('mensaje_no_enviado' = any (g.advertencias), false) as con_mensaje_no_enviado,
    case when p.prueba_id is distinct from m.id then p.causa end as caida, p.prueba_id is not distinct from m.id as es_sonda
  from mensajes m
  left join guias g on g.comercio_id = m.comercio_id and g.id = m.guia_id
  left join comercios c on c.id = m.comercio_id
  left join pausas p on p.proveedor = $2 and p.prueba_en is not null and p.responde_en is null and not coalesce(g.de_prueba, false)
  where m.id = any ($1)`;

/** Messages and their guides as they are now, in any order. @param proveedor the one in use. */
export function loadMensajes(ids: string[], proveedor: string): QueryConfig {
  return { name: 'mensajes-load', text: LOAD, values: [ids, proveedor] };
}

/** Schedules a try of a message that was reported as failed, unless another process or a status was first. */
export function retryReported(id: string, causa: string, inMs: number): QueryConfig {
  return statement(
    sql`update mensajes set estado = 'pendiente', causa = ${causa}, actualizado_en = now(),
        proximo_en = now() + make_interval(secs => ${inMs}::float8 / 1000)
      where id = ${id} and estado = 'fallido'`,
    { name: 'mensaje-retry' },
  );
}

export function findCausa(id: string): QueryConfig {
  return { text: 'select causa from mensajes where id = $1', values: [id] };
}

/** The message that a report was about. */
export interface ReportedRow extends QueueableMessage {
  comercio_id: string | null;
  guia_id: string | null;
  intentos: number;
  telefono_cambiado: boolean;
  /** Whether there is a pause that began with a report. */
  hay_pausa: boolean;
}

/**
 * Applies a provider's report of a message, found by our id or the provider's; only ever raises its state. Logs a failure as
 * a try. A repeated report returns the row again, because the caller may have failed the first time.
 */
export function reportMensaje(report: {
  estado: EstadoInformado;
  causa: string | null;
  mensajeId: string | null;
  proveedorId: string;
  usuario: string | null;
}): QueryConfig {
  const { estado, causa, mensajeId, proveedorId, usuario } = report;
  return statement(
    sql`with informado as (
        update mensajes m set estado = ${estado}, causa = ${causa}, actualizado_en = now(),
          proveedor_id = coalesce(${proveedorId}, m.proveedor_id), usuario = coalesce(${usuario}, m.usuario)
        where m.id = coalesce((select id from mensajes where id = ${mensajeId}), (select id from mensajes where proveedor_id = ${proveedorId} limit 1))
          and (m.estado = any (${estadosBefore(estado)}) or (m.estado = ${estado} and m.proveedor_id = ${proveedorId}))
        returning m.id, m.comercio_id, m.guia_id, m.tipo, m.ronda, m.intentos, false as de_prueba,
          (select guia from guias g where g.comercio_id = m.comercio_id and g.id = m.guia_id) as guia,
          coalesce(m.tipo = 'confirmacion_ubicacion' and ${raw(SECUENCIA)} <
            (select telefono_secuencia from guias g where g.comercio_id = m.comercio_id and g.id = m.guia_id), false) as telefono_cambiado,
          exists (select from pausas where por_informe) as hay_pausa
      ), intento as (
        insert into mensaje_intentos (mensaje_id, id, en, resultado, causa)
        select id, md5(${proveedorId}::text)::uuid, now(), 'no_entregado', ${causa} from informado where ${estado}::text = 'fallido'
        on conflict do nothing
      )
      select * from informado`,
    { name: 'mensaje-report' },
  );
}

export interface Reply extends Recipient {
  /** Identical answers have the same id, so that one of them is sent. */
  id: string;
  entranteId: string;
  tipo: MensajeTipo;
  guia: (GuiaKey & { guia: string }) | null;
}

/** Creates an answer, unless there is one with its id. */
export function replyMensaje({ id, entranteId, tipo, guia, telefono, usuario }: Reply): QueryConfig {
  return statement(
    sql`insert into mensajes
        (id, tipo, estado, comercio_id, guia_id, telefono, usuario, responde_a, creado_en, actualizado_en, proximo_en)
      values (${id}, ${tipo}, 'pendiente', ${guia?.comercioId}, ${guia?.guiaId}, ${telefono}, ${usuario}, ${entranteId},
        now(), now(), now())
      on conflict do nothing`,
    { name: 'mensaje-reply' },
  );
}

const LAST_REPLY = `select id, responde_a, creado_en > now() - interval '24 hours' as reciente from mensajes
  where tipo = $1 and (telefono = $2 or usuario = $3) order by creado_en desc limit 1`;

export interface LastReplyRow {
  id: string;
  /** The incoming message that it answers. */
  responde_a: string | null;
  /** Whether it is younger than 24 hours. */
  reciente: boolean;
}

/** The last message of a type that was created for a person. */
export function findLastReply(tipo: MensajeTipo, { telefono, usuario }: Recipient): QueryConfig {
  return { name: 'mensaje-last-reply', text: LAST_REPLY, values: [tipo, telefono, usuario] };
}
