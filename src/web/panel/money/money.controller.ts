import { Controller, Param, type StreamableFile } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import { CobroListService } from '../../../cobros/cobro-list.service.js';
import { ListarCobrosDto, toMoneyFilter } from '../../../cobros/dto/cobro.dto.js';
import { toLiquidacion } from '../../../cobros/dto/liquidacion.dto.js';
import { LiquidacionesService } from '../../../cobros/liquidaciones.service.js';
import { Reads } from '../../../platform/database/replicas/reads.js';
import type { FieldError } from '../../../platform/errors/app-error.js';
import { pageAnswer, type PageAnswer } from '../../kit/page-answer.js';
import { CurrentVisitor, Page } from '../../kit/page-routes.js';
import { csvFile } from '../../../platform/http/csv-answer.js';
import { QueryTexts, type Form } from '../../../platform/http/form-texts.js';
import { inspect, validValue, type Inspected } from '../../../platform/validation/read-input.js';
import { startOfToday } from '../guias/panel-guias.service.js';
import type { Visit } from '../visit.js';
import { pendingMoney, type PendingRow } from '../../../cobros/pending-money.queries.js';
import { cobrosByDay, wholeDays, type DayRow } from './money.queries.js';
import { renderCobros, renderLiquidacion, renderLiquidaciones } from './money-page.js';

const DAYS = 14;
const DAY_MS = 86_400_000;

const ADJUSTMENTS = '100';

const NO_PAGE = { ok: true as const, cobros: [], siguiente_cursor: null };

@ApiExcludeController()
@Controller('panel')
export class MoneyController {
  constructor(
    private readonly reads: Reads,
    private readonly cobros: CobroListService,
    private readonly liquidaciones: LiquidacionesService,
    private readonly ajustes: AjustesService,
  ) {}

  @Page({ path: 'cobros', who: 'merchant', need: 'guias:leer' })
  async list(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<string | PageAnswer> {
    const since = new Date(startOfToday(visit).getTime() - (DAYS - 1) * DAY_MS);
    const { id } = visit.merchant;
    const [{ rows }, pending, adjusted] = await Promise.all([
      this.reads.query<DayRow>(cobrosByDay(id, since, visit.zone)),
      this.reads.query<PendingRow>(pendingMoney(id)),
      this.ajustes.page(visit.merchant, { estado: 'pendiente' }, { limit: ADJUSTMENTS }),
    ]);
    const { value, errors } = readFilter(visit, query);
    const known = { days: wholeDays(rows), pending: pending.rows[0]!, adjusted };
    const shown = { visit, ...known, query: filtersOf(query), faults: errors.map(inDays) };
    if (errors.length > 0) return pageAnswer(renderCobros({ ...shown, ...NO_PAGE }), 422);
    const filter = toMoneyFilter(value!, visit.merchant.country);
    return renderCobros({ ...shown, ...(await this.cobros.page(visit.merchant, filter, value!)) });
  }

  @Page({ path: 'cobros/csv', who: 'merchant', need: 'guias:leer' })
  async csv(@CurrentVisitor() visit: Visit, @QueryTexts() query: Form): Promise<StreamableFile> {
    const filter = toMoneyFilter(validValue(readFilter(visit, query)), visit.merchant.country);
    return csvFile('cobros', await this.cobros.csv(visit.merchant, filter, visit.zone));
  }

  @Page({ path: 'liquidaciones', who: 'merchant', need: 'guias:leer' })
  async settlements(@CurrentVisitor() visit: Visit, @QueryTexts() { cursor }: Form): Promise<string> {
    return renderLiquidaciones(visit, await this.liquidaciones.page(visit.merchant, { cursor }));
  }

  @Page({ path: 'liquidaciones/:id', who: 'merchant', need: 'guias:leer' })
  async settlement(
    @CurrentVisitor() visit: Visit,
    @Param('id') id: string,
    @QueryTexts() { cursor, ajustes: after }: Form,
  ): Promise<string> {
    const liquidacion = toLiquidacion(await this.liquidaciones.find(visit.merchant, id));
    const filter = { liquidacion: liquidacion.id };
    const [cobros, ajustes] = await Promise.all([
      this.cobros.page(visit.merchant, filter, { cursor }),
      this.ajustes.page(visit.merchant, filter, {
        limit: ADJUSTMENTS,
        ...(after !== undefined && { cursor: after }),
      }),
    ]);
    return renderLiquidacion(visit, liquidacion, cobros, ajustes);
  }

  @Page({ path: 'liquidaciones/:id/csv', who: 'merchant', need: 'guias:leer' })
  async settlementCsv(
    @CurrentVisitor() { merchant, zone }: Visit,
    @Param('id') id: string,
  ): Promise<StreamableFile> {
    const { id: liquidacion } = await this.liquidaciones.find(merchant, id);
    return csvFile(`liquidacion-${liquidacion}`, await this.cobros.csv(merchant, { liquidacion }, zone));
  }
}

/** The filters that an address may have; a form sends empty ones, too. */
function filtersOf({ estado = '', desde = '', hasta = '' }: Form): Record<string, string> {
  return Object.fromEntries(Object.entries({ estado, desde, hasta }).filter(([, value]) => value !== ''));
}

/** Pages ask for days alone. */
const inDays = (fault: FieldError): FieldError =>
  fault.codigo === 'formato' && fault.campo !== 'estado'
    ? { ...fault, mensaje: 'Escriba un día que exista, como 2026-11-21.' }
    : fault;

/** By the rules of the API; a day is the merchant's. */
function readFilter(visit: Visit, query: Form): Inspected<ListarCobrosDto> {
  const { cursor } = query;
  const raw = { ...filtersOf(query), zona: 'comercio', ...(cursor !== undefined && { cursor }) };
  return inspect(ListarCobrosDto, raw, { country: visit.merchant.country });
}
