import type { QueryConfig } from 'pg';
import { sql, statement, type Sql } from '../../platform/database/sql.js';
import { unnest } from '../../platform/database/unnest.js';
import type { TextRow } from '../../platform/database/text-row.js';
import { asIso } from '../../platform/database/text-types.js';
import type { QueueableMasiva } from './bulk.queue.js';
import type { MasivaGuia } from './masiva-guia.entity.js';
import type { Masiva, MasivaAccion } from './masiva.entity.js';

export interface NewMasiva {
  id: string;
  accion: MasivaAccion;
  /** Key of the cause. */
  causa: string;
  comercioId: string | null;
  usuario: string;
  texto: string | null;
  /** Of `atender`: IANA zone of the merchant, in whose next morning it ends. */
  zona: string | null;
  /** Ids of the messages whose guides are meant; all of the cause by default. */
  mensajes?: string[] | undefined;
}

/**
 * Writes an action with the guides that the cause has now; `atender` is done by that. Returns `QueueableMasiva`, and how many
 * guides; no row for a form that was sent before.
 */
export function insertMasiva(masiva: NewMasiva, causaRows: Sql): QueryConfig {
  const { id, accion, causa, comercioId, usuario, texto, zona, mensajes = null } = masiva;
  return statement(sql`with nueva as (
      insert into masivas (id, accion, causa, comercio_id, usuario, texto, hasta, creado_en, terminado_en, proximo_en)
      select ${id}::uuid, ${accion}, ${causa}, ${comercioId}::uuid, ${usuario}, ${texto},
        ((now() at time zone ${zona}::text)::date + 1 + time '06:00') at time zone ${zona}::text, now(),
        case when ${accion}::text = 'atender' then now() end, now()
      on conflict do nothing returning id, ronda
    ), suyas as (
      insert into masiva_guias (masiva_id, guia_id, comercio_id, guia, mensaje_id, resultado)
      select nueva.id, r.id, r.comercio_id, r.guia, r.mensaje_id, case when ${accion}::text = 'atender' then 'hecho' end
      from nueva, (${causaRows}) r where ${isAsked(causa, mensajes)} on conflict do nothing returning 1
    )
    select id, ronda, (select count(*)::int from suyas) as guias from nueva`);
}

/** SQL condition: the row `r` is of the cause, and of one of these messages, if they are given. */
const isAsked = (causa: string, mensajes: string[] | null) =>
  sql`r.clave = ${causa} and (${mensajes}::uuid[] is null or r.mensaje_id = any (${mensajes}::uuid[]))`;

export interface NewAsignacion {
  id: string;
  usuario: string;
  /** Null: takes the driver away. */
  pilotoId: string | null;
  guias: readonly { comercio_id: string; id: string; guia: string }[];
}

/** Writes an assignment with its guides. Returns `InsertedMasiva`; no row for a form that was sent before. */
export function insertAsignacion({ id, usuario, pilotoId, guias }: NewAsignacion): QueryConfig {
  const types = { comercio_id: 'uuid', id: 'uuid', guia: 'text' };
  return statement(sql`with nueva as (
      insert into masivas (id, accion, causa, usuario, piloto_id, creado_en, proximo_en)
      values (${id}, 'asignar', 'asignar', ${usuario}, ${pilotoId}, now(), now()) on conflict do nothing returning id, ronda
    ), suyas as (
      insert into masiva_guias (masiva_id, guia_id, comercio_id, guia)
      select nueva.id, k.id, k.comercio_id, k.guia from nueva, ${unnest(guias, 'k', types)} on conflict do nothing returning 1
    )
    select id, ronda, (select count(*)::int from suyas) as guias from nueva`);
}

export interface InsertedMasiva extends QueueableMasiva {
  guias: number;
}

export type LeftGuia = Pick<MasivaGuia, 'guia_id' | 'comercio_id' | 'guia' | 'mensaje_id'>;

/** Guides of an action that are left; none once it was stopped. */
export function nextGuias(id: string, limit: number): QueryConfig {
  return {
    text: `select guia_id, comercio_id, guia, mensaje_id from masiva_guias
      where masiva_id = $1 and resultado is null and (select detenida_en is null from masivas where id = $1)
      order by guia_id limit $2`,
    values: [id, limit],
  };
}

