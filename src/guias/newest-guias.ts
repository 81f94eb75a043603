import { quoted } from '../database/quoted.js';
import type { GuiaEstado } from './guia-estado.js';

/** Guides in any of some states that a search without a better index looks at: the newest. */
export const MAX_SEARCHED = 5_000;

/**
 * SQL of the keys of the newest real guides in these states: from the end of each merchant's index of states, without their
 * rows. An index of all open guides would cost each create.
 */
export function newestIn(estados: readonly GuiaEstado[]): string {
  return `select own.comercio_id, own.id
    from comercios c cross join unnest(array[${quoted(estados)}]) e (estado) cross join lateral (
      select g.comercio_id, g.id from guias g where g.comercio_id = c.id and g.estado = e.estado
      order by g.id desc limit ${MAX_SEARCHED}
    ) own
    where c.prueba_de is null order by own.id desc limit ${MAX_SEARCHED}`;
}
