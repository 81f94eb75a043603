import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThan, Repository } from 'typeorm';
import { Secrets } from '../platform/config/secrets.js';
import { insertOnce } from '../platform/database/once.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import { TrackingLinksService } from '../guias/tracking/tracking-links.service.js';
import { differingNames, type Made } from '../platform/http/repeat.interceptor.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import { booleanOf } from '../platform/validation/query.fields.js';
import {
  toPiloto,
  type CrearPilotoDto,
  type EditarPilotoDto,
  type ListarPilotosDto,
  type PilotoDto,
} from './dto/piloto.dto.js';
import { LINK_H, type HacerEnlaceDto } from './enlace/enlace.dto.js';
import { hashOf, newToken } from './enlace/enlace-token.js';
import { Piloto } from './piloto.entity.js';

export type PilotoCreado = Made<{ piloto: PilotoDto }>;

@Injectable()
export class PilotosService {
  private readonly linkKey: Buffer;
  private readonly cursorKey: Secrets['cursorKey'];

  constructor(
    @InjectRepository(Piloto) private readonly pilotos: Repository<Piloto>,
    private readonly links: TrackingLinksService,
    { pilotoLinkKey, cursorKey }: Secrets,
  ) {
    this.linkKey = pilotoLinkKey;
    this.cursorKey = cursorKey;
  }

  async create(operadorId: string, { nombre, telefono, ref }: CrearPilotoDto): Promise<PilotoCreado> {
    const { row, isDuplicate } = await insertOnce(
      this.pilotos,
      { operador_id: operadorId, ref },
      { nombre, telefono, creado_en: () => 'clock_timestamp()' },
    );
    const differing = differingNames({
      nombre: nombre !== row.nombre,
      telefono: telefono !== undefined && telefono !== row.telefono,
    });
    return { piloto: toPiloto(row), isDuplicate, differing };
  }

  /** Newest first. @throws AppError `cursor_invalido` */
  async list(operadorId: string, dto: ListarPilotosDto): Promise<PageOf<'pilotos', PilotoDto>> {
    const activo = booleanOf(dto.activo);
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['pilotos', activo] };
    const page = new Page(dto, scope, this.cursorKey);
    const rows = await this.pilotos.find({
      where: {
        ...(activo !== undefined && { activo }),
        ...(page.after && { id: LessThan(page.after.id) }),
      },
      order: { id: 'DESC' },
      take: page.rows,
    });
    return page.of('pilotos', rows, ({ id }) => ({ id }), toPiloto);
  }

  /** @throws AppError `no_encontrado` */
  async find(id: string): Promise<PilotoDto> {
    const found = isUuid(id) ? await this.pilotos.findOneBy({ id }) : null;
    if (found === null) throw noSuchPiloto();
    return toPiloto(found);
  }

  /** The driver who has a guide; undefined without one. */
  async ofGuia(comercioId: string, guiaId: string): Promise<PilotoDto | undefined> {
    const found = await this.pilotos
      .createQueryBuilder('p')
      .where('p.id = (select piloto_id from guias where comercio_id = :comercioId and id = :guiaId)', {
        comercioId,
        guiaId,
      })
      .getOne();
    return found === null ? undefined : toPiloto(found);
  }

  /**
   * Changes what is given. The link of a driver who is made inactive ends, and comes back with no later change.
   * @throws AppError `no_encontrado`
   */
  async update(id: string, { nombre, telefono, activo }: EditarPilotoDto): Promise<PilotoDto> {
    if (!isUuid(id)) throw noSuchPiloto();
    const changes = {
      nombre,
      telefono,
      activo,
      ...(activo === false && { enlace_hash: null, enlace_vence_en: null }),
    };
    if (Object.values(changes).some((value) => value !== undefined)) await this.pilotos.update(id, changes);
    return this.find(id);
  }

  /** Makes a link to the driver's page; the one before ends. @throws AppError `no_encontrado`, `piloto_inactivo` */
  async link(id: string, { horas = LINK_H }: HacerEnlaceDto): Promise<{ enlace: string; vence_en: string }> {
    await this.find(id);
    const token = newToken(this.linkKey);
    const result = await this.pilotos
      .createQueryBuilder()
      .update()
      .set({
        enlace_hash: hashOf(token),
        enlace_vence_en: () => 'clock_timestamp() + make_interval(hours => :horas)',
      })
      .where({ id, activo: true })
      .setParameters({ horas })
      .returning('enlace_vence_en')
      .execute();
    const [linked] = result.raw as Pick<Piloto, 'enlace_vence_en'>[];
    if (!linked?.enlace_vence_en) throw new AppError('piloto_inactivo');
    return { enlace: `${this.links.origin()}/r/${token}`, vence_en: linked.enlace_vence_en.toISOString() };
  }
}

export function noSuchPiloto(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe un piloto con ese `id`.' });
}
