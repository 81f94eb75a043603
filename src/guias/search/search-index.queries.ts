import type { QueryConfig } from 'pg';
import { raw, type Sql } from '../../platform/database/sql.js';
import { SEPARATORS } from './search-terms.js';

/** Who fills `busqueda`: what is new at once; and everything, which also takes what was committed late. */
export type Paso = 'nuevas' | 'repaso';

/** SQL of what a guide is found by: name, reference, and the reference without its separators, on lines of their own. */
const TEXTO = `clave_lugar(concat_ws(E'\\n', nullif(destinatario, ''), external_ref,
    nullif(translate(external_ref, '${SEPARATORS}', ''), external_ref)))`;

const FOUND_BY = `${TEXTO}, right(guia, 4)`;

const COLUMNS = 'comercio_id, id, guia, destinatario, external_ref';

const range = (where: string) => `(select ${COLUMNS} from guias
    where ${where} and id > avance.hasta_id and id < $2 order by id limit $3)`;

/**
 * A row of an earlier version is filled again, and one that an edit wrote meanwhile is left as it is.
 * Another process that is at the same pass is left alone: then `isOurs` is false. The second pass finds nearly all guides in
 * the table already. A scalar subquery looks, not `exists`: see
 * `guia-inserts.queries.ts`.
 */
const INDEX_NEXT = `with avance as (
  select hasta_id from busqueda_avance where paso = $1 for update skip locked
), lote as (
  select g.* from avance cross join lateral (
    ${range('not de_prueba')} union all ${range('de_prueba')} order by id limit $3
  ) g
), puesta as (
  insert into busqueda (comercio_id, guia_id, texto, ultimos)
  select comercio_id, id, ${FOUND_BY} from lote
  where (select true from busqueda b
      where b.comercio_id = lote.comercio_id and b.guia_id = lote.id and b.ultimos is not null) is null
  on conflict (comercio_id, guia_id) do update set texto = excluded.texto, ultimos = excluded.ultimos
    where busqueda.ultimos is null
), avanzado as (
  update busqueda_avance set hasta_id = (select id from lote order by id desc limit 1)
  where paso = $1 and exists (select from lote)
)
select exists (select from avance) as "isOurs", (select count(*)::int from lote) as guias`;

export interface IndexedBatch {
  /** Whether no other process is at the pass. */
  isOurs: boolean;
  guias: number;
}

/**
 * Makes the next guides of a pass searchable, and remembers the last; returns their number.
 * @param before the ids of the guides are smaller.
 */
export function indexNext(paso: Paso, before: string, limit: number): QueryConfig {
  return { text: INDEX_NEXT, values: [paso, before, limit] };
}

/** Makes the guide of a `Change` that returns its detail searchable as it is after it. */
export const indexGuia = (): Sql =>
  raw(`insert into busqueda (comercio_id, guia_id, texto, ultimos)
    select comercio_id, guia_id, ${FOUND_BY} from cambio
    on conflict (comercio_id, guia_id) do update set texto = excluded.texto, ultimos = excluded.ultimos`);

/** By the order of ids, which an index has: for a condition alone the planner would read all guides. */
const IS_FILLING = `select (
    select id from guias
    where not de_prueba and id > (select hasta_id from busqueda_avance where paso = 'repaso') and id < $1
    order by id limit 1
  ) is not null as filling`;

/** Whether guides from before there was a search are still to be made searchable. @param before ids of such guides are smaller. */
export function isFilling(before: string): QueryConfig {
  return { text: IS_FILLING, values: [before] };
}
