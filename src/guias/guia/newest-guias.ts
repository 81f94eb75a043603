import { quoted } from '../../platform/database/quoted.js';
import { LOWEST_ID } from '../../platform/database/row-id.js';
import type { GuiaEstado } from './guia-estado.js';

/** Guides in any of some states that a search without a better index looks at: the newest. */
export const MAX_SEARCHED = 5_000;

/** Newest guides of each merchant in a state that are looked at first: the last of `MAX_SEARCHED` of them bounds the search. */
const SAMPLE = MAX_SEARCHED / 20;

/** Conditions, each as SQL that begins with `and`. */
interface Among {
  /** Of `c`, a merchant. */
  comercio?: string;
  /** Of `g`, a guide: by its `id` alone, which the index has. */
  guia?: string;
}

/**
 * SQL of the keys of the newest real guides in these states: from the end of each merchant's index of states, without their
 * rows. An index of all open guides would cost each create. Where a sample of each has enough, none older than those is read.
 */
export function newestIn(estados: readonly GuiaEstado[], { comercio = '', guia = '' }: Among = {}): string {
  const newest = (count: number, from = '') =>
    `select own.comercio_id, own.id
      from comercios c cross join unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
        select g.comercio_id, g.id from guias g where g.comercio_id = c.id and g.estado = e.estado ${guia} ${from}
        order by g.id desc limit ${count}
      ) own
      where c.prueba_de is null ${comercio} order by own.id desc limit ${MAX_SEARCHED}`;
  return `with oldest as materialized (
      select id from (${newest(SAMPLE)}) sample order by id desc offset ${MAX_SEARCHED - 1}
    )
    ${newest(MAX_SEARCHED, `and g.id >= coalesce((select id from oldest), '${LOWEST_ID}')`)}`;
}

/** Guides that are counted at most. */
export const MAX_COUNTED = 50_000;

/** SQL of how many real guides are in these states, `MAX_COUNTED` at most: the index of states counts them. */
export function countIn(estados: readonly GuiaEstado[], { comercio = '', guia = '' }: Among = {}): string {
  return `select count(*)::int from (
      select from comercios c cross join unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
        select from guias g where g.comercio_id = c.id and g.estado = e.estado ${guia}
      ) own where c.prueba_de is null ${comercio} limit ${MAX_COUNTED}
    ) counted`;
}
