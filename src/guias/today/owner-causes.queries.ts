import type { QueryConfig } from 'pg';
import { quoted } from '../../platform/database/quoted.js';
import type { Reads } from '../../platform/database/replicas/reads.js';
import { firstIdAt } from '../../platform/database/row-id.js';
import { raw, sql, statement, type Sql } from '../../platform/database/sql.js';
import { textTypes } from '../../platform/database/text-types.js';
import { capitalised } from '../../platform/validation/text.js';
import { isSeenBy } from '../advertencias-vistas.queries.js';
import {
  ADVERTENCIA_CODES,
  ADVERTENCIAS,
  outlastingFor,
  type GuiaAdvertencia,
} from '../guia/guia-advertencia.js';
import { OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import type { Motivo } from '../guia/guia-motivo.js';
import { LISTED, type GuiaRow } from '../guia/guia-row.js';
import { STANDS } from '../guia/standing-moves.js';

const DAY_MS = 86_400_000;

/** Guides of a merchant that are searched for warnings, the newest that warn: guides that have ended keep their warnings. */
const WARNED_SEARCHED = 10_000;

/** Days that a warning of any state stands. */
const STANDING_DAYS = 30;

/** Days that are searched for guides whose recipient has to answer. */
const LOOK_BACK_DAYS = 30;

/** Guides with a failed attempt that are searched, the newest: their recipients may all have answered. */
const ATTEMPTED_SEARCHED = 500;

/** Guides with an unconfirmed address that are counted. */
const MAX_UNCONFIRMED = 1_000;

/** Warnings that the merchant attends. */
const OWN_CODES = ADVERTENCIA_CODES.filter((code) =>
  (ADVERTENCIAS[code].attendants as readonly string[]).includes('comercio'),
);

const OUTLASTING = quoted(outlastingFor('comercio'));

/**
 * SQL of the guides `g` of a merchant, each with the warnings `codigo` that their merchant has to attend: of a guide in any state
 * for some days and until seen, or while the guide is open.
 */
const warned = (comercioId: string): Sql => sql`select g.*, a.codigo from (
    select * from guias where comercio_id = ${comercioId} and advertencias <> '{}'
    order by id desc limit ${WARNED_SEARCHED}
  ) g cross join lateral unnest(g.advertencias) a (codigo)
  where ${raw(`a.codigo in (${quoted(OWN_CODES)}) and case when a.codigo in (${OUTLASTING})
    then g.actualizada_en > now() - interval '${STANDING_DAYS} days' and not ${isSeenBy('comercio')}
    else g.estado in (${quoted(OPEN_ESTADOS)}) end`)}`;

/** SQL of the guides `g` with a failed attempt, since which the recipient has not answered. @param since the lowest id. */
const attemptedSince = (
  comercioId: string,
  since: string,
): Sql => sql`select g.*, intento.creado_en as desde, intento.motivo
  from (
    select * from guias where comercio_id = ${comercioId} and estado = 'intento_fallido' and id >= ${since}
    order by id desc limit ${ATTEMPTED_SEARCHED}
  ) g cross join lateral (
    select secuencia, creado_en, datos->>'motivo' as motivo from eventos e
    where comercio_id = ${comercioId} and guia_id = g.id and tipo = 'guia.estado_cambiado' and ${raw(STANDS)}
    order by secuencia desc limit 1
  ) intento
  where not exists (select from eventos e where e.comercio_id = ${comercioId} and e.guia_id = g.id
    and e.secuencia > intento.secuencia and e.actor = 'destinatario')`;

/**
 * SQL of the guides `g` without a confirmed address, whose recipients were not asked in the last day: whoever was had time to
 * answer. @param since the lowest id. @param yesterday the first id of the last day.
 */
const unconfirmedSince = (
  comercioId: string,
  since: string,
  yesterday: string,
): Sql => sql`select g.*, g.creada_en as desde from guias g
  where g.comercio_id = ${comercioId} and g.estado in ('aceptado', 'en_camino_a_recoger', 'recogido') and not g.direccion_confirmada
    and g.advertencias = '{}' and g.id >= ${since} and g.id < ${yesterday}
    and not exists (select from mensajes n where n.comercio_id = ${comercioId} and n.guia_id = g.id and n.id >= ${yesterday})
  order by g.id desc`;

const dates = (): [since: string, yesterday: string] => [
  firstIdAt(Date.now() - LOOK_BACK_DAYS * DAY_MS),
  firstIdAt(Date.now() - DAY_MS),
];

const REPORTED: GuiaAdvertencia = 'destinatario_no_recibio';

/** Why guides need their merchant: a warning, an attempt that failed, or an address that nobody confirmed. */
type OwnerCausa = GuiaAdvertencia | 'intentos' | 'sin_confirmar';

/** The guides of a merchant that need it for the same reason. */
export interface OwnerCause {
  causa: OwnerCausa;
  /** In Spanish, as the panel prints it. */
  titulo: string;
  /** How many guides. */
  cuantas: number;
  /** Sum of what is to be collected of these guides, in the merchant's currency. */
  monto: number;
  /** The last change of the guides, ISO 8601. */
  ultima: string;
  /** Where it is one guide, its number, recipient and state; else null. */
  guia: string | null;
  destinatario: string | null;
  estado: GuiaEstado | null;
}

const causes = (
  comercioId: string,
  since: string,
  yesterday: string,
): Sql => sql`select causa, count(*)::int as cuantas, sum(cod_amount) as monto, max(desde) as ultima,
    case when count(*) = 1 then max(guia) end as guia, case when count(*) = 1 then max(destinatario) end as destinatario,
    case when count(*) = 1 then max(estado) end as estado
  from (
    select codigo as causa, guia, destinatario, estado, cod_amount, actualizada_en as desde from (${warned(comercioId)}) g
    union all
    select 'intentos', guia, destinatario, estado, cod_amount, desde from (${attemptedSince(comercioId, since)}) g
    union all
    select 'sin_confirmar', guia, destinatario, estado, cod_amount, desde
    from (${unconfirmedSince(comercioId, since, yesterday)} limit ${MAX_UNCONFIRMED}) g
  ) g group by causa order by causa = '${raw(REPORTED)}' desc, causa = 'mensaje_fallido' desc, cuantas desc, causa`;

function titleOf(causa: OwnerCausa): string {
  if (causa === 'intentos') return 'No se pudo entregar';
  if (causa === 'sin_confirmar') return 'No han marcado su puerta';
  return capitalised(ADVERTENCIAS[causa].name);
}

/** Causes that need a merchant, the most urgent first; empty where there is none. A guide counts in each of its causes. */
export async function ownerCauses(db: Pick<Reads, 'query'>, comercioId: string): Promise<OwnerCause[]> {
  const { rows } = await db.query<Omit<OwnerCause, 'titulo'>>(
    statement(causes(comercioId, ...dates()), { types: textTypes, once: comercioId }),
  );
  return rows.map((row) => ({ ...row, titulo: titleOf(row.causa) }));
}

/** The guides that a warning's cause counts, the newest first. */
export function guiasOfCause(
  comercioId: string,
  codigo: string,
  { rows, offset }: { rows: number; offset: number },
): QueryConfig {
  return statement(
    sql`select ${raw(LISTED.join(', '))} from (${warned(comercioId)}) g where codigo = ${codigo}
      order by id desc limit ${rows} offset ${offset}`,
    { types: textTypes },
  );
}

/** Marks as seen by the merchant the guides that a warning's cause counts, without those that changed after `until`. */
export function markCauseSeen(comercioId: string, codigo: string, until: Date): QueryConfig {
  return statement(sql`insert into advertencias_vistas (comercio_id, guia_id, lado, codigo, vista_en)
    select comercio_id, id, 'comercio', codigo, now() from (${warned(comercioId)}) g
    where codigo = ${codigo} and actualizada_en <= ${until}
    on conflict do nothing`);
}

/** A guide that needs somebody; times are ISO 8601. */
export interface NeedRow extends Pick<GuiaRow, 'guia' | 'destinatario' | 'telefono'> {
  desde: string;
}

export type AttemptedRow = NeedRow & { motivo: Motivo | null };

const NEED_COLUMNS = 'guia, destinatario, telefono, desde';

/** The newest guides with a failed attempt; each has its `motivo`. */
export function attempted(comercioId: string, rows: number): QueryConfig {
  const guias = attemptedSince(comercioId, dates()[0]);
  return statement(
    sql`select ${raw(NEED_COLUMNS)}, motivo from (${guias}) g order by id desc limit ${rows}`,
    {
      types: textTypes,
      once: comercioId,
    },
  );
}

/** The newest guides with an unconfirmed address. */
export function unconfirmed(comercioId: string, rows: number): QueryConfig {
  const guias = sql`${unconfirmedSince(comercioId, ...dates())} limit ${rows}`;
  return statement(sql`select ${raw(NEED_COLUMNS)} from (${guias}) g order by id desc`, {
    types: textTypes,
    once: comercioId,
  });
}
