import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Secrets } from '../platform/config/secrets.js';
import { Database } from '../platform/database/database.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import { TrackingLinksService } from '../guias/tracking/tracking-links.service.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import type { CrearPilotoDto, EditarPilotoDto, ListarPilotosDto } from './dto/piloto.dto.js';
import { LINK_H, type HacerEnlaceDto } from './enlace/enlace.dto.js';
import { hashOf, newToken } from './enlace/enlace-token.js';
import {
  findPiloto,
  findPilotoByRef,
  insertPiloto,
  listPilotos,
  setLink,
  updatePiloto,
  type PilotoRow,
} from './pilotos.queries.js';

/** A driver that was made now, or before under the same `ref`. */
export interface PilotoCreado {
  piloto: PilotoRow;
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the driver. */
  differing: string[];
}

/** Drivers, and the links to their pages. */
@Injectable()
export class PilotosService {
  private readonly linkKey: Buffer;
  private readonly cursorKey: Secrets['cursorKey'];

  constructor(
    private readonly database: Database,
    private readonly links: TrackingLinksService,
    { pilotoLinkKey, cursorKey }: Secrets,
  ) {
    this.linkKey = pilotoLinkKey;
    this.cursorKey = cursorKey;
  }

  async create(operadorId: string, dto: CrearPilotoDto): Promise<PilotoCreado> {
    const { rows } = await this.database.query<PilotoRow>(insertPiloto(v7(), dto, operadorId));
    if (rows[0]) return { piloto: rows[0], isDuplicate: false, differing: [] };
    const { rows: made } = await this.database.query<PilotoRow>(findPilotoByRef(operadorId, dto.ref!));
    const piloto = made[0]!;
    const differing = (['nombre', 'telefono'] as const).filter(
      (campo) => dto[campo] !== undefined && dto[campo] !== piloto[campo],
    );
    return { piloto, isDuplicate: true, differing };
  }

  /** Newest first. @throws AppError `cursor_invalido` */
  async list(operadorId: string, dto: ListarPilotosDto): Promise<PageOf<'pilotos', PilotoRow>> {
    const activo = dto.activo === undefined ? undefined : dto.activo === 'true';
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['pilotos', activo] };
    const page = new Page(dto, scope, this.cursorKey);
    const { rows } = await this.database.query<PilotoRow>(listPilotos(activo, page));
    return page.of('pilotos', rows, ({ id }) => ({ id }));
  }

  /** @throws AppError `no_encontrado` */
  async find(id: string): Promise<PilotoRow> {
    if (!isUuid(id)) throw noSuchPiloto();
    const { rows } = await this.database.query<PilotoRow>(findPiloto(id));
    return rows[0] ?? failWith(noSuchPiloto());
  }

  /** Changes what is given; the link of a driver who is made inactive ends. @throws AppError `no_encontrado` */
  async update(id: string, dto: EditarPilotoDto): Promise<PilotoRow> {
    if (!isUuid(id)) throw noSuchPiloto();
    const { rows } = await this.database.query<PilotoRow>(updatePiloto(id, dto));
    return rows[0] ?? failWith(noSuchPiloto());
  }

  /**
   * Makes a link to the driver's page; the one before ends.
   * @throws AppError `no_encontrado`, `piloto_inactivo`
   */
  async link(id: string, { horas = LINK_H }: HacerEnlaceDto): Promise<{ enlace: string; vence_en: string }> {
    const piloto = await this.find(id);
    const token = newToken(this.linkKey);
    const { rows } = await this.database.query<{ vence_en: string }>(
      setLink(piloto.id, hashOf(token), horas),
    );
    if (!rows[0]) throw new AppError('piloto_inactivo');
    return { enlace: `${this.links.origin()}/r/${token}`, vence_en: rows[0].vence_en };
  }
}

export function noSuchPiloto(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe un piloto con ese `id`.' });
}

function failWith(error: AppError): never {
  throw error;
}
