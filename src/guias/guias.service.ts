import { Injectable } from '@nestjs/common';
import type { Merchant } from '../auth/decorators.js';
import { Database } from '../database/database.js';
import { newRowId } from '../database/row-id.js';
import { uniqueViolation } from '../database/sqlstate.js';
import { AppError, type FieldError } from '../errors/app-error.js';
import type { ErrorCode } from '../errors/error-codes.js';
import { RelayService } from '../events/relay.service.js';
import { resolveMapLink } from '../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { differingFields } from './create/differing-fields.js';
import { toNewGuia, type CrearGuiaDto } from './dto/crear-guia.dto.js';
import { INITIAL_ESTADO } from './guia-estado.js';
import { GuiaInsertsService } from './create/guia-inserts.service.js';
import { namedBy, noSuchGuia } from './guia-name.js';
import { GuiaNumerosService } from './create/guia-numeros.service.js';
import {
  findGuia,
  type KeptGuia,
  type GuiaDetalleRow,
  type GuiaInsert,
  type GuiaRow,
  type NewGuia,
} from './guias.queries.js';
import { plausibilityWarnings, withLink } from './links/link-outcome.js';

/** A guide that was made, or was there already under its external_ref. */
export interface Creation {
  guia: Pick<GuiaRow, 'id' | 'guia' | 'estado' | 'external_ref'>;
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the guide kept, by the request's names. */
  differing: string[];
}

/** Times a guide number may be found taken: only after APP_SECRET was changed, and then once in a million. */
const NUMERO_ATTEMPTS = 5;

@Injectable()
export class GuiasService {
  constructor(
    private readonly database: Database,
    private readonly numeros: GuiaNumerosService,
    private readonly inserts: GuiaInsertsService,
    private readonly relay: RelayService,
    private readonly links: ShortLinkClient,
  ) {}

  /**
   * Makes a guide, or finds the one that has its external_ref. The database decides who is first; the
   * loser of a race reads the winner.
   */
  async create(merchant: Merchant, dto: CrearGuiaDto): Promise<Creation> {
    const read = toNewGuia(dto);
    const isShort = read.enlaces_pendientes.length > 0;
    // Before any map service is asked: a repeat makes no request.
    const known =
      isShort &&
      read.external_ref !== null &&
      (await this.find(merchant.id, 'external_ref', read.external_ref));
    if (known) return { guia: known, isDuplicate: true, differing: differingFields(dto, read, known) };
    const nueva = isShort ? await this.expand(merchant.id, read) : read;
    nueva.advertencias = plausibilityWarnings(merchant.country, nueva);
    const outcome = await this.insert(merchant.id, nueva);
    if (outcome.escrita) return { guia: outcome.escrita, isDuplicate: false, differing: [] };
    // The one that was first is not seen by a statement that began before its end.
    const { conservada = await this.find(merchant.id, 'external_ref', nueva.external_ref!) } = outcome;
    if (!conservada) throw new Error('a guide that blocked an insert was not found');
    return { guia: conservada, isDuplicate: true, differing: differingFields(dto, nueva, conservada) };
  }

  /** By id or by guide number. @throws AppError `no_encontrado`, also for another merchant's. */
  async detail(merchant: Merchant, idOrGuia: string): Promise<GuiaDetalleRow> {
    const guia = await this.find(merchant.id, namedBy(idOrGuia), idOrGuia);
    if (!guia) throw noSuchGuia();
    return guia;
  }

  /**
   * Asks the map services what the short links of a new guide stand for; what they do not say in time stays to be asked.
   * @throws AppError `enlace_…` naming each link that cannot be used.
   */
  private async expand(comercioId: string, read: NewGuia): Promise<NewGuia> {
    const links = await Promise.all(
      read.enlaces_pendientes.map(async (lugar) => ({
        lugar,
        link: await resolveMapLink(read[`${lugar}_maps_url`]!, comercioId, this.links),
      })),
    );
    let nueva = read;
    const errores: FieldError[] = [];
    for (const { lugar, link } of links) {
      const outcome = withLink(nueva, lugar, link);
      if ('error' in outcome) errores.push(outcome.error);
      else nueva = outcome.nueva;
    }
    if (errores[0]) throw new AppError(errores[0].codigo as ErrorCode, { errores });
    return nueva;
  }

  /** The guide as it was written, or the one that is kept in its place where that was to be seen. */
  private async insert(
    comercioId: string,
    nueva: NewGuia,
  ): Promise<{ escrita?: GuiaInsert; conservada?: KeptGuia }> {
    const since = performance.now();
    for (let attempt = 1; ; attempt++) {
      const numero = await this.numeros.take();
      // The id carries the time, so that both sort alike.
      const now = Date.now();
      // Into the object that is there: a copy by spreading outlives its request, and the heap doubles.
      const guia = Object.assign(nueva, {
        comercio_id: comercioId,
        id: newRowId(now),
        guia: numero,
        estado: INITIAL_ESTADO,
        creada_en: new Date(now).toISOString(),
      });
      try {
        const { por_despachar, conservada } = await this.inserts.insert(guia, since);
        if (por_despachar) this.relay.wake();
        return por_despachar === null ? { conservada: conservada ?? undefined } : { escrita: guia };
      } catch (error) {
        if (attempt === NUMERO_ATTEMPTS || uniqueViolation(error) !== 'guias_guia_key') throw error;
      }
    }
  }

  private async find(
    comercioId: string,
    by: 'id' | 'guia' | 'external_ref',
    value: string,
  ): Promise<GuiaDetalleRow | undefined> {
    const { rows } = await this.database.query<GuiaDetalleRow>(findGuia(comercioId, by, value));
    return rows[0];
  }
}
