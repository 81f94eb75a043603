import type { QueryConfig } from 'pg';
import type { SearchTerms } from './search-terms.js';
import {
  guiasByNumero,
  guiasByFinales,
  guiasByPalabras,
  guiasByReferencia,
  guiasByTelefono,
  guiasByUltimos,
} from './search.queries.js';

/**
 * The statements that search guides by each reading of a text.
 * @param ids of the merchants that a search is narrowed to; null for all.
 * @param numeroIds of the merchants among which a guide's number is searched; null for all.
 */
export function guiaQueries(
  { numero, telefonos, ultimos, finales, referencias, sinLetras, palabras }: SearchTerms,
  ids: string[] | null,
  numeroIds: string[] | null = null,
): { query: QueryConfig; isExact: boolean }[] {
  // A reference without a digit may be a name.
  const isReference = referencias?.some((text) => /\d/.test(text)) ?? false;
  const queries: [query: QueryConfig | undefined, isExact: boolean][] = [
    [numero ? guiasByNumero([numero], numeroIds) : undefined, true],
    [telefonos ? guiasByTelefono(telefonos, ids) : undefined, true],
    [ultimos && ids ? guiasByUltimos(ultimos, ids) : undefined, false],
    [finales ? guiasByFinales(finales, ids) : undefined, false],
    [referencias ? guiasByReferencia(referencias, ids) : undefined, isReference],
    [sinLetras ? guiasByReferencia(sinLetras, ids) : undefined, false],
    [palabras ? guiasByPalabras(palabras, ids) : undefined, false],
  ];
  return queries.flatMap(([query, isExact]) => (query ? [{ query, isExact }] : []));
}
