import type { QueryConfig } from 'pg';
import { textTypes } from '../../database/text-types.js';
import type { GuiaEstado } from '../../guias/guia-estado.js';

/** A guide that was found. Of the phone it has no more than the end. */
export interface FoundGuia {
  guia: string;
  id: string;
  /** Whether it was created with a test key: nobody delivers it. */
  de_prueba: boolean;
  /** Of a test guide, the live merchant: a test twin has no page. */
  comercio_id: string;
  comercio: string;
  pais: string;
  destinatario: string;
  /** Last two digits. */
  telefono_final: string;
  estado: GuiaEstado;
  external_ref: string | null;
  /** ISO 8601. */
  creada_en: string;
}

const FOUND = `g.guia, g.id, g.de_prueba, coalesce(c.prueba_de, c.id) as comercio_id, c.nombre as comercio, c.pais, g.destinatario,
  right(g.telefono, 2) as telefono_final, g.estado, g.external_ref, g.creada_en`;

/** An array, or null for all merchants. */
type Merchants = string[] | null;

const BY_NUMERO = `select ${FOUND} from guias g join comercios c on c.id = g.comercio_id where g.guia = $1`;

export function guiaByNumero(numero: string): QueryConfig {
  return { text: BY_NUMERO, values: [numero], types: textTypes };
}

/** Reads the index of phones once for each merchant: an index over all merchants would slow every create down. */
const BY_TELEFONO = `select ${FOUND}
  from unnest($1::text[]) as n (telefono)
  join comercios c on $2::uuid[] is null or c.id = any ($2)
  cross join lateral (
    select * from guias
    where comercio_id = c.id and reverse(telefono) = reverse(n.telefono) order by id desc limit $3
  ) g
  order by c.prueba_de is not null, g.id desc limit $3`;

/**
 * Guides with one of several phones, newest first; tests after all others.
 * @param telefonos a local number as it reads in each country: shops send to other countries, too.
 */
export function guiasByTelefono(telefonos: string[], merchants: Merchants, limit: number): QueryConfig {
  return { text: BY_TELEFONO, values: [telefonos, merchants, limit], types: textTypes };
}

/** The character after "9": an upper bound of all numbers with this prefix. */
const AFTER_DIGITS = ':';

const BY_ULTIMOS = `select ${FOUND}
  from comercios c
  cross join lateral (
    select * from guias
    where comercio_id = c.id and reverse(telefono) ~>=~ $2 and reverse(telefono) ~<~ $3 limit $4
  ) g
  where c.id = any ($1) order by c.prueba_de is not null, g.id desc limit $4`;

/** Guides of merchants whose phone ends in some digits. */
export function guiasByUltimos(digits: string, merchants: string[], limit: number): QueryConfig {
  const reversed = [...digits].reverse().join('');
  return {
    text: BY_ULTIMOS,
    values: [merchants, reversed, reversed + AFTER_DIGITS, limit],
    types: textTypes,
  };
}

const BY_REFERENCIA = `select ${FOUND}
  from comercios c
  cross join lateral (select * from guias where comercio_id = c.id and external_ref = any ($2) offset 0) g
  where $1::uuid[] is null or c.id = any ($1)
  order by c.prueba_de is not null, array_position($2, g.external_ref::text), g.id desc limit $3`;

/** Guides with one of several `external_ref`, in their order; each merchant has at most one with each. */
export function guiasByReferencia(referencias: string[], merchants: Merchants, limit: number): QueryConfig {
  return { text: BY_REFERENCIA, values: [merchants, referencias, limit], types: textTypes };
}

/** Sorts after every text with the same beginning. */
const AFTER_TEXTS = '\u{10ffff}';

/**
 * Bounds instead of `like`, which would not use the index with a parameter. Merchant by merchant, each with the limit, so
 * that a common name costs no more than a rare one; test twins last.
 */
const BY_NOMBRE = `select ${FOUND}
  from (select * from comercios order by prueba_de is not null) c
  cross join lateral (
    select * from guias
    where comercio_id = c.id and destinatario <> '' and clave_lugar(destinatario) ~>=~ clave_lugar($2)
      and clave_lugar(destinatario) ~<~ (clave_lugar($2) || $3::text)
    order by clave_lugar(destinatario) using ~<~, id limit $4
  ) g
  where $1::uuid[] is null or c.id = any ($1) limit $4`;

/** Guides whose recipient's name begins with a text. */
export function guiasByNombre(nombre: string, merchants: Merchants, limit: number): QueryConfig {
  return { text: BY_NOMBRE, values: [merchants, nombre, AFTER_TEXTS, limit], types: textTypes };
}
