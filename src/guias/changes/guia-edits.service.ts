import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/decorators.js';
import { Database } from '../../database/database.js';
import { textTypes } from '../../database/text-types.js';
import { AppError } from '../../errors/app-error.js';
import { recordEvento } from '../../events/record-evento.js';
import { RelayService } from '../../events/relay.service.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import { resolveMapLink } from '../../locations/short-links/resolve-map-link.js';
import { ShortLinkClient } from '../../locations/short-links/short-link.client.js';
import { linkError } from '../dto/crear-guia.dto.js';
import type { EditarGuiaDto } from '../dto/editar-guia.dto.js';
import { EDITABLE_ESTADOS } from '../guia-estado.js';
import { GuiasService } from '../guias.service.js';
import { DETAILED, type GuiaDetalleRow } from '../guias.queries.js';
import { editGuia, type Edit, type NuevoDestino } from './guia-edit.js';
import { matchesVersion, touch } from './guia-version.js';

/** Times a guide may change between being read and being written, where the caller named no version. */
const ATTEMPTS = 20;

const EDIT = `with editada as (
  update guias set telefono = $4, direccion = $5, referencia = $6, notas = $7,
    destino_lat = $8, destino_lng = $9, destino_maps_url = $10, direccion_confirmada = $11,
    enlaces_pendientes = $12, advertencias = $13,
    confirmada_en = case when $14 then null else confirmada_en end,
    telefono_secuencia = case when $15 then $3 + 1 else telefono_secuencia end,
    ${touch('1 + $16::int + $17::int')}
  where comercio_id = $1 and id = $2 and version = $3
  returning comercio_id, ${DETAILED}
), edicion as (
  ${recordEvento({
    from: 'editada',
    id: '$18::uuid',
    tipo: 'guia.actualizada',
    actor: 'comercio',
    datos: '$19::jsonb',
    secuencia: '$3 + 1',
  })}
), confirmacion as (
  ${recordEvento({
    from: 'editada',
    id: '$20::uuid',
    tipo: 'guia.confirmada',
    actor: 'comercio',
    secuencia: '$3 + 2',
    where: '$16::int = 1',
  })}
), pregunta as (
  ${recordEvento({
    from: 'editada',
    id: '$21::uuid',
    tipo: 'guia.confirmacion_pedida',
    actor: 'comercio',
    where: '$17::int = 1',
  })}
)
select * from editada`;

/** A merchant's changes of where a guide goes to. */
@Injectable()
export class GuiaEditsService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiasService,
    private readonly links: ShortLinkClient,
    private readonly relay: RelayService,
  ) {}

  /**
   * Changes a guide's destination until somebody is on the way there, with what follows: coordinates confirm
   * it, a new phone is asked where it is not confirmed.
   * @param ifMatch the versions that the caller has seen; without it the change is made to any.
   * @throws AppError `no_encontrado`, `version_obsoleta`, `guia_no_modificable`; `enlace_…`, or
   *   `no_disponible` where a map service does not answer.
   */
  async edit(
    merchant: Merchant,
    idOrGuia: string,
    dto: EditarGuiaDto,
    ifMatch: string | undefined,
  ): Promise<GuiaDetalleRow> {
    let destino: NuevoDestino | undefined;
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const actual = await this.guias.detail(merchant, idOrGuia);
      if (ifMatch !== undefined && !matchesVersion(ifMatch, actual.version))
        throw new AppError('version_obsoleta');
      if (!EDITABLE_ESTADOS.includes(actual.estado)) throw notEditable(actual);
      destino ??= await this.destinoOf(merchant, dto);
      const edit = editGuia(actual, dto, destino, merchant.country);
      if (edit.campos.length === 0) return actual;
      const edited = await this.write(merchant, actual, edit);
      if (edited) return edited;
    }
    throw new AppError('no_disponible');
  }

  /** Undefined where the guide has changed since it was read. */
  private async write(
    merchant: Merchant,
    actual: GuiaDetalleRow,
    edit: Edit,
  ): Promise<GuiaDetalleRow | undefined> {
    const { rows } = await this.database.query<GuiaDetalleRow>({
      name: 'guia-edit',
      text: EDIT,
      values: [
        merchant.id,
        actual.id,
        actual.version,
        edit.telefono,
        edit.direccion,
        edit.referencia,
        edit.notas,
        edit.destino_lat,
        edit.destino_lng,
        edit.destino_maps_url,
        edit.direccion_confirmada,
        edit.enlaces_pendientes,
        edit.advertencias,
        edit.hasNewDestination,
        edit.hasNewPhone,
        Number(edit.isConfirmedNow),
        Number(edit.hasNewPhone && !edit.direccion_confirmada),
        v7(),
        { campos: edit.campos },
        v7(),
        v7(),
      ],
      types: textTypes,
    });
    this.relay.wake();
    return rows[0];
  }

  /** Where the merchant says that it goes to; undefined where the request says nothing of it. */
  private async destinoOf(
    merchant: Merchant,
    { lat, lng, maps_url }: EditarGuiaDto,
  ): Promise<NuevoDestino | undefined> {
    const mapsUrl = maps_url ?? null;
    if (mapsUrl !== null && readMapLinkIn(mapsUrl).kind === 'unsupported')
      throw unusable('enlace_no_soportado');
    if (lat !== undefined && lng !== undefined) return { lat, lng, mapsUrl };
    if (maps_url === undefined) return undefined;
    const link = await resolveMapLink(maps_url, merchant.id, this.links);
    switch (link.kind) {
      case 'coordinates':
        return { lat: link.lat, lng: link.lng, mapsUrl };
      case 'place':
        return { lat: null, lng: null, mapsUrl };
      case 'broken':
        throw unusable('enlace_roto');
      case 'silent':
        // Nothing is lost by asking again, and the guide keeps what it had.
        throw new AppError('no_disponible', {
          detail:
            'El servicio de mapas no responde. Envíe `lat` y `lng`, o repita la solicitud en un minuto.',
        });
      default:
        throw unusable('enlace_no_soportado');
    }
  }
}

function unusable(codigo: 'enlace_roto' | 'enlace_no_soportado'): AppError {
  return new AppError(codigo, { errores: [linkError('maps_url', codigo)] });
}

function notEditable({ estado }: GuiaDetalleRow): AppError {
  return new AppError('guia_no_modificable', {
    detail: `La guía está en \`${estado}\`; el destino solo se cambia en: ${EDITABLE_ESTADOS.join(', ')}.`,
  });
}
