import { Controller, Get, Header, Query, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { CobroListService } from './cobro-list.service.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { COBROS_CSV } from './cobro-csv.js';
import {
  ListaDeCobrosDto,
  ListarCobrosDto,
  ResumenDto,
  ResumirCobrosDto,
  toCobroFilter,
} from './dto/cobro.dto.js';
import { ExactAmounts } from './exact-amounts.js';

/** Merchants' reads of the amounts of their guides. */
@ApiTags('Cobros')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/cobros')
export class CobrosController {
  constructor(private readonly cobros: CobroListService) {}

  @Get()
  @RequireScope('guias:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarCobros',
    summary: 'Listar los cobros',
    description:
      'Uno por cada guía con `cod_amount`: qué se cobró, y en qué liquidación está. De la guía más reciente a la más antigua; con `desde` o `hasta`, del último cobro al primero.\n\nCon `Accept: text/csv` llega la selección entera como archivo CSV; `limit` y `cursor` no la dividen, y con `zona` sus horas son las de esa zona.',
  })
  @ApiExtraModels(ListaDeCobrosDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de cobros, o todos en CSV.',
    ...csvOrJson('cobros', { $ref: getSchemaPath(ListaDeCobrosDto) }, COBROS_CSV),
  })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarCobrosDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeCobrosDto | StreamableFile> {
    const filter = toCobroFilter(dto);
    return isCsv
      ? csvFile('cobros', await this.cobros.csv(merchant, filter, dto.zona))
      : { ok: true, ...(await this.cobros.page(merchant, filter, dto)) };
  }

  @Get('resumen')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'resumirCobros',
    summary: 'Resumir los cobros',
    description:
      'Guías y montos de cada estado, y la diferencia entre lo cobrado y lo que se debía cobrar. Con `desde` o `hasta`, solo lo cobrado entonces.',
  })
  @ApiResponse({ status: 200, type: ResumenDto, description: 'Los totales.' })
  @ApiReadErrors()
  sum(@CurrentMerchant() merchant: Merchant, @Query() dto: ResumirCobrosDto): Promise<ResumenDto> {
    return this.cobros.sum(merchant, toCobroFilter(dto));
  }
}
