import type { QueryConfig } from 'pg';
import type { CountryCode } from 'libphonenumber-js';
import { OPEN_ESTADOS } from '../../../guias/guia/guia-estado.js';
import { quoted } from '../../../platform/database/quoted.js';
import { FAILS } from './endpoint-health.queries.js';
import { MAX_GUIAS } from './merchant-guias.queries.js';

export const PAGE = 50;

export interface Account {
  id: string;
  nombre: string;
  /** Keys that work, of both modes. */
  claves: number;
}

export interface MerchantAccount extends Account {
  pais: CountryCode;
  moneda: string;
  cerrado: boolean;
  /** Guides that may still be delivered; `MAX_GUIAS` + 1 for more. */
  abiertas: number;
  /** Whether an endpoint fails. */
  falla: boolean;
}

/** SQL: whether a key `k` works. `least` leaves out nulls. */
const WORKING = `k.revocada_en is null and coalesce(least(k.expira_en, k.solape_hasta) > now(), true)`;

const MERCHANTS = `select c.id, c.nombre, c.pais, c.moneda, c.cerrado_en is not null as cerrado, (
    select count(*)::int from claves_api k join comercios o on o.id = k.comercio_id
    where (o.id = c.id or o.prueba_de = c.id) and ${WORKING}
  ) as claves, (
    select count(*)::int from (
      select from guias where comercio_id = c.id and estado in (${quoted(OPEN_ESTADOS)}) limit ${MAX_GUIAS + 1}
    ) g
  ) as abiertas,
  exists (select from webhooks where comercio_id = c.id and eliminado_en is null and ${FAILS}) as falla
  from comercios c
  where c.prueba_de is null and ($1 = '' or position(clave_lugar($1) in clave_lugar(c.nombre)) > 0 or c.id::text = $1)
  order by clave_lugar(c.nombre), c.id limit ${PAGE + 1} offset $2`;

/** Merchants by name, without test twins. @param q part of a name, or an id; '' for all. @param skip of earlier pages. */
export function listMerchants(q: string, skip: number): QueryConfig {
  return { text: MERCHANTS, values: [q, skip] };
}

const OPERATORS = `select o.id, o.nombre, (
    select count(*)::int from claves_api k where k.operador_id = o.id and ${WORKING}
  ) as claves
  from operadores o order by lower(o.nombre), o.id limit ${PAGE + 1} offset $1`;

/** Operators by name. @param skip of earlier pages. */
export function listOperators(skip: number): QueryConfig {
  return { text: OPERATORS, values: [skip] };
}
