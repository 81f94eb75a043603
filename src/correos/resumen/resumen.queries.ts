import type { QueryConfig } from 'pg';
import { raw, sql, statement } from '../../platform/database/sql.js';
import type { Comercio } from '../../auth/merchants/comercio.entity.js';
import { LOWEST_ID } from '../../platform/database/row-id.js';
import type { Morning } from './resumen-day.js';

/** SQL condition: a merchant `c` gets summaries. */
const IS_TOLD = 'c.correo is not null and c.con_resumen and c.prueba_de is null and c.cerrado_en is null';

export function toldCountries(): QueryConfig {
  return { name: 'resumen-countries', text: `select distinct c.pais from comercios c where ${IS_TOLD}` };
}

/** SQL condition: a merchant's summary of the day is to be decided; it was made before. */
const isDue = ({ dia, madeBefore }: Morning) =>
  sql`${raw(IS_TOLD)} and c.resumen_dia is distinct from ${dia}::date and c.creado_en < ${new Date(madeBefore)}`;

/** Merchants of a page. */
export const MAX_MERCHANTS = 500;

/** Merchants of a country whose summary of the day is not decided. @param after id of the last one of the page before. */
export function dueMerchants(pais: string, morning: Morning, after = LOWEST_ID): QueryConfig {
  return statement(
    sql`select c.id from comercios c where c.pais = ${pais} and ${isDue(morning)} and c.id > ${after}
      order by c.id limit ${raw(String(MAX_MERCHANTS))}`,
    { name: 'resumen-due' },
  );
}

export type ToldMerchant = Pick<Comercio, 'nombre' | 'pais' | 'moneda'> & { para: string };

/** Notes that a merchant's summary of the day is decided: of two processes one gets a row. */
export function decideResumen(comercioId: string, morning: Morning): QueryConfig {
  return statement(sql`with decidido as (
      update comercios c set resumen_dia = ${morning.dia} where c.id = ${comercioId} and ${isDue(morning)}
      returning c.nombre, c.pais, c.moneda, c.correo as para
    ) select * from decidido`);
}
