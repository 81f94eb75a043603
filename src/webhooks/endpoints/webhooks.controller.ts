import { Controller, Delete, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CurrentMerchant, RequireScope, type Merchant } from '../../auth/decorators.js';
import { ApiReadErrors, ApiWriteErrors } from '../../openapi/api-errors.decorator.js';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import {
  InspectedBody,
  NoParameters,
  ValidBody,
  ValidOptionalBody,
  ValidQuery,
} from '../../validation/input.decorators.js';
import type { Inspected } from '../../validation/read-input.js';
import { DeliveryLogService } from '../deliveries/delivery-log.service.js';
import {
  EntregaDetalleRespuestaDto,
  EntregaRespuestaDto,
  ListaDeEntregasDto,
  ListarEntregasDto,
  ReenviarDto,
  ReenvioDto,
} from '../deliveries/entrega.dto.js';
import {
  CrearWebhookDto,
  EditarWebhookDto,
  EliminadoDto,
  ListaDeWebhooksDto,
  overlapMs,
  RotarSecretoDto,
  toWebhook,
  WebhookConSecretoDto,
  WebhookRespuestaDto,
} from './webhook.dto.js';
import { WebhooksService } from './webhooks.service.js';

const ID = {
  name: 'id',
  description: '`id` del webhook.',
  schema: { type: 'string' as const, format: 'uuid' },
};

@ApiTags('Webhooks')
@Controller('api/v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly log: DeliveryLogService,
  ) {}

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
    @InspectedBody(CrearWebhookDto) body: Inspected<CrearWebhookDto>,
  ): Promise<WebhookConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.create(merchant, body);
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
  async list(
    @CurrentMerchant() merchant: Merchant,
    @ValidQuery(NoParameters) _: NoParameters,
  ): Promise<ListaDeWebhooksDto> {
    return { ok: true, webhooks: (await this.webhooks.list(merchant)).map(toWebhook) };
  }

  @Get(':id')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'obtenerWebhook',
    summary: 'Ver un webhook',
    description: 'Su dirección, sus eventos y cómo van sus entregas; sin su secreto.',
  })
  @ApiParam(ID)
  @ApiResponse({ status: 200, type: WebhookRespuestaDto, description: 'El webhook.' })
  @ApiReadErrors('no_encontrado')
  async get(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidQuery(NoParameters) _: NoParameters,
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
  @ApiParam(ID)
  @ApiBody({
    type: EditarWebhookDto,
    examples: { reactivar: { summary: 'Reactivarlo', value: { activo: true } } },
  })
  @ApiResponse({ status: 200, type: WebhookRespuestaDto, description: 'El webhook después del cambio.' })
  @ApiWriteErrors('no_encontrado')
  async update(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @InspectedBody(EditarWebhookDto) body: Inspected<EditarWebhookDto>,
  ): Promise<WebhookRespuestaDto> {
    return { ok: true, webhook: toWebhook(await this.webhooks.update(merchant, id, body)) };
  }

  @Delete(':id')
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'eliminarWebhook',
    summary: 'Eliminar un webhook',
    description: 'No recibe nada más, tampoco lo pendiente.',
  })
  @ApiParam(ID)
  @ApiResponse({ status: 200, type: EliminadoDto, description: 'Eliminado.' })
  @ApiReadErrors('no_encontrado')
  async remove(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidQuery(NoParameters) _: NoParameters,
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
  @ApiParam(ID)
  @ApiBody({ type: RotarSecretoDto, required: false })
  @ApiResponse({ status: 200, type: WebhookConSecretoDto, description: 'El webhook y su secreto nuevo.' })
  @ApiWriteErrors('no_encontrado')
  async rotate(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidOptionalBody(RotarSecretoDto) dto: RotarSecretoDto,
  ): Promise<WebhookConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.rotate(merchant, id, overlapMs(dto));
    return { ok: true, webhook: toWebhook(webhook), secreto };
  }

  @Post(':id/probar')
  @HttpCode(200)
  @RequireScope('webhooks')
  @ApiOperation({
    operationId: 'probarWebhook',
    summary: 'Enviar un aviso de prueba',
    description:
      'Envía una vez un aviso `webhook.prueba` y dice qué respondió el endpoint. Si tarda más de 3 segundos, la entrega queda `pendiente`: búsquela en las entregas. Mientras hay una prueba en curso no se envía otra: la respuesta es esa.',
  })
  @ApiParam(ID)
  @ApiResponse({ status: 200, type: EntregaRespuestaDto, description: 'La entrega de prueba.' })
  @ApiWriteErrors('no_encontrado')
  async test(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidOptionalBody(NoParameters) _: NoParameters,
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
  @ApiParam(ID)
  @ApiBody({
    type: ReenviarDto,
    examples: {
      una: { summary: 'Una', value: { entrega: '01a1fe09-0d14-7104-84ef-54713d38e9d6' } },
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
  @ApiWriteErrors('cursor_invalido', 'transicion_invalida', 'no_encontrado')
  async resend(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidBody(ReenviarDto) dto: ReenviarDto,
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
  @ApiParam(ID)
  @ApiResponse({ status: 200, type: ListaDeEntregasDto, description: 'Una página de entregas.' })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async listDeliveries(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidQuery(ListarEntregasDto) dto: ListarEntregasDto,
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
  @ApiParam(ID)
  @ApiParam({
    name: 'entrega',
    description: '`id` de la entrega.',
    schema: { type: 'string', format: 'uuid' },
  })
  @ApiResponse({ status: 200, type: EntregaDetalleRespuestaDto, description: 'La entrega.' })
  @ApiReadErrors('no_encontrado')
  async getDelivery(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Param('entrega') entrega: string,
    @ValidQuery(NoParameters) _: NoParameters,
  ): Promise<EntregaDetalleRespuestaDto> {
    return { ok: true, entrega: await this.log.detail(merchant, id, entrega) };
  }
}
