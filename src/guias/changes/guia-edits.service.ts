import { Injectable } from '@nestjs/common';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { Database } from '../../database/database.js';
import { AppError } from '../../errors/app-error.js';
import { RelayService } from '../../events/relay.service.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import { resolveMapLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { FINAL_ESTADOS } from '../guia-estado.js';
import type { GuiaDetalleRow } from '../guia-row.js';
import { GuiasService } from '../guias.service.js';
import { LEADS_NOWHERE, NO_POINT, linkError, refusedLinks } from '../links/link-errors.js';
import { EDITABLE_IN, isEditable, lockedCampos, type EditableCampo } from './editable-fields.js';
import { editGuia, type Destino } from './guia-edit.js';
import { writeEdit, type Editor } from './guia-edits.queries.js';
import { matchesVersion } from './guia-version.js';

/** Attempts to write an edit without `If-Match`; an attempt fails if the guide changes between read and write. */
const MAX_TRIES = 20;

/** Changes merchants' guides. */
@Injectable()
export class GuiaEditsService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiasService,
    private readonly links: ShortLinkClient,
    private readonly relay: RelayService,
  ) {}

  /**
   * Changes a guide's fields in the states that allow it. A destination confirms the address; a short link whose service
   * does not answer is expanded later. If the phone of an unconfirmed guide changes, the recipient gets a new message.
   * @param ifMatch the versions the caller has seen; without it the edit applies to any.
   * @param editor whom the history names; support's name is shown to support alone.
   * @throws AppError `no_encontrado`, `version_obsoleta`, `guia_no_modificable`; `enlace_…`, or
   *   `no_disponible` if the guide keeps changing.
   */
  async edit(
    merchant: Merchant,
    idOrGuia: string,
    dto: EditarGuiaDto,
    ifMatch: string | undefined,
    editor: Editor = { actor: 'comercio' },
  ): Promise<GuiaDetalleRow> {
    let destino: Destino | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const actual = await this.guias.readFromPrimary(merchant, idOrGuia);
      if (ifMatch !== undefined && !matchesVersion(ifMatch, actual.version))
        throw new AppError('version_obsoleta');
      if (!isEditable(actual.estado)) throw notEditable(actual, sentCampos(dto));
      destino ??= await this.readDestino(merchant, dto);
      const edit = editGuia(actual, dto, destino, merchant.country);
      if (edit.campos.length === 0) return actual;
      const locked = lockedCampos(edit.campos, actual.estado);
      if (locked.length > 0) throw notEditable(actual, locked);
      const { rows } = await this.database.query<GuiaDetalleRow>(
        writeEdit(merchant.id, actual, edit, editor),
      );
      this.relay.wake();
      if (rows[0]) return rows[0];
    }
    throw new AppError('no_disponible');
  }

  /** Undefined if the request has no destination. @throws AppError `enlace_…` */
  private async readDestino(
    merchant: Merchant,
    { lat, lng, maps_url }: EditarGuiaDto,
  ): Promise<Destino | undefined> {
    const mapsUrl = maps_url ?? null;
    if (mapsUrl !== null && readMapLinkIn(mapsUrl).kind === 'unsupported')
      throw refusedLinks([linkError('maps_url', 'enlace_no_soportado')]);
    if (lat !== undefined && lng !== undefined) return { lat, lng, mapsUrl, isPending: false };
    if (maps_url === undefined) return undefined;
    const link = await resolveMapLink(maps_url, merchant.id, this.links);
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

function sentCampos(dto: EditarGuiaDto): EditableCampo[] {
  return (Object.keys(EDITABLE_IN) as EditableCampo[]).filter((campo) => dto[campo] !== undefined);
}

/** Names each field that may not change any more, and the states in which it could, unless the guide has ended. */
function notEditable({ estado }: GuiaDetalleRow, campos: EditableCampo[]): AppError {
  const hasEnded = FINAL_ESTADOS.includes(estado);
  const errores = campos.map((campo) => ({
    campo,
    codigo: 'guia_no_modificable' as const,
    mensaje: hasEnded ? 'La guía ya terminó.' : `Solo se cambia en: ${EDITABLE_IN[campo].join(', ')}.`,
  }));
  const names = campos.map((campo) => `\`${campo}\``).join(', ');
  const what = campos.length > 1 ? `no se cambian ${names}` : `no se cambia ${names || 'nada'}`;
  const detail = hasEnded
    ? `La guía ya terminó, en \`${estado}\`: no cambia más.`
    : `La guía está en \`${estado}\`, y en ese estado ${what}.`;
  return new AppError('guia_no_modificable', { detail, ...(errores.length > 0 && { errores }) });
}
