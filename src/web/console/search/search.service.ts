import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { firstIdAt } from '../../../platform/database/row-id.js';
import { isFilling } from '../../../guias/search/search-index.queries.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { mayAct } from '../../../platform/config/board-users.js';
import { hasForbiddenCharacter } from '../../../platform/validation/text.js';
import { settlementsBy, type FoundSettlement } from './settlement-search.queries.js';
import { E164, OptOutsService } from '../../../notifications/inbound/opt-outs.service.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService } from '../audit/audit.service.js';
import { merchantCountries, merchantsByName, type FoundMerchant } from '../accounts/merchants.queries.js';
import { findRequests, type FoundRequest } from '../../../auth/solicitudes/request-log.queries.js';
import { readSearch, type SearchTerms } from '../../../guias/search/search-terms.js';
import { guiaQueries } from '../../../guias/search/guia-searches.js';
import { nearNumero } from '../../../guias/search/near-numero.js';
import { guiasByNumero, MAX_RESULTS, type FoundGuia } from '../../../guias/search/search.queries.js';

/** ms; older guides are searchable, unless they are from before there was a search. */
const LATE_MS = 3_600_000;

/** Countries in which a number is read, at most. */
const MAX_NUMBERS = 5;

/** Guides that are shown for a number with a slip. */
const MAX_NEAR = 5;

/** Merchants that a search is narrowed to, or that it finds. */
const MAX_MERCHANTS = 20;

export interface FoundNumber {
  /** E.164. */
  telefono: string;
  de_baja: boolean;
  /** When that was wished, ISO 8601; null without a wish. */
  en: string | null;
}

export interface SearchResults {
  /** Each once, tests last; those found by a number or a whole reference before those found by words. */
  guias: FoundGuia[];
  /** The number of the one guide that the text names: by its number, its phone or its whole reference. */
  only: string | undefined;
  merchants: FoundMerchant[];
  requests: FoundRequest[];
  /** For who may open them. */
  settlements: FoundSettlement[];
  /** Some guides are not yet found by words. */
  isFilling: boolean;
  /** The named merchant does not exist. */
  isUnknownMerchant: boolean;
  /** Nothing has the number that the text may be meant as. */
  near: { fault: string; guias: FoundGuia[] } | undefined;
  /** The numbers that the text may be, where no guide is named alone; whether each opted out, and since when. */
  numbers: FoundNumber[];
  /** The text can only be the end of a phone, which is searched for within a merchant. */
  needsMerchant: boolean;
}