/** Counts of unusual guides of a cause, before something is done with them, and of their merchants. */
export interface AskedRow {
  guias: number;
  comercios: number;
  /** Name of the merchant; null where they are of several. */
  comercio: string | null;
  en_ruta: number;
  /** Whose recipient says that the parcel is not theirs. */
  niegan: number;
  /** Whose phone gets no messages. */
  de_baja: number;
}

/** Returns one row, `AskedRow`. @param mensajes ids of the messages whose guides are meant; all of the cause by default. */
export function askedOf(causa: string, mensajes: string[] | undefined, causaRows: Sql): QueryConfig {
  return statement(
    sql`select count(*)::int as guias, count(distinct r.comercio_id)::int as comercios,
        (select c.nombre from comercios c where c.id = min(r.comercio_id::text)::uuid and count(distinct r.comercio_id) = 1) as comercio,
        (count(*) filter (where g.estado = 'en_ruta'))::int as en_ruta,
        (count(*) filter (where 'destinatario_niega' = any (g.advertencias)))::int as niegan,
        (count(*) filter (where exists (select from bajas b where b.destinatario = g.telefono and b.vigente offset 0)))::int as de_baja
      from (${causaRows}) r cross join lateral (select * from guias where comercio_id = r.comercio_id and id = r.id offset 0) g
      where ${isAsked(causa, mensajes ?? null)}`,
  );
}

export interface MasivaProgress extends TextRow<
  Masiva,
  'id' | 'accion' | 'causa' | 'usuario' | 'comercio_id' | 'creado_en' | 'terminado_en' | 'detenida_en'
> {
  comercio: string | null;
  total: number;
  /** Not worked on yet. */
  faltan: number;
  /** Done, but their message has not left yet. */
  por_salir: number;
  hechas: number;
  /** Refused, or whose message failed or was omitted. */
  no: number;
}

/** SQL conditions on `i`, a guide of an action, and its message `m`, which stays failed until its job runs again. */
const WAITS = `coalesce(a.accion = 'reenviar' and m.estado = 'fallido' and m.actualizado_en <= a.creado_en, false)`;
const FAILED = `(i.resultado = 'no' or i.resultado = 'hecho' and a.accion <> 'anotar' and coalesce(m.estado, '') in ('fallido', 'omitido') and not ${WAITS})`;
const UNSENT = `(i.resultado = 'hecho' and i.mensaje_id is not null and a.accion in ('pedir', 'reenviar')
  and (coalesce(m.estado, 'pendiente') in ('pendiente', 'enviando', 'incierto') or ${WAITS}))`;

const JOINED = `masivas a join masiva_guias i on i.masiva_id = a.id left join mensajes m on m.id = i.mensaje_id`;

const PROGRESS = `select a.id, a.accion, a.causa, a.usuario, a.comercio_id, c.nombre as comercio,
    ${asIso('a.creado_en')} as creado_en, ${asIso('a.terminado_en')} as terminado_en,
    ${asIso('a.detenida_en')} as detenida_en, n.*
  from masivas a left join comercios c on c.id = a.comercio_id cross join lateral (
    select count(*)::int as total, (count(*) filter (where i.resultado is null))::int as faltan,
      (count(*) filter (where ${UNSENT}))::int as por_salir, (count(*) filter (where ${FAILED}))::int as no,
      (count(*) filter (where i.resultado = 'hecho' and not ${UNSENT} and not ${FAILED}))::int as hechas
    from masiva_guias i left join mensajes m on m.id = i.mensaje_id where i.masiva_id = a.id
  ) n`;

export function progressOf(id: string): QueryConfig {
  return { text: `${PROGRESS} where a.id = $1`, values: [id] };
}

/** The actions that run, or ended some minutes ago; newest first, at most 5. */
export function recentMasivas(): QueryConfig {
  return {
    text: `${PROGRESS} where a.accion <> 'atender' and (a.terminado_en is null or a.terminado_en > now() - interval '10 minutes')
      order by a.id desc limit 5`,
    values: [],
  };
}

export interface MasivaReason {
  motivo: string;
  guias: number;
  /** Numbers of the first of them. */
  numeros: string[];
}

/** Guides that are named of each reason. */
export const NAMED = 50;

export function reasonsOf(id: string): QueryConfig {
  return {
    text: `select coalesce(i.motivo, m.causa, 'El mensaje no salió.') as motivo, count(*)::int as guias,
        (array_agg(i.guia order by i.guia_id))[1:${NAMED}] as numeros
      from ${JOINED} where a.id = $1 and ${FAILED} group by 1 order by 2 desc, 1 limit 50`,
    values: [id],
  };
}
