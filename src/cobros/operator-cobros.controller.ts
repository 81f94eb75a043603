import { Controller, Get, Header, Param, Query, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import type { Operator } from '../auth/operators/operator.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { COMERCIO, zoneOf } from '../platform/validation/query.fields.js';
import { AjustesService } from './ajustes.service.js';
import { CobroListService } from './cobro-list.service.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { COBROS_CSV } from './cobro-csv.js';
import { AJUSTES_CSV, ListaDeAjustesDto } from './dto/ajuste.dto.js';
import {
  ListaDeCobrosDeOperacionesDto,
  ListaDeCobrosDto,
  ListarCobrosDeOperacionesDto,
  PaginarCobrosDeOperacionesDto,
  toCobroFilter,
} from './dto/cobro.dto.js';
import {
  LiquidacionRespuestaDto,
  ListaDeLiquidacionesDto,
  ListarLiquidacionesDeOperacionesDto,
  toLiquidacion,
} from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LIQUIDACION_PARAM } from './liquidaciones.controller.js';
import { LiquidacionesService } from './liquidaciones.service.js';

/** Operators' reads of the amounts and settlements of all merchants. */
@ApiTags('Operaciones')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones')
export class OperatorCobrosController {
  constructor(
    private readonly liquidaciones: LiquidacionesService,
    private readonly cobros: CobroListService,
    private readonly ajustes: AjustesService,
    private readonly merchants: MerchantsService,
  ) {}

  @Get('cobros')
  @RequireScope('operaciones:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarCobrosDeOperaciones',
    summary: 'Listar los cobros de todos los comercios',
    description:
      'Como `GET /api/v1/cobros`, cada uno con su comercio. Con `Accept: text/csv` llega la selección entera como archivo CSV.',
  })
  @ApiExtraModels(ListaDeCobrosDeOperacionesDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de cobros, o todos en CSV.',
    ...csvOrJson('cobros', { $ref: getSchemaPath(ListaDeCobrosDeOperacionesDto) }, COBROS_CSV),
  })
  @ApiReadErrors('cursor_invalido')
  async listCobros(
    @CurrentOperator() operator: Operator,
    @Query() dto: ListarCobrosDeOperacionesDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeCobrosDeOperacionesDto | StreamableFile> {
    const merchant = dto.zona === COMERCIO ? await this.merchants.find(dto.comercio!) : null;
    const filter = toCobroFilter(dto, merchant?.pais);
    const zone = dto.zona && zoneOf(dto.zona, merchant?.pais);
    return isCsv
      ? csvFile('cobros', await this.cobros.csvOfAll(operator, filter, dto.comercio, zone))
      : { ok: true, ...(await this.cobros.pageOfAll(operator, filter, dto)) };
  }

  @Get('liquidaciones')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarLiquidacionesDeOperaciones',
    summary: 'Listar las liquidaciones de todos los comercios',
    description: 'De la más reciente a la más antigua.',
  })
  @ApiResponse({ status: 200, type: ListaDeLiquidacionesDto, description: 'Una página de liquidaciones.' })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentOperator() operator: Operator,
    @Query() dto: ListarLiquidacionesDeOperacionesDto,
  ): Promise<ListaDeLiquidacionesDto> {
    return { ok: true, ...(await this.liquidaciones.pageOfAll(operator, dto)) };
  }

  @Get('liquidaciones/:id')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'verLiquidacionDeOperaciones',
    summary: 'Ver una liquidación de cualquier comercio',
    description: 'Lo que suma, y si ya se pagó.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiResponse({ status: 200, type: LiquidacionRespuestaDto, description: 'La liquidación.' })
  @ApiReadErrors('no_encontrado')
  async show(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<LiquidacionRespuestaDto> {
    return { ok: true, liquidacion: toLiquidacion(await this.liquidaciones.findAny(operator, id)) };
  }

  @Get('liquidaciones/:id/cobros')
  @RequireScope('operaciones:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarCobrosDeLiquidacionDeOperaciones',
    summary: 'Listar los cobros de una liquidación de cualquier comercio',
    description:
      'Los cobros que suman su monto, de la guía más reciente a la más antigua. Con `Accept: text/csv` llegan todos como archivo CSV.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiExtraModels(ListaDeCobrosDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de cobros, o todos en CSV.',
    ...csvOrJson('cobros', { $ref: getSchemaPath(ListaDeCobrosDto) }, COBROS_CSV),
  })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async listCobrosOf(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: PaginarCobrosDeOperacionesDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeCobrosDto | StreamableFile> {
    const { id: liquidacion, comercio_id, moneda } = await this.liquidaciones.findAny(operator, id);
    const merchant = { id: comercio_id, currency: moneda };
    return isCsv
      ? csvFile(`liquidacion-${liquidacion}`, await this.cobros.csv(merchant, { liquidacion }))
      : { ok: true, ...(await this.cobros.page(merchant, { liquidacion }, dto)) };
  }

  @Get('liquidaciones/:id/ajustes')
  @RequireScope('operaciones:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarAjustesDeLiquidacionDeOperaciones',
    summary: 'Listar los ajustes de una liquidación de cualquier comercio',
    description:
      'Los ajustes que tomó, del más reciente al más antiguo. Con `Accept: text/csv` llegan todos como archivo CSV.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiExtraModels(ListaDeAjustesDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de ajustes, o todos en CSV.',
    ...csvOrJson('ajustes', { $ref: getSchemaPath(ListaDeAjustesDto) }, AJUSTES_CSV),
  })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async listAjustesOf(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: PaginarCobrosDeOperacionesDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeAjustesDto | StreamableFile> {
    const { id: liquidacion, comercio_id } = await this.liquidaciones.findAny(operator, id);
    const merchant = { id: comercio_id };
    return isCsv
      ? csvFile(`ajustes-${liquidacion}`, await this.ajustes.csv(merchant, { liquidacion }))
      : { ok: true, ...(await this.ajustes.page(merchant, { liquidacion }, dto)) };
  }
}
