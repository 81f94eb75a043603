import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { WEBHOOK_ID } from '../endpoints/webhook.dto.js';
import { DeliveryLogService } from './delivery-log.service.js';
import {
  EntregaDetalleRespuestaDto,
  EntregaRespuestaDto,
  ListaDeEntregasDto,
  ListarEntregasDto,
  ReenviarDto,
  ReenvioDto,
} from './entrega.dto.js';

/** The parameter in the path of a delivery. */
export const ENTREGA_ID = {
  name: 'entrega',
  description: '`id` de la entrega.',
  schema: { type: 'string' as const, format: 'uuid' },
};

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class DeliveriesController {
  constructor(private readonly log: DeliveryLogService) {}

  @Post(':id/probar')
  @HttpCode(200)
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'probarWebhook',
    summary: 'Enviar un aviso de prueba',
    description:
      'Envía una vez un aviso `webhook.prueba` y dice qué respondió el endpoint. Si tarda más de 3 segundos, la entrega queda `pendiente`: búsquela en las entregas. Mientras hay una prueba en curso no se envía otra: la respuesta es esa.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @ApiResponse({ status: 200, type: EntregaRespuestaDto, description: 'La entrega de prueba.' })
  @ApiWriteErrors('no_encontrado')
  async test(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @Query() _query: NoFields,
  ): Promise<EntregaRespuestaDto> {
    return { ok: true, entrega: await this.log.test(merchant, id) };
  }

  @Post(':id/reenviar')
  @HttpCode(200)
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'reenviarEntregas',
    summary: 'Reenviar entregas',
    description:
      'Pone en camino otra vez una entrega (`entrega`), o las de un rango de tiempo (`desde`, `hasta`), hasta 1,000 por solicitud. Llevan el mismo `webhook-id` y el mismo cuerpo que antes.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({
    type: ReenviarDto,
    examples: {
      una: { summary: 'Una', value: { entrega: '01a1fe0b-77c2-7e15-9d3b-2f4a6c8e0b13' } },
      rango: {
        summary: 'Las fallidas de un día',
        value: { desde: '2026-11-21', hasta: '2026-11-21', estado: 'fallida' },
      },
      pendientes: {
        summary: 'Ya, las que esperan un reintento',
        value: { desde: '2026-11-21', estado: 'pendiente' },
      },
    },
  })
  @ApiResponse({ status: 200, type: ReenvioDto, description: 'Cuántas van en camino.' })
  @ApiWriteErrors('cursor_invalido', 'webhook_desactivado', 'no_encontrado')
  async resend(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: ReenviarDto,
    @Query() _: NoFields,
  ): Promise<ReenvioDto> {
    return { ok: true, ...(await this.log.resend(merchant, id, dto)) };
  }

  @Get(':id/entregas')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'listarEntregas',
    summary: 'Listar las entregas',
    description:
      'Qué se envió y qué respondió el endpoint, de lo más reciente a lo más antiguo. Se guardan al menos 90 días.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: ListaDeEntregasDto, description: 'Una página de entregas.' })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() dto: ListarEntregasDto,
  ): Promise<ListaDeEntregasDto> {
    return { ok: true, ...(await this.log.page(merchant, id, dto)) };
  }

  @Get(':id/entregas/:entrega')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'obtenerEntrega',
    summary: 'Ver una entrega',
    description: 'Con su cuerpo y todos sus intentos.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiParam(ENTREGA_ID)
  @ApiResponse({ status: 200, type: EntregaDetalleRespuestaDto, description: 'La entrega.' })
  @ApiReadErrors('no_encontrado')
  async get(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Param('entrega') entrega: string,
    @Query() _: NoFields,
  ): Promise<EntregaDetalleRespuestaDto> {
    return { ok: true, entrega: await this.log.detail(merchant, id, entrega) };
  }
}
