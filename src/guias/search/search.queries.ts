import type { QueryConfig } from 'pg';
import { withoutSeparators } from './search-terms.js';
import { quoted } from '../../platform/database/quoted.js';
import { textTypes } from '../../platform/database/text-types.js';
import { OPEN_ESTADOS } from '../guia/guia-estado.js';
import type { GuiaColumnsRead } from '../guia/guia-row.js';

/** A guide that was found. Of the phone it has no more than the end. */
export interface FoundGuia extends GuiaColumnsRead<
  'guia' | 'id' | 'de_prueba' | 'destinatario' | 'estado' | 'external_ref' | 'creada_en'
> {
  /** Of a test guide, the live merchant: a test twin has no page. */
  comercio_id: string;
  comercio: string;
  pais: string;
  /** Last two digits. */
  telefono_final: string;
}

/** An array, or null for all merchants. */
type Merchants = string[] | null;

/** Results of each kind. */
export const MAX_RESULTS = 50;

/** Results of each merchant, where more than one is searched. */
export const MAX_PER_MERCHANT = 5;

/**
 * The guides among `candidatas` (keys, each once), open ones before the others and newest first, a few of each merchant;
 * tests after all others. Each is looked up by its key: the planner expects so many that it would read the whole table.
 * @param first SQL of what comes before that order.
 */
function found(candidatas: string, merchants: Merchants, first = '0'): string {
  const limit = merchants?.length === 1 ? MAX_RESULTS : MAX_PER_MERCHANT;
  return `select guia, id, de_prueba, comercio_id, comercio, pais, destinatario, telefono_final, estado, external_ref, creada_en
  from (
    select *, row_number() over (partition by comercio_id order by primero, cerrada, id desc) as lugar from (
      select g.guia, g.id, g.de_prueba, coalesce(c.prueba_de, c.id) as comercio_id, c.nombre as comercio, c.pais, g.destinatario,
        right(g.telefono, 2) as telefono_final, g.estado, g.external_ref, g.creada_en, ${first} as primero,
        g.estado not in (${quoted(OPEN_ESTADOS)}) as cerrada
      from (${candidatas}) k
      cross join lateral (select * from guias where comercio_id = k.comercio_id and id = k.id offset 0) g
      join comercios c on c.id = g.comercio_id
    ) g
  ) g
  where lugar <= ${limit} order by de_prueba, primero, cerrada, id desc limit ${MAX_RESULTS}`;
}

export function guiasByNumero(numeros: string[], merchants: Merchants = null): QueryConfig {
  const text = found(
    'select comercio_id, id from guias where guia = any ($1) and ($2::uuid[] is null or comercio_id = any ($2))',
    merchants,
  );
  return { text, values: [numeros, merchants], types: textTypes };
}

/** Guides that are ranked of one phone: shops' own numbers may be on very many. */
const MAX_OF_PHONE = 1_000;

/**
 * The newest guides with a phone. Reads the index of phones once for each merchant: an index over all merchants would slow every
 * create down.
 */
const byTelefono = (merchants: Merchants) => `select g.comercio_id, g.id
  from unnest($1::text[]) as n (telefono)
  join comercios c on $2::uuid[] is null or c.id = any ($2)
  cross join lateral (
    select comercio_id, id from guias
    where comercio_id = c.id and reverse(telefono) = reverse(n.telefono)
    order by id desc limit ${merchants === null ? 2 * MAX_PER_MERCHANT : MAX_RESULTS}
  ) g order by g.id desc limit ${MAX_OF_PHONE}`;

/**
 * Guides with one of several phones.
 * @param telefonos a local number as it reads in each country: shops send to other countries, too.
 */
export function guiasByTelefono(telefonos: string[], merchants: Merchants): QueryConfig {
  const text = found(byTelefono(merchants), merchants);
  return { text, values: [telefonos, merchants], types: textTypes };
}

/** The character after "9": an upper bound of all numbers with this prefix. */
const AFTER_DIGITS = ':';

const BY_ULTIMOS = `select g.comercio_id, g.id
  from unnest($1::uuid[]) as c (id)
  cross join lateral (
    select comercio_id, id from guias
    where comercio_id = c.id and reverse(telefono) ~>=~ $2 and reverse(telefono) ~<~ $3 limit ${MAX_RESULTS}
  ) g`;

