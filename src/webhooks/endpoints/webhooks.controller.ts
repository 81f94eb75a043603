import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { CurrentMerchant, RequireScope } from '../../auth/decorators.js';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import {
  CrearWebhookDto,
  EditarWebhookDto,
  EliminadoDto,
  ListaDeWebhooksDto,
  overlapMs,
  RotarSecretoDto,
  toWebhook,
  WEBHOOK_ID,
  WebhookConSecretoDto,
  WebhookRespuestaDto,
} from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(private readonly webhooks: WebhooksService) {}

  @Post()
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'crearWebhook',
    summary: 'Crear un webhook',
    description:
      'Desde ahora cada evento pedido se envía a `url`, firmado con `secreto` según [Standard Webhooks](https://www.standardwebhooks.com). El secreto se muestra solo aquí y al rotarlo. Hasta 20 por comercio.',
  })
  @ApiBody({
    type: CrearWebhookDto,
    examples: {
      todos: { summary: 'Todos los eventos', value: { url: 'https://tienda.example/avisos' } },
      estados: {
        summary: 'Solo cambios de estado',
        value: { url: 'https://tienda.example/avisos', eventos: ['guia.estado_cambiado', 'guia.cancelada'] },
      },
    },
  })
  @ApiResponse({ status: 201, type: WebhookConSecretoDto, description: 'El webhook y su secreto.' })
  @ApiWriteErrors('limite_de_webhooks')
  async create(
    @CurrentMerchant() merchant: Merchant,
    @Body() dto: CrearWebhookDto,
    @Query() _: NoFields,
  ): Promise<WebhookConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.create(merchant, dto);
    return { ok: true, webhook: toWebhook(webhook), secreto };
  }

  @Get()
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'listarWebhooks',
    summary: 'Listar los webhooks',
    description: 'Todos los del comercio, sin su secreto.',
  })
  @ApiResponse({ status: 200, type: ListaDeWebhooksDto, description: 'Todos los webhooks del comercio.' })
  @ApiReadErrors()
  async list(@CurrentMerchant() merchant: Merchant, @Query() _: NoFields): Promise<ListaDeWebhooksDto> {
    return { ok: true, webhooks: (await this.webhooks.list(merchant)).map(toWebhook) };
  }

  @Get(':id')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'obtenerWebhook',
    summary: 'Ver un webhook',
    description: 'Su dirección, sus eventos y cómo van sus entregas; sin su secreto.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: WebhookRespuestaDto, description: 'El webhook.' })
  @ApiReadErrors('no_encontrado')
  async get(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<WebhookRespuestaDto> {
    return { ok: true, webhook: toWebhook(await this.webhooks.find(merchant, id)) };
  }

  @Patch(':id')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'editarWebhook',
    summary: 'Cambiar, pausar o reactivar un webhook',
    description: 'Los campos ausentes quedan como están.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({
    type: EditarWebhookDto,
    examples: { reactivar: { summary: 'Reactivarlo', value: { activo: true } } },
  })
  @ApiResponse({ status: 200, type: WebhookRespuestaDto, description: 'El webhook después del cambio.' })
  @ApiWriteErrors('no_encontrado')
  async update(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: EditarWebhookDto,
    @Query() _: NoFields,
  ): Promise<WebhookRespuestaDto> {
    return { ok: true, webhook: toWebhook(await this.webhooks.update(merchant, id, dto)) };
  }

  @Delete(':id')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'eliminarWebhook',
    summary: 'Eliminar un webhook',
    description: 'No recibe nada más, tampoco lo pendiente.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: EliminadoDto, description: 'Eliminado.' })
  @ApiReadErrors('no_encontrado')
  async remove(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<EliminadoDto> {
    await this.webhooks.remove(merchant, id);
    return { ok: true };
  }

  @Post(':id/rotar')
  @HttpCode(200)
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'rotarSecreto',
    summary: 'Cambiar el secreto',
    description:
      'Da un secreto nuevo. Hasta que termina el solapamiento cada aviso lleva dos firmas, la nueva y la anterior: instale el nuevo sin prisa. A lo sumo valen dos a la vez.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({ type: RotarSecretoDto, required: false })
  @ApiResponse({ status: 200, type: WebhookConSecretoDto, description: 'El webhook y su secreto nuevo.' })
  @ApiWriteErrors('no_encontrado')
  async rotate(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Body() dto: RotarSecretoDto,
    @Query() _: NoFields,
  ): Promise<WebhookConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.rotate(merchant, id, overlapMs(dto));
    return { ok: true, webhook: toWebhook(webhook), secreto };
  }
}
