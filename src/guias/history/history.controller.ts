import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ApiReadErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ListaDeEventosDto, ListarEventosDto } from '../dto/evento.dto.js';
import { GUIA_PARAM } from '../dto/guia.param.js';
import { TimelineService } from './timeline.service.js';

@ApiTags('Guías')
@Controller('api/v1/guias')
export class HistoryController {
  constructor(private readonly timeline: TimelineService) {}

  @Get(':id/eventos')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'listarEventos',
    summary: 'Ver el historial de una guía',
    description:
      'Todo lo que le pasó a la guía, del primer evento al último: cuándo, qué, quién y por qué. `guia.creada`, `guia.estado_cambiado`, `guia.cancelada` y `guia.estado_corregido`, aplicados en orden, dan el estado actual.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiResponse({ status: 200, type: ListaDeEventosDto, description: 'Una página de eventos.' })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() dto: ListarEventosDto,
  ): Promise<ListaDeEventosDto> {
    return { ok: true, ...(await this.timeline.page(merchant, id, dto)) };
  }
}
