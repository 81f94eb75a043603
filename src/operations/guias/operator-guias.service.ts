import { Injectable } from '@nestjs/common';
import { MerchantsService } from '../../auth/merchants/merchants.service.js';
import type { Operator } from '../../auth/operators/operator.js';
import { Database } from '../../platform/database/database.js';
import { Reads } from '../../platform/database/replicas/reads.js';
import {
  toEventoDeOperaciones,
  type EventoDeOperacionesDto,
  type ListarEventosDto,
} from '../../guias/dto/evento.dto.js';
import { GuiaEditsService } from '../../guias/changes/guia-edits.service.js';
import type { EditarEntregaDto } from '../../guias/dto/editar-guia.dto.js';
import { lookupColumnOf, noSuchGuia } from '../../guias/guia/guia-lookup.js';
import { GuiaListService } from '../../guias/list/guia-list.service.js';
import { TimelineService } from '../../guias/history/timeline.service.js';
import { LocationRequestsService } from '../../notifications/requests/location-requests.service.js';
import type { PageOf } from '../../platform/pagination/page.js';
import { COMERCIO } from '../../platform/validation/query.fields.js';
import {
  toGuiaDeOperaciones,
  toOperatorFilter,
  type GuiaDeOperacionesDto,
  type ListarGuiasDeOperacionesDto,
} from './guia-de-operaciones.dto.js';
import { findAnyGuia, listAllGuias, type OperatorGuiaRow } from './operator-guias.queries.js';

@Injectable()
export class OperatorGuiasService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly lists: GuiaListService,
    private readonly timeline: TimelineService,
    private readonly edits: GuiaEditsService,
    private readonly requests: LocationRequestsService,
    private readonly merchants: MerchantsService,
  ) {}

  /** @throws AppError `cursor_invalido` */
  async list(
    operator: Operator,
    dto: ListarGuiasDeOperacionesDto,
  ): Promise<PageOf<'guias', GuiaDeOperacionesDto>> {
    const { comercio, zona } = dto;
    const merchant = zona === COMERCIO ? await this.merchants.find(comercio!) : null;
    const filter = toOperatorFilter(dto, operator.isTest, merchant?.pais);
    const filters = ['operaciones', filter, ...(zona === undefined ? [] : [zona])];
    return this.lists.page(dto, { owner: operator, filter, filters }, async (source, page) => {
      const { rows } = await source.query<OperatorGuiaRow>(listAllGuias(filter, page));
      return rows.map(toGuiaDeOperaciones);
    });
  }

  /** One guide of any merchant, by id or number. @throws AppError `no_encontrado` */
  async detail(operator: Operator, idOrGuia: string): Promise<OperatorGuiaRow> {
    return this.findIn(this.reads, operator, idOrGuia);
  }

  /** The same for a caller that has just changed it. */
  async detailFromPrimary(operator: Operator, idOrGuia: string): Promise<OperatorGuiaRow> {
    return this.findIn(this.database, operator, idOrGuia);
  }

  /** Changes what serves to arrive, by the merchants' rules. @throws AppError as `GuiaEditsService.edit` */
  async edit(
    operator: Operator,
    idOrGuia: string,
    dto: EditarEntregaDto,
    ifMatch: string | undefined,
  ): Promise<OperatorGuiaRow> {
    const { comercio_id, comercio_pais } = await this.detailFromPrimary(operator, idOrGuia);
    const merchant = { id: comercio_id, country: comercio_pais };
    await this.edits.edit(merchant, idOrGuia, dto, ifMatch, { actor: 'operador', operador_id: operator.id });
    return this.detailFromPrimary(operator, idOrGuia);
  }

  /** Asks the recipient again. @throws AppError as `LocationRequestsService.ask` */
  async ask(operator: Operator, idOrGuia: string): Promise<OperatorGuiaRow> {
    const { id, isTest } = operator;
    await this.requests.ask(idOrGuia, { isTest }, { actor: 'operador', operador_id: id });
    return this.detailFromPrimary(operator, idOrGuia);
  }

  private async findIn(
    source: Pick<Database, 'query'>,
    { isTest }: Operator,
    idOrGuia: string,
  ): Promise<OperatorGuiaRow> {
    const query = findAnyGuia(lookupColumnOf(idOrGuia), idOrGuia, isTest);
    const { rows } = await source.query<OperatorGuiaRow>(query);
    if (!rows[0]) throw noSuchGuia();
    return rows[0];
  }

  /** @throws AppError `no_encontrado`, `cursor_invalido` */
  async events(
    operator: Operator,
    idOrGuia: string,
    dto: ListarEventosDto,
  ): Promise<PageOf<'eventos', EventoDeOperacionesDto>> {
    const { comercio_id, id } = await this.detail(operator, idOrGuia);
    return this.timeline.pageOf({ comercioId: comercio_id, id }, dto, toEventoDeOperaciones);
  }
}
