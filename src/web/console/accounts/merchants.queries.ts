import type { QueryConfig } from 'pg';
import type { CountryCode } from 'libphonenumber-js';
import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { sql, statement } from '../../../platform/database/sql.js';
import { unnest } from '../../../platform/database/unnest.js';

export interface FoundMerchant {
  id: string;
  nombre: string;
  pais: CountryCode;
  cerrado: boolean;
}

const BY_NAME = `select id, nombre, pais, cerrado_en is not null as cerrado from comercios
  where prueba_de is null and (position(clave_lugar($1) in clave_lugar(nombre)) > 0 or id::text = $1)
  order by clave_lugar(nombre), id limit $2`;

/** Merchants with a text in their name, without regard to case and accents; or the one with an id. No test twins. */
export function merchantsByName(text: string, limit: number): QueryConfig {
  return { text: BY_NAME, values: [text, limit] };
}

export function merchantCountries(): QueryConfig {
  return { text: 'select distinct pais from comercios', values: [] };
}

/** The columns of a guide's merchant. */
export type MerchantOfGuia = Pick<Comercio, 'id' | 'nombre' | 'pais' | 'moneda' | 'prueba_de'>;

const OF_GUIA = `select c.id, c.nombre, c.pais, c.moneda, c.prueba_de from guias g join comercios c on c.id = g.comercio_id where g.guia = $1`;

export function merchantOfGuia(numero: string): QueryConfig {
  return { text: OF_GUIA, values: [numero] };
}

const OF_GUIAS = `select g.guia, c.nombre from guias g join comercios c on c.id = g.comercio_id where g.guia = any ($1)`;

export function merchantsOfGuias(numeros: string[]): QueryConfig {
  return { text: OF_GUIAS, values: [numeros] };
}

/** Guides of a day that are counted at most. */
export const MAX_PER_DAY = 5_000;

/** Guides that a merchant created on each day. @param days with the lowest id of each, and the lowest of the next. */
export function guiasPerDay(
  merchantId: string,
  days: { dia: string; desde: string; hasta: string }[],
): QueryConfig {
  return statement(sql`select d.dia, (select count(*)::int from (
      select from guias where comercio_id = ${merchantId} and id >= d.desde and id < d.hasta limit ${MAX_PER_DAY + 1}
    ) g) as guias
    from ${unnest(days, 'd', { dia: 'text', desde: 'uuid', hasta: 'uuid' })}`);
}
