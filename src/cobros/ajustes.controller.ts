import { Controller, Get, Header, Query, type StreamableFile, UseInterceptors } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { ApiReadErrors } from '../platform/openapi/api-errors.decorator.js';
import { AjustesService } from './ajustes.service.js';
import { AJUSTES_CSV, ListaDeAjustesDto, ListarAjustesDto, toAjusteFilter } from './dto/ajuste.dto.js';
import { ExactAmounts } from './exact-amounts.js';

/** Merchants' reads of their adjustments. */
@ApiTags('Cobros')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/ajustes')
export class AjustesController {
  constructor(private readonly ajustes: AjustesService) {}

  @Get()
  @RequireScope('guias:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarAjustes',
    summary: 'Listar los ajustes',
    description:
      'Lo que se le suma o se le quita al comercio aparte de lo cobrado, y por qué; la siguiente liquidación toma los pendientes. Del más reciente al más antiguo. Con `Accept: text/csv` llegan todos como archivo CSV.',
  })
  @ApiExtraModels(ListaDeAjustesDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de ajustes, o todos en CSV.',
    ...csvOrJson('ajustes', { $ref: getSchemaPath(ListaDeAjustesDto) }, AJUSTES_CSV),
  })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarAjustesDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeAjustesDto | StreamableFile> {
    const filter = toAjusteFilter(dto);
    return isCsv
      ? csvFile('ajustes', await this.ajustes.csv(merchant, filter, dto.zona))
      : { ok: true, ...(await this.ajustes.page(merchant, filter, dto)) };
  }
}
