import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import type { QueryConfig, QueryResultRow } from 'pg';
import { Config } from '../../config/env.js';
import { Database } from '../../database/database.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { merchantCountries, merchantsByName, type FoundMerchant } from '../merchant/merchants.queries.js';
import { findRequests, type FoundRequest } from '../../solicitudes/request-log.queries.js';
import { readSearch, type SearchTerms } from './search-terms.js';
import {
  guiaByNumero,
  guiasByNombre,
  guiasByReferencia,
  guiasByTelefono,
  guiasByUltimos,
  type FoundGuia,
} from './search.queries.js';

/** Results of each kind. */
export const MAX_RESULTS = 50;

/** Merchants that a search is narrowed to, or that it finds. */
const MAX_MERCHANTS = 20;

export interface SearchResults {
  /** Each once, tests last; those found by a number or reference before those found by name. */
  guias: FoundGuia[];
  merchants: FoundMerchant[];
  requests: FoundRequest[];
  /** The named merchant does not exist. */
  isUnknownMerchant: boolean;
  /** The text has the length of a guide number, and is none. */
  isWrongNumero: boolean;
  /** The text can only be the end of a phone, which is searched for within a merchant. */
  needsMerchant: boolean;
}

/** Finds guides, merchants and requests by words that somebody says on the phone. */
@Injectable()
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /**
   * Searches by phone are audited. A user who may not see a phone finds its guides by the whole number only: by its end,
   * it could be guessed digit after digit.
   * @param merchantName part of a merchant's name, or its id; empty for all merchants.
   */
  async find(user: StaffUser, typed: string, merchantName: string): Promise<SearchResults> {
    const named =
      merchantName === ''
        ? null
        : await this.rows<FoundMerchant>(merchantsByName(merchantName, MAX_MERCHANTS));
    const ids = named?.map(({ id }) => id) ?? null;
    const isUnknownMerchant = ids?.length === 0;
    const takesPhoneEnds = user.role !== 'lectura';
    const terms = readSearch(typed, await this.countries(), takesPhoneEnds && ids !== null);
    const guias = isUnknownMerchant ? [] : await this.guias(user, terms, ids);
    const { nombre, peticion } = terms;
    return {
      guias,
      merchants:
        named ?? (nombre ? await this.rows<FoundMerchant>(merchantsByName(nombre, MAX_MERCHANTS)) : []),
      requests: peticion ? await this.rows<FoundRequest>(findRequests(peticion, MAX_RESULTS)) : [],
      isUnknownMerchant,
      isWrongNumero: terms.isWrongNumero ?? false,
      needsMerchant: takesPhoneEnds && ids === null && /^\d{4}$/.test(typed.trim()),
    };
  }

  private async guias(user: StaffUser, terms: SearchTerms, ids: string[] | null): Promise<FoundGuia[]> {
    const detalle = phoneSearched(terms);
    const comercioId = ids?.length === 1 ? ids[0] : undefined;
    const action = detalle && (await this.audit.begin(user, 'buscar_telefono', { comercioId, detalle }));
    const found = new Map<string, FoundGuia>();
    for (const query of guiaQueries(terms, ids))
      for (const guia of await this.rows<FoundGuia>(query)) found.set(guia.guia, guia);
    // Tests last; the sort is stable.
    const guias = [...found.values()]
      .sort((a, b) => Number(a.de_prueba) - Number(b.de_prueba))
      .slice(0, MAX_RESULTS);
    if (action) await this.audit.end(action.id, 'hecho', foundNota(guias));
    return guias;
  }

  /** Local numbers are read in the country of each merchant, and in the service's own. */
  private async countries(): Promise<CountryCode[]> {
    const rows = await this.rows<{ pais: CountryCode }>(merchantCountries());
    return [...new Set([this.config.defaultCountry, ...rows.map(({ pais }) => pais)])];
  }

  private async rows<Row extends QueryResultRow>(query: QueryConfig): Promise<Row[]> {
    return (await this.database.query<Row>(query)).rows;
  }
}

/** @param ids of the merchants that a search is narrowed to; null for all. */
function guiaQueries(
  { numero, telefonos, ultimos, referencias, nombre }: SearchTerms,
  ids: string[] | null,
): QueryConfig[] {
  return [
    numero ? guiaByNumero(numero) : undefined,
    telefonos ? guiasByTelefono(telefonos, ids, MAX_RESULTS) : undefined,
    ultimos && ids ? guiasByUltimos(ultimos, ids, MAX_RESULTS) : undefined,
    referencias ? guiasByReferencia(referencias, ids, MAX_RESULTS) : undefined,
    nombre ? guiasByNombre(nombre, ids, MAX_RESULTS) : undefined,
  ].filter((query) => query !== undefined);
}

/** The phone that is searched for, as results show phones: by its end. Undefined for a search by anything else. */
function phoneSearched({ telefonos, ultimos }: SearchTerms): string | undefined {
  const digits = telefonos?.[0] ?? ultimos;
  if (digits === undefined) return undefined;
  return `…${digits.slice(-2)}${telefonos ? '' : `, por sus últimos ${digits.length} dígitos`}`;
}

/** Guides that the audit log names. */
const NAMED = 10;

function foundNota(guias: FoundGuia[]): string {
  const numbers = guias.slice(0, NAMED).map(({ guia }) => guia);
  return [`Guías encontradas: ${guias.length}`, ...numbers].join(' · ');
}
