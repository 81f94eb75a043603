import type { QueryConfig } from 'pg';
import { raw, sql, statement, type Sql } from '../../../platform/database/sql.js';
import { textTypes } from '../../../platform/database/text-types.js';
import type { GuiaAdvertencia } from '../../../guias/guia/guia-advertencia.js';
import type { GuiaEstado } from '../../../guias/guia/guia-estado.js';
import type { Motivo } from '../../../guias/guia/guia-motivo.js';
import { LISTED } from '../../../guias/guia/guia-row.js';
import { MAX_SEARCHED } from '../../../guias/guia/newest-guias.js';
import { STANDS } from '../../../guias/guia/standing-moves.js';

export function hasPiloto(comercioId: string, guiaId: string): QueryConfig {
  const text = 'select piloto_id is not null as con_piloto from guias where comercio_id = $1 and id = $2';
  return { text, values: [comercioId, guiaId] };
}

/** Guides that are counted for a day; for more the page says "más de". */
export const MAX_OF_DAY = 20_000;

/** SQL condition: guides that came to their state at this time or later. An index has the guides that changed since then. */
const cameSince = (comercioId: string, since: Date): Sql =>
  sql`comercio_id = ${comercioId} and actualizada_en >= ${since} and coalesce(estado_en, creada_en) >= ${since}`;

/** How many guides came to each state since a time. */
export function countsOfDay(comercioId: string, since: Date): QueryConfig {
  return statement(sql`select estado, count(*)::int as guias from (
      select estado from guias where ${cameSince(comercioId, since)} limit ${MAX_OF_DAY + 1}
    ) g group by estado`);
}

/** The guides that came to a state since a time, the last to change first. */
export function guiasOfDay(
  comercioId: string,
  since: Date,
  estado: GuiaEstado,
  { rows, offset }: { rows: number; offset: number },
): QueryConfig {
  return statement(
    sql`select ${raw(LISTED.join(', '))} from guias where ${cameSince(comercioId, since)} and estado = ${estado}
      order by actualizada_en desc, id desc limit ${rows} offset ${offset}`,
    { types: textTypes },
  );
}

/** Guides that wait for the courier and are looked at for one without a label. */
const MAX_WAITING = 5_000;

/** The newest guides that wait for the courier, printed or not; each row says how many there are in all. */
export function guiasToPrint(comercioId: string, isPrinted: boolean, rows: number): QueryConfig {
  const text = `select ${LISTED.join(', ')}, count(*) over ()::int as todas from (
      select * from guias where comercio_id = $1 and estado in ('aceptado', 'en_camino_a_recoger')
      order by id desc limit ${MAX_WAITING}
    ) g where ${isPrinted ? '' : 'not '}exists (
      select from impresiones i where i.comercio_id = g.comercio_id and i.guia_id = g.id
    ) order by id desc limit $2`;
  return { text, values: [comercioId, rows], types: textTypes };
}

/** Beside the row of a list. */
export interface GuiaMarks {
  id: string;
  advertencias: GuiaAdvertencia[];
  impresa: boolean;
  /** Of the last failed attempt that was not taken back, where the guide stands there. */
  motivo: Motivo | null;
}

export function marksOf(comercioId: string, ids: string[]): QueryConfig {
  const text = `select id, advertencias, exists (
      select from impresiones i where i.comercio_id = g.comercio_id and i.guia_id = g.id
    ) as impresa, case estado when 'intento_fallido' then (
      select e.datos->>'motivo' from eventos e where e.comercio_id = $1 and e.guia_id = g.id
        and e.tipo = 'guia.estado_cambiado' and e.datos->>'estado' = 'intento_fallido' and ${STANDS} order by e.secuencia desc limit 1
    ) end as motivo from guias g where comercio_id = $1 and id = any ($2::uuid[])`;
  return { text, values: [comercioId, ids] };
}

/** Guides of a place that a search finds. */
export const MAX_OF_PLACE = 1_000;

/** The newest guides of a place whose name begins like this, among the merchant's newest. */
export function guiasOfPlace(comercioId: string, name: string): QueryConfig {
  const text = `select id from (
      select id, municipio, departamento from guias where comercio_id = $1 order by id desc limit ${MAX_SEARCHED}
    ) g
    where starts_with(clave_lugar(municipio), clave_lugar($2)) or clave_lugar(departamento) = clave_lugar($2)
    order by id desc limit ${MAX_OF_PLACE}`;
  return { text, values: [comercioId, name] };
}

/** Guides of a state that are counted; for more the page says "más de". */
export const MAX_COUNTED = 10_000;

/** How many guides each of these states has, `MAX_COUNTED` + 1 at most. */
export function countsOfStates(comercioId: string, estados: readonly GuiaEstado[]): QueryConfig {
  const text = `select estado, (
      select count(*)::int from (
        select from guias g where g.comercio_id = $1 and g.estado = e.estado limit ${MAX_COUNTED + 1}
      ) g
    ) as guias from unnest($2::text[]) e (estado)`;
  return { text, values: [comercioId, estados] };
}

export function hasNone(comercioId: string): QueryConfig {
  const text = 'select not exists (select from guias where comercio_id = $1) as es_nuevo';
  return { text, values: [comercioId] };
}
