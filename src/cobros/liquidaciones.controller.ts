import { Controller, Get, Header, Param, Query, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiParam, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { AjustesService } from './ajustes.service.js';
import { CobroListService } from './cobro-list.service.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { COBROS_CSV } from './cobro-csv.js';
import { AJUSTES_CSV, ListaDeAjustesDto } from './dto/ajuste.dto.js';
import { ListaDeCobrosDto, PaginarCobrosDto } from './dto/cobro.dto.js';
import {
  LiquidacionRespuestaDto,
  ListaDeLiquidacionesDto,
  ListarLiquidacionesDto,
} from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LiquidacionesService } from './liquidaciones.service.js';

export const LIQUIDACION_PARAM = {
  name: 'id',
  description: '`id` de la liquidación.',
  schema: { type: 'string' as const, format: 'uuid' },
};

/** Merchants' reads of their settlements. */
@ApiTags('Cobros')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/liquidaciones')
export class LiquidacionesController {
  constructor(
    private readonly liquidaciones: LiquidacionesService,
    private readonly cobros: CobroListService,
    private readonly ajustes: AjustesService,
  ) {}

  @Get()
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'listarLiquidaciones',
    summary: 'Listar las liquidaciones',
    description:
      'Lo que se cobró y se pagó, o falta pagar, al comercio; de la más reciente a la más antigua.',
  })
  @ApiResponse({ status: 200, type: ListaDeLiquidacionesDto, description: 'Una página de liquidaciones.' })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarLiquidacionesDto,
  ): Promise<ListaDeLiquidacionesDto> {
    return { ok: true, ...(await this.liquidaciones.page(merchant, dto)) };
  }

  @Get(':id')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'verLiquidacion',
    summary: 'Ver una liquidación',
    description: 'Lo que suma, y si ya se pagó.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiResponse({ status: 200, type: LiquidacionRespuestaDto, description: 'La liquidación.' })
  @ApiReadErrors('no_encontrado')
  async show(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<LiquidacionRespuestaDto> {
    return { ok: true, liquidacion: await this.liquidaciones.find(merchant, id) };
  }

  @Get(':id/cobros')
  @RequireScope('guias:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarCobrosDeLiquidacion',
    summary: 'Listar los cobros de una liquidación',
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
  async listCobros(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() dto: PaginarCobrosDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeCobrosDto | StreamableFile> {
    const { id: liquidacion } = await this.liquidaciones.find(merchant, id);
    return isCsv
      ? csvFile(`liquidacion-${liquidacion}`, await this.cobros.csv(merchant, { liquidacion }))
      : { ok: true, ...(await this.cobros.page(merchant, { liquidacion }, dto)) };
  }

  @Get(':id/ajustes')
  @RequireScope('guias:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarAjustesDeLiquidacion',
    summary: 'Listar los ajustes de una liquidación',
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
  async listAjustes(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() dto: PaginarCobrosDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeAjustesDto | StreamableFile> {
    const { id: liquidacion } = await this.liquidaciones.find(merchant, id);
    return isCsv
      ? csvFile(`ajustes-${liquidacion}`, await this.ajustes.csv(merchant, { liquidacion }))
      : { ok: true, ...(await this.ajustes.page(merchant, { liquidacion }, dto)) };
  }
}
