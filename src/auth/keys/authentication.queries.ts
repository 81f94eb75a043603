import type { QueryConfig } from 'pg';
import type { CountryCode } from 'libphonenumber-js';
import type { ClaveApi } from './clave-api.entity.js';

export interface KeyRow extends Pick<
  ClaveApi,
  'id' | 'identificador' | 'huella' | 'alcances' | 'revocada_en' | 'comercio_id' | 'operador_id'
> {
  /** ms that it still works, by the database's clock; null without an end. */
  vigencia_ms: number | null;
  comercio: string | null;
  pais: CountryCode | null;
  moneda: string | null;
  /** Whether the merchant is a test twin; null for an operator's key. */
  de_prueba: boolean | null;
  /** Whether the merchant is closed; null for an operator's key. */
  cerrado: boolean | null;
  operador: string | null;
}

/** The keys with these identifiers, in any order. */
export function findKeys(identifiers: string[]): QueryConfig {
  const text = `select k.id, k.identificador, k.huella, k.alcances, k.revocada_en,
      (extract(epoch from least(k.expira_en, k.solape_hasta) - now()) * 1000)::float8 as vigencia_ms,
      k.comercio_id, c.nombre as comercio, c.pais, c.moneda, c.prueba_de is not null as de_prueba,
      c.cerrado_en is not null as cerrado, k.operador_id, o.nombre as operador
    from claves_api k left join comercios c on c.id = k.comercio_id left join operadores o on o.id = k.operador_id
    where k.identificador = any ($1)`;
  return { name: 'claves-find', text, values: [identifiers] };
}

/** @param times when each of the keys was last used. */
export function recordUses(ids: string[], times: Date[]): QueryConfig {
  const text = `update claves_api set ultimo_uso_en = greatest(ultimo_uso_en, seen.at)
    from unnest($1::uuid[], $2::timestamptz[]) as seen (id, at) where claves_api.id = seen.id`;
  return { text, values: [ids, times] };
}