/** Guides of merchants whose phone ends in some digits. */
export function guiasByUltimos(digits: string, merchants: string[]): QueryConfig {
  const reversed = [...digits].reverse().join('');
  const values = [merchants, reversed, reversed + AFTER_DIGITS];
  return { text: found(BY_ULTIMOS, merchants), values, types: textTypes };
}

/** Guides whose number ends in the same four digits, the newest: of ten million guides a thousand do. */
const MAX_OF_END = 2_000;

/** Of all merchants: newer than what `busqueda` has. */
const UNINDEXED = 500;

const BY_FINALES = `select g.comercio_id, g.id
  from (
    (select comercio_id, guia_id as id from busqueda where ultimos = right($2::text, 4) order by guia_id desc limit ${MAX_OF_END})
    union
    (select comercio_id, id from guias where not de_prueba order by id desc limit ${UNINDEXED})
  ) k
  cross join lateral (select * from guias where comercio_id = k.comercio_id and id = k.id offset 0) g
  where right(g.guia, length($2)) = $2 and g.estado in (${quoted(OPEN_ESTADOS)})
    and ($1::uuid[] is null or g.comercio_id = any ($1))`;

/** Open guides by the last digits of their number, four at least. */
export function guiasByFinales(digits: string, merchants: Merchants): QueryConfig {
  return { text: found(BY_FINALES, merchants), values: [merchants, digits], types: textTypes };
}

const BY_REFERENCIA = `select g.comercio_id, g.id
  from comercios c
  cross join lateral (select * from guias where comercio_id = c.id and external_ref = any ($2) offset 0) g
  where $1::uuid[] is null or c.id = any ($1)`;

/** Guides with one of several `external_ref`, in their order; each merchant has at most one with each. */
export function guiasByReferencia(referencias: string[], merchants: Merchants): QueryConfig {
  const text = found(BY_REFERENCIA, merchants, 'array_position($2, g.external_ref::text)');
  return { text, values: [merchants, referencias], types: textTypes };
}

/** The newest guides, which are searched first; of each merchant, where merchants are named. */
const NEWEST = 5_000;
const NEWEST_OF_MERCHANT = 1_000;

/** Of them, those that are ranked. */
const MAX_NEWEST = 1_000;

/** Other guides that are looked at; more than a rare word is in. */
const MAX_OTHERS = 5_000;

/**
 * Words that many guides have are found among the newest ones, and no index is read for them; others by their trigrams,
 * among all. Each word is in the name, or in the reference.
 */
export function guiasByPalabras(palabras: string[], merchants: Merchants): QueryConfig {
  const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');
  const patterns: string[] = [];
  const like = (word: string) =>
    `b.texto like '%' || clave_lugar($${patterns.push(escaped(word)) + 1}::text) || '%'`;
  // A reference is found as it is written, and without its separators.
  const eachWritten = palabras.map((word) => {
    const joined = withoutSeparators(word);
    return joined === word || joined.length < 3 ? like(word) : `(${like(word)} or ${like(joined)})`;
  });
  const matches = eachWritten.join(' and ');
  const newest =
    merchants === null
      ? // Of a parameter that is not in the text PostgreSQL could not tell the type.
        `select comercio_id, id from guias where not de_prueba and $1::uuid[] is null order by id desc limit ${NEWEST}`
      : `select g.comercio_id, g.id from unnest($1::uuid[]) as c (id) cross join lateral (
          select comercio_id, id from guias where comercio_id = c.id order by id desc limit ${NEWEST_OF_MERCHANT}
        ) g`;
  const text = `with reciente as materialized (
      select n.comercio_id, n.id from (${newest}) n cross join lateral (
        select texto from busqueda where comercio_id = n.comercio_id and guia_id = n.id offset 0
      ) b where ${matches} limit ${MAX_NEWEST}
    ), otra as materialized (
      select b.comercio_id, b.guia_id as id from busqueda b
      where ${matches} ${merchants === null ? '' : 'and b.comercio_id = any ($1)'}
        and (select count(*) from reciente) < ${MAX_RESULTS} limit ${MAX_OTHERS}
    )
    ${found('select * from reciente union select * from otra', merchants)}`;
  return { text, values: [merchants, ...patterns], types: textTypes };
}