@Injectable()
export class SearchService {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditService,
    private readonly optOuts: OptOutsService,
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
        : await this.database.staff.rows<FoundMerchant>(merchantsByName(merchantName, MAX_MERCHANTS));
    const ids = named?.map(({ id }) => id) ?? null;
    const isUnknownMerchant = ids?.length === 0;
    const takesPhoneEnds = user.role !== 'lectura';
    const terms = readSearch(typed, await this.countries(), takesPhoneEnds && ids !== null);
    const { guias, only } = isUnknownMerchant
      ? { guias: [], only: undefined }
      : await this.guias(user, terms, ids);
    const { palabras, peticion } = terms;
    const requests = peticion
      ? await this.database.staff.rows<FoundRequest>(findRequests(peticion, MAX_RESULTS))
      : [];
    const settlements =
      mayAct(user, 'despacho') && !isUnknownMerchant && !hasForbiddenCharacter(typed, false)
        ? await this.database.staff.rows<FoundSettlement>(settlementsBy(typed.trim(), ids))
        : [];
    return {
      guias,
      settlements,
      only: requests.length + settlements.length === 0 ? only : undefined,
      merchants:
        named ??
        (palabras
          ? await this.database.staff.rows<FoundMerchant>(merchantsByName(typed.trim(), MAX_MERCHANTS))
          : []),
      requests,
      isFilling: palabras !== undefined && (await this.isFilling()),
      isUnknownMerchant,
      near: guias.length === 0 && !isUnknownMerchant ? await this.near(user, typed, ids) : undefined,
      numbers: await this.numbersOf(terms),
      needsMerchant: takesPhoneEnds && ids === null && /^\d{4}$/.test(typed.trim()),
    };
  }

  /** The state of a number, for the page that shows what a form of it did. */
  async numbersOf({ telefonos = [] }: Pick<SearchTerms, 'telefonos'>): Promise<FoundNumber[]> {
    return Promise.all(
      telefonos.slice(0, MAX_NUMBERS).map(async (telefono) => ({
        telefono,
        ...(await this.optOuts.findLast({ telefono, usuario: null })),
      })),
    );
  }

  /**
   * Opts a number out, or in again; sends nothing. The number is in no address, and in the log by its end alone.
   * @param telefono E.164, of a form that a search has shown.
   * @returns the id of its row in the audit log. @throws AppError `validacion`
   */
  async setOptOut(form: Sent<StaffUser>, telefono: string, isOut: boolean): Promise<string> {
    if (!E164.test(telefono)) throw new AppError('validacion', { detail: 'Busque el teléfono otra vez.' });
    const person = { telefono, usuario: null };
    const accion = isOut ? 'dar_de_baja' : 'quitar_baja';
    return this.audit.record(form, accion, { detalle: `…${telefono.slice(-2)}` }, async () => {
      if (!isOut) {
        await this.optOuts.optIn(person);
        return 'Quedó anotado: a este número se le vuelve a escribir.';
      }
      await this.optOuts.optOut(person, 'soporte');
      return 'Quedó anotado: a este número no se le escribe más.';
    });
  }

  /** A number with a slip; `lectura` reads what is wrong with it, and could otherwise try numbers out. */
  private async near(user: StaffUser, typed: string, ids: string[] | null): Promise<SearchResults['near']> {
    const read = nearNumero(typed);
    if (!read) return undefined;
    const guias =
      user.role === 'lectura'
        ? []
        : await this.database.staff.rows<FoundGuia>(guiasByNumero(read.numeros, ids));
    return { fault: read.fault, guias: guias.slice(0, MAX_NEAR) };
  }

  private async guias(
    user: StaffUser,
    terms: SearchTerms,
    ids: string[] | null,
  ): Promise<Pick<SearchResults, 'guias' | 'only'>> {
    const detalle = phoneSearched(terms);
    const comercioId = ids?.length === 1 ? ids[0] : undefined;
    const search = () => this.search(terms, ids);
    if (!detalle) return search();
    return this.audit.during(user, 'buscar_telefono', { comercioId, detalle }, async () => {
      const results = await search();
      return [results, foundNota(results.guias)];
    });
  }

  private async search(
    terms: SearchTerms,
    ids: string[] | null,
  ): Promise<Pick<SearchResults, 'guias' | 'only'>> {
    const found = new Map<string, FoundGuia>();
    const named = new Set<string>();
    for (const { query, isExact } of guiaQueries(terms, ids))
      for (const guia of await this.database.staff.rows<FoundGuia>(query)) {
        found.set(guia.guia, guia);
        if (isExact) named.add(guia.guia);
      }
    // Tests last; the sort is stable.
    const guias = [...found.values()]
      .sort((a, b) => Number(a.de_prueba) - Number(b.de_prueba))
      .slice(0, MAX_RESULTS);
    return { guias, only: named.size === 1 ? [...named][0] : undefined };
  }

  private async isFilling(): Promise<boolean> {
    return (
      await this.database.staff.rows<{ filling: boolean }>(isFilling(firstIdAt(Date.now() - LATE_MS)))
    )[0]!.filling;
  }

  /** Local numbers are read in the country of each merchant, and in the service's own. */
  private async countries(): Promise<CountryCode[]> {
    const rows = await this.database.staff.rows<{ pais: CountryCode }>(merchantCountries());
    return [...new Set([this.config.defaultCountry, ...rows.map(({ pais }) => pais)])];
  }
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
