import type { QueryConfig } from 'pg';
import { raw, sql, type Sql } from '../../platform/database/sql.js';
import type { Comercio } from '../../auth/merchants/comercio.entity.js';
import { quoted } from '../../platform/database/quoted.js';
import type { EventoTipo } from '../../platform/events/evento-tipo.js';
import type { AvisoCodigo, CorreoAviso } from './correo-aviso.entity.js';

/** SQL of merchants `c` that are told by mail; a test twin is told nothing. */
const IS_TOLD = 'c.correo is not null and c.con_avisos and c.prueba_de is null';

/** Warnings that are told at once. `destinatario_no_recibio` is told by its event: it may be said again while it warns. */
const WARNINGS: readonly AvisoCodigo[] = ['destinatario_niega', 'cod_distinto', 'cancelada_ya_recogida'];

export const TOLD_TIPOS = [
  'guia.destinatario_no_recibio',
  'guia.advertencia',
  'guia.estado_cambiado',
] as const satisfies EventoTipo[];

const CODIGO = `case e.tipo when 'guia.destinatario_no_recibio' then 'destinatario_no_recibio'
    when 'guia.advertencia' then nullif(e.datos->>'codigo', 'destinatario_no_recibio') when 'guia.estado_cambiado' then e.datos->>'estado' end`;

/** Keeps what is to be told of events; idempotent. */
export function keepAvisosOf(eventos: { comercio_id: string; guia_id: string; id: string }[]): QueryConfig {
  return {
    name: 'correo-avisos-keep',
    text: `insert into correo_avisos (id, comercio_id, guia_id, codigo, creado_en)
      select e.id, e.comercio_id, e.guia_id, ${CODIGO}, e.creado_en
      from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as p (comercio_id, guia_id, id)
      join comercios c on c.id = p.comercio_id and ${IS_TOLD}
      join eventos e on e.comercio_id = p.comercio_id and e.guia_id = p.guia_id and e.id = p.id
      where ${CODIGO} in (${quoted(['destinatario_no_recibio', 'extraviado', ...WARNINGS])})
      on conflict do nothing`,
    values: [
      eventos.map(({ comercio_id }) => comercio_id),
      eventos.map(({ guia_id }) => guia_id),
      eventos.map(({ id }) => id),
    ],
  };
}

/**
 * SQL that keeps what is to be told of endpoints that were disabled.
 * @param from SQL of their rows `w`: `comercio_id`, `url`. @param id a new one.
 */
export const keepDisabled = (from: string, id: string): Sql =>
  sql`insert into correo_avisos (id, comercio_id, codigo, detalle)
    select ${id}::uuid, c.id, 'webhook_desactivado', substring(w.url from '^[a-z]+://(?:[^/@]*@)?([^/:?#]+)')
    from ${raw(from)} w join comercios c on c.id = w.comercio_id and ${raw(IS_TOLD)}`;

/** Minutes from a mail to the next one of a merchant. */
const PAUSE_MINUTES = 15;

/** SQL condition: a merchant got no mail of this kind just now. @param comercio SQL of its id. */
const isDue = (
  comercio: string,
) => `not exists (select from correos m where m.comercio_id = ${comercio} and m.clase = 'aviso'
  and m.creado_en > now() - interval '${PAUSE_MINUTES} minutes')`;

/** Merchants of one look. */
const MAX_MERCHANTS = 500;

/** Merchants that are to be told something now, those first that have waited longest. */
export function dueMerchants(): QueryConfig {
  return {
    name: 'correo-avisos-due',
    text: `select comercio_id from (
        select comercio_id, min(creado_en) as desde from correo_avisos where escrito_en is null group by comercio_id
      ) a where ${isDue('a.comercio_id')} order by desde limit ${MAX_MERCHANTS}`,
  };
}

/** A merchant; its address is null where it is told nothing any more. */
export type ToldMerchant = Pick<Comercio, 'nombre' | 'pais' | 'moneda'> & { para: string | null };

/** Locks a merchant: of two processes that write its mail, one waits. */
export function lockMerchant(comercioId: string): QueryConfig {
  return {
    text: `select c.nombre, c.pais, c.moneda, case when ${IS_TOLD} then c.correo end as para
      from comercios c where c.id = $1 for no key update`,
    values: [comercioId],
  };
}

/** Rows that a mail shows; it counts the others. */
const SHOWN = 20;

export interface AvisoRow extends Pick<CorreoAviso, 'codigo' | 'detalle' | 'creado_en'> {
  /** Null for an endpoint. */
  guia: string | null;
  external_ref: string | null;
  destinatario: string | null;
  cod_amount: string | null;
  cod_cobrado: string | null;
  /** When it was delivered; null where it is not. */
  entregada_en: Date | null;
  /** Whether the other amount was corrected since, or the guide is not lost any more. */
  corregido: boolean;
  /** The recipient's own words; null if none. */
  nota: string | null;
  /** Rows of the mail, the counted ones among them. */
  total: number;
}

/** After the lock: marks as written all that waits for a merchant, unless it got a mail just now. Returns the first of it. */
export function takeAvisos(comercioId: string): QueryConfig {
  return {
    text: `with tomado as (
        update correo_avisos set escrito_en = now() where comercio_id = $1 and escrito_en is null and ${isDue('$1')}
        returning id, guia_id, codigo, detalle, creado_en
      )
      select t.codigo, t.detalle, t.creado_en, g.guia, g.external_ref, g.destinatario, g.cod_amount,
        b.cod_cobrado, b.cobrado_en as entregada_en,
        case t.codigo when 'cod_distinto' then not g.advertencias @> '{cod_distinto}'
          when 'extraviado' then g.estado <> 'extraviado' end is true as corregido, e.datos->>'nota' as nota, t.total
      from (select *, count(*) over ()::int as total from tomado order by creado_en, id limit ${SHOWN}) t
      left join guias g on g.comercio_id = $1 and g.id = t.guia_id
      left join cobros b on b.comercio_id = $1 and b.guia_id = t.guia_id
      left join eventos e on e.comercio_id = $1 and e.guia_id = t.guia_id and e.id = t.id
        and t.codigo = 'destinatario_no_recibio'
      order by t.creado_en, t.id`,
    values: [comercioId],
  };
}
