import { quoted } from '../database/quoted.js';
import { LOWEST_ID } from '../database/row-id.js';
import type { GuiaEstado } from './guia-estado.js';

/** Guides in any of some states that a search without a better index looks at: the newest. */
export const MAX_SEARCHED = 5_000;

/** Newest guides of each merchant in a state that are looked at first: the last of `MAX_SEARCHED` of them bounds the search. */
const SAMPLE = MAX_SEARCHED / 20;

/**
 * SQL of the keys of the newest real guides in these states: from the end of each merchant's index of states, without their
 * rows. An index of all open guides would cost each create. Where a sample of each has enough, none older than those is read.
 */
export function newestIn(estados: readonly GuiaEstado[]): string {
  const newest = (count: number, from = '') =>
    `select own.comercio_id, own.id
      from comercios c cross join unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
        select g.comercio_id, g.id from guias g where g.comercio_id = c.id and g.estado = e.estado ${from}
        order by g.id desc limit ${count}
      ) own
      where c.prueba_de is null order by own.id desc limit ${MAX_SEARCHED}`;
  return `with oldest as materialized (
      select id from (${newest(SAMPLE)}) sample order by id desc offset ${MAX_SEARCHED - 1}
    )
    ${newest(MAX_SEARCHED, `and g.id >= coalesce((select id from oldest), '${LOWEST_ID}')`)}`;
}
