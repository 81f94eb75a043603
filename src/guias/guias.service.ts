import { Injectable } from '@nestjs/common';
import type { Merchant } from '../auth/merchants/merchant.js';
import { Database } from '../platform/database/database.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { newRowId } from '../platform/database/row-id.js';
import { uniqueViolation } from '../platform/database/sqlstate.js';
import { AppError } from '../platform/errors/app-error.js';
import { RelayService } from '../platform/events/relay.service.js';
import { isUnknownPlace } from '../locations/places/places.js';
import { resolveMapLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { differingFields } from './create/differing-fields.js';
import { toNewGuia, type CrearGuiaDto } from './dto/crear-guia.dto.js';
import { INITIAL_ESTADO } from './guia/guia-estado.js';
import { GuiaInsertsService } from './create/guia-inserts.service.js';
import { guiaOfOtherMode, lookupColumnOf, noSuchGuia } from './guia/guia-lookup.js';
import { GuiaNumerosService } from './create/guia-numeros.service.js';
import type { GuiaDelComercioRow, GuiaDetalleRow, GuiaRow, NewGuia } from './guia/guia-row.js';
import { findGuia, findInOtherMode, findNumeros } from './guias.queries.js';
import type { GuiaInsert, KeptGuia } from './create/guia-inserts.queries.js';
import { traceparent } from '../platform/tracing/spans.js';
import { refusedLinks, type LinkError } from './guia/link-errors.js';
import { MUNICIPIO_DESCONOCIDO, type NewGuiaAdvertencia } from './guia/guia-advertencia.js';
import { advertenciasOfNewGuia } from './guia/advertencia-rules.js';
import { withLink } from './links/link-outcome.js';
import { SearchIndexService } from './search/search-index.service.js';

/** A new guide, or the existing one with the same external_ref. */
export interface Creation {
  guia: Pick<GuiaRow, 'id' | 'guia' | 'estado' | 'external_ref'>;
  isDuplicate: boolean;
  /** The warnings of a new guide; of a repeat `cancelada`, where it is. */
  advertencias: readonly (NewGuiaAdvertencia | 'cancelada')[];
  /** Fields of a repeat that differ from the existing guide, by their names in the request. */
  differing: string[];
}

/** Attempts to insert a guide. Its number is taken only after a change of APP_SECRET, and rarely. */
const NUMERO_ATTEMPTS = 5;

/** ms kept for the commit, which follows the statement's last check of its deadline, and for the answer. */
const WRITE_MARGIN_MS = 200;

@Injectable()
export class GuiasService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly numeros: GuiaNumerosService,
    private readonly inserts: GuiaInsertsService,
    private readonly relay: RelayService,
    private readonly searchIndex: SearchIndexService,
    private readonly links: ShortLinkClient,
  ) {}

  /**
   * Creates a guide, or finds the one with its external_ref. The database decides races; the loser reads the winner's
   * guide.
   * @throws AppError `comercio_cerrado`; `enlace_…`
   * @param deadline of the response, as a `performance.now()` timestamp; the guide is not written after it.
   * @param linksUntil deadline in the same form; a short link not expanded by then is expanded later.
   */
  async create(
    merchant: Merchant,
    dto: CrearGuiaDto,
    deadline: number,
    linksUntil?: number,
  ): Promise<Creation> {
    const read = toNewGuia(dto);
    const isShort = read.enlaces_pendientes.length > 0;
    if (isShort && read.external_ref !== null) {
      // Before the links are expanded, so that a repeat sends no request to a map service.
      const known = await this.findRepeated(merchant.id, read.external_ref);
      if (known) return toRepeated(known, differingFields(dto, read, known));
    }
    const newGuia = isShort ? await this.expand(merchant.id, read, linksUntil) : read;
    const advertencias = advertenciasOfNewGuia(merchant.country, newGuia);
    newGuia.advertencias = advertencias;
    const outcome = await this.insert(merchant, newGuia, deadline - WRITE_MARGIN_MS);
    if (outcome.written) {
      // `municipio_desconocido` is not stored: it is computed whenever the guide is shown.
      const isUnknown = isUnknownPlace(merchant.country, newGuia);
      const all: Creation['advertencias'] = isUnknown
        ? [...advertencias, MUNICIPIO_DESCONOCIDO]
        : advertencias;
      return { guia: outcome.written, isDuplicate: false, advertencias: all, differing: [] };
    }
    // A statement does not see a guide that was committed after the statement began.
    const kept = outcome.kept ?? (await this.findRepeated(merchant.id, newGuia.external_ref!));
    if (!kept) throw new Error('the existing guide of a repeated external_ref was not found');
    return toRepeated(kept, differingFields(dto, newGuia, kept));
  }

  /** A merchant's guides, by number. */
  async findOwn(comercioId: string, numeros: string[]): Promise<Map<string, GuiaDetalleRow>> {
    if (numeros.length === 0) return new Map();
    const { rows } = await this.database.query<GuiaDetalleRow>(findNumeros(comercioId, numeros));
    return new Map(rows.map((row) => [row.guia, row]));
  }

  /**
   * One guide, by id or number, for a caller that changes it or has just done so.
   * @throws AppError `no_encontrado`, also for another merchant's guide.
   */
  async readFromPrimary({ id }: Pick<Merchant, 'id'>, idOrGuia: string): Promise<GuiaDelComercioRow> {
    const statement = findGuia(id, lookupColumnOf(idOrGuia), idOrGuia);
    const { rows } = await this.database.query<GuiaDelComercioRow>(statement);
    if (!rows[0]) throw noSuchGuia();
    return rows[0];
  }

  /** The same for a caller that only shows it: a replica may answer. A guide of the other mode is named as that. */
  async read(merchant: Merchant, idOrGuia: string): Promise<GuiaDelComercioRow> {
    const by = lookupColumnOf(idOrGuia);
    const { rows } = await this.reads.query<GuiaDelComercioRow>(findGuia(merchant.id, by, idOrGuia));
    if (rows[0]) return rows[0];
    const { rowCount } = await this.reads.query(findInOtherMode(merchant.id, by, idOrGuia));
    throw rowCount ? guiaOfOtherMode(merchant) : noSuchGuia();
  }

  /**
   * Expands the short links of a new guide. Links that no service answers in time stay in
   * `enlaces_pendientes`.
   * @throws AppError `enlace_…` with each link that cannot be used.
   */
  private async expand(comercioId: string, read: NewGuia, until?: number): Promise<NewGuia> {
    const links = await Promise.all(
      read.enlaces_pendientes.map(async (lugar) => ({
        lugar,
        link: await resolveMapLink(read[`${lugar}_maps_url`]!, comercioId, this.links, until),
      })),
    );
    let guia = read;
    const errores: LinkError[] = [];
    for (const { lugar, link } of links) {
      const outcome = withLink(guia, lugar, link);
      if ('error' in outcome) errores.push(outcome.error);
      else guia = outcome.guia;
    }
    if (errores.length > 0) throw refusedLinks(errores);
    return guia;
  }

  /** The guide written, or the existing one with its external_ref, if the statement saw it. */
  private async insert(
    merchant: Merchant,
    newGuia: NewGuia,
    deadline: number,
  ): Promise<{ written?: GuiaInsert; kept?: KeptGuia }> {
    for (let attempt = 1; ; attempt++) {
      const numero = await this.numeros.take();
      // The id contains the creation time, so both sort the same way.
      const now = Date.now();
      // Not a spread copy: see `docs/performance.md`, "Memory".
      const guia = Object.assign(newGuia, {
        comercio_id: merchant.id,
        de_prueba: merchant.isTest,
        id: newRowId(now),
        guia: numero,
        estado: INITIAL_ESTADO,
        creada_en: new Date(now).toISOString(),
        traza: traceparent() ?? undefined,
      });
      try {
        const outcome = await this.inserts.insert(guia, deadline);
        if (!outcome) throw new AppError('comercio_cerrado');
        const { insertada, por_despachar, conservada } = outcome;
        if (!insertada) return { kept: conservada ?? undefined };
        if (por_despachar) this.relay.wake();
        this.searchIndex.noteCreated();
        return { written: guia };
      } catch (error) {
        if (attempt === NUMERO_ATTEMPTS || uniqueViolation(error) !== 'guias_guia_key') throw error;
      }
    }
  }

  private async findRepeated(
    comercioId: string,
    externalRef: string,
  ): Promise<GuiaDelComercioRow | undefined> {
    const { rows } = await this.database.query<GuiaDelComercioRow>(
      findGuia(comercioId, 'external_ref', externalRef),
    );
    return rows[0];
  }
}

/** The outcome of a create whose guide existed before. */
export function toRepeated(guia: Creation['guia'], differing: string[]): Creation {
  return {
    guia,
    isDuplicate: true,
    advertencias: guia.estado === 'cancelado' ? ['cancelada'] : [],
    differing,
  };
}
