import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { raw } from '../../platform/database/sql.js';
import { AppError } from '../../platform/errors/app-error.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import { resolveMapLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import type { GuiaDelComercioRow } from '../guia/guia-row.js';
import { besideDetail } from '../guias.queries.js';
import { GuiasService } from '../guias.service.js';
import { LEADS_NOWHERE, NO_POINT, linkError, refusedLinks } from '../guia/link-errors.js';
import { checkCampos, checkEditable } from './editable-fields.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { GuiaChangesService, type Decision } from './guia-changes.service.js';
import type { Author } from './author.js';
import { decideEdit, NO_DESTINO, type Destino, type OtraRecogida } from './guia-edit.js';
import { matchesVersion } from './guia-version.js';

const BESIDE_DETAIL = raw(besideDetail('g'));

@Injectable()
export class GuiaEditsService {
  constructor(
    private readonly guias: GuiasService,
    private readonly changes: GuiaChangesService,
    private readonly links: ShortLinkClient,
  ) {}

  /**
   * Changes a guide's fields in the states that allow it. A destination confirms the address; a short link whose service
   * does not answer is expanded later. If the phone of an unconfirmed guide changes, the recipient gets a new message.
   * @param ifMatch the versions the caller has seen; without it the edit applies to any.
   * @param author whom the history names; support's name is shown to support alone.
   * @param recogida another pickup point.
   * @throws AppError `no_encontrado`, `version_obsoleta`, `guia_no_modificable`; `enlace_…`; `no_disponible` after too long
   *   a wait for the guide.
   */
  async edit(
    merchant: Pick<Merchant, 'id' | 'country'>,
    idOrGuia: string,
    dto: EditarGuiaDto,
    ifMatch: string | undefined,
    author: Author = { actor: 'comercio' },
    recogida?: OtraRecogida,
  ): Promise<GuiaDelComercioRow> {
    // A map service is asked before the guide is locked, and only for a guide that may be edited.
    if (typeof dto.maps_url === 'string') {
      const guia = await this.guias.readFromPrimary(merchant, idOrGuia);
      check(guia, dto, ifMatch);
      if (dto.maps_url !== guia.destino_maps_url) checkCampos(['maps_url'], guia.estado, author.actor);
    }
    const destino = await this.readDestino(merchant, dto);
    const decide = (guia: CurrentGuia & GuiaDelComercioRow): Decision<GuiaDelComercioRow> => {
      check(guia, dto, ifMatch);
      const edit = decideEdit(guia, dto, destino, merchant.country, author, recogida);
      if (!edit) return { result: guia };
      return {
        result: guia,
        write: { ...edit, isRead: true },
        resultOf: (written) => ({ ...guia, ...written }),
      };
    };
    return this.changes.change(idOrGuia, { comercioId: merchant.id }, decide, { detail: BESIDE_DETAIL });
  }

  /** Undefined if the request has no destination. @throws AppError `enlace_…` */
  private async readDestino(
    merchant: Pick<Merchant, 'id'>,
    { lat, lng, maps_url }: EditarGuiaDto,
  ): Promise<Destino | undefined> {
    const mapsUrl = maps_url ?? null;
    const isPoint = typeof lat === 'number' && typeof lng === 'number';
    if (mapsUrl === null && !isPoint) return lat === null || maps_url === null ? NO_DESTINO : undefined;
    if (mapsUrl !== null && readMapLinkIn(mapsUrl).kind === 'unsupported')
      throw refusedLinks([linkError('maps_url', 'enlace_no_soportado')]);
    if (isPoint) return { lat, lng, mapsUrl, isPending: false };
    const link = await resolveMapLink(mapsUrl!, merchant.id, this.links);
    switch (link.kind) {
      case 'coordinates':
        return { lat: link.lat, lng: link.lng, mapsUrl, isPending: false };
      case 'place':
      case 'silent':
        return { lat: null, lng: null, mapsUrl, isPending: link.kind === 'silent' };
      case 'broken':
        throw refusedLinks([linkError('maps_url', 'enlace_roto')]);
      case 'unknown':
        throw refusedLinks([linkError('maps_url', 'enlace_sin_coordenadas', NO_POINT[link.reason])]);
      default:
        throw refusedLinks([linkError('maps_url', 'enlace_no_soportado', LEADS_NOWHERE)]);
    }
  }
}

/** @throws AppError `version_obsoleta`, `guia_no_modificable` */
function check(
  { version, estado }: Pick<GuiaDelComercioRow, 'version' | 'estado'>,
  dto: EditarGuiaDto,
  ifMatch: string | undefined,
): void {
  if (ifMatch !== undefined && !matchesVersion(ifMatch, version)) throw new AppError('version_obsoleta');
  checkEditable(estado, dto);
}
