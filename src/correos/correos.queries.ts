import type { QueryConfig } from 'pg';
import { sql, statement } from '../platform/database/sql.js';
import type { Baja } from './baja-token.js';
import type { Correo } from './correo.entity.js';
import type { TextRow } from '../platform/database/text-row.js';

/** A mail that `sandbox inbox` shows. */
export interface InboxRow extends TextRow<Correo, 'para' | 'asunto' | 'clase' | 'creado_en'> {
  texto: string;
}

/** The mails that were kept, newest first. */
export function findInbox(limit: number): QueryConfig {
  return {
    text: `select para, asunto, texto, clase, to_char(creado_en at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as creado_en
      from correos where estado = 'guardado' order by id desc limit $1`,
    values: [limit],
  };
}

export function endMails({ comercioId, clase }: Baja): QueryConfig {
  const column = clase === 'aviso' ? 'con_avisos' : 'con_resumen';
  return { text: `update comercios set ${column} = false where id = $1`, values: [comercioId] };
}

/** Seconds in which a try ends, whatever the server does. */
export const TRY_S = 60;

/** Seconds after which a try that did not end counts as lost, and another begins. */
const LEASE_S = 2 * TRY_S;

/** `intentos` counts this try. */
export interface ClaimedCorreo extends Pick<
  Correo,
  'id' | 'comercio_id' | 'para' | 'clase' | 'asunto' | 'html' | 'intentos' | 'creado_en'
> {
  texto: string;
}

/** Claims a mail that is due: no other process tries it before the lease ends. No row if it is not due. */
export function claimCorreo(id: string): QueryConfig {
  return {
    name: 'correos-claim',
    text: `update correos set intentos = intentos + 1, proximo_en = now() + interval '${LEASE_S} seconds'
      where id = $1 and estado = 'pendiente' and proximo_en <= now()
      returning id, comercio_id, para, clase, asunto, texto, html, intentos, creado_en`,
    values: [id],
  };
}

/** In how many ms a mail is due; no row if it needs no try any more. */
export function findDue(id: string): QueryConfig {
  return {
    text: `select extract(epoch from proximo_en - now())::float8 * 1000 as ms from correos
      where id = $1 and estado = 'pendiente'`,
    values: [id],
  };
}

/** The server took the mail: its text goes, and its address is no longer refused. */
export function acceptCorreo(id: string): QueryConfig {
  return {
    name: 'correos-accepted',
    text: `with enviado as (
        update correos set estado = 'enviado', enviado_en = now(), causa = null, texto = null, html = null
        where id = $1 and estado = 'pendiente' returning para
      )
      update comercios c set correo_rechazo = null from enviado
      where c.correo = enviado.para and c.correo_rechazo is not null`,
    values: [id],
  };
}

/** The server did not take it now; another try follows, unless a later one was begun. */
export function retryCorreo({ id, intentos }: ClaimedCorreo, causa: string, ms: number): QueryConfig {
  return statement(
    sql`update correos set causa = ${causa}, proximo_en = now() + ${ms} * interval '1 millisecond'
      where id = ${id} and estado = 'pendiente' and intentos = ${intentos}`,
    { name: 'correos-retry' },
  );
}

/** No try follows. @param isRefused whether the server refused the address, which its merchants and staff are shown. */
export function failCorreo({ id, intentos }: ClaimedCorreo, causa: string, isRefused: boolean): QueryConfig {
  return statement(
    sql`with fallido as (
        update correos set estado = 'fallido', causa = ${causa}, texto = null, html = null
        where id = ${id} and estado = 'pendiente' and intentos = ${intentos} returning para
      )
      update comercios c set correo_rechazo = ${causa} from fallido
      where ${isRefused}::boolean and c.correo = fallido.para`,
    { name: 'correos-failed' },
  );
}

/** Keeps a mail that was to be sent, where no mail server is named any more. */
export function keepCorreo(id: string): QueryConfig {
  return {
    text: `update correos set estado = 'guardado' where id = $1 and estado = 'pendiente'`,
    values: [id],
  };
}

/** Rows of a look for new mails. */
const MAX_NEW = 200;

/** Mails that were written just now, in whatever process: somebody may wait for them. `LostJobsService` finds all others. */
export function newCorreos(): QueryConfig {
  return {
    name: 'correos-new',
    text: `select id, ronda, clase from correos where estado = 'pendiente' and proximo_en <= now()
        and proximo_en > now() - interval '20 seconds' and intentos = 0 and ronda = 0
      order by clase = 'resumen', proximo_en limit ${MAX_NEW}`,
  };
}
