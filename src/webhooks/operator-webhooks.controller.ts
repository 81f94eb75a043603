import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { ENTREGA_ID } from './deliveries/deliveries.controller.js';
import { DeliveryLogService } from './deliveries/delivery-log.service.js';
import {
  EntregaDetalleRespuestaDto,
  EntregaRespuestaDto,
  ListaDeEntregasDto,
  ListarEntregasDto,
  ReenviarDto,
  ReenvioDto,
} from './deliveries/entrega.dto.js';
import {
  CrearWebhookDeOperacionesDto,
  EditarWebhookDeOperacionesDto,
  EliminadoDto,
  ListaDeWebhooksDeOperacionesDto,
  overlapMs,
  RotarSecretoDto,
  toWebhook,
  WEBHOOK_ID,
  WebhookDeOperacionesConSecretoDto,
  WebhookDeOperacionesRespuestaDto,
} from './endpoints/webhook.dto.js';
import { WebhooksService } from './endpoints/webhooks.service.js';

/** Operators' endpoints, as merchants' are. */
@ApiTags('Operaciones')
@Controller('api/v1/operaciones/webhooks')
export class OperatorWebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly log: DeliveryLogService,
  ) {}

  @Post()
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'crearWebhookDeOperaciones',
    summary: 'Crear un webhook de operador',
    description:
      'Desde ahora cada evento pedido, de las guías reales de todos los comercios, se envía a `url`, firmado como los de `POST /api/v1/webhooks`. `data.guia` es la guía como la muestra `GET /api/v1/operaciones/guias/{id}`. El secreto se muestra solo aquí y al rotarlo. Hasta 20 por operador.',
  })
  @ApiBody({
    type: CrearWebhookDeOperacionesDto,
    examples: {
      todos: { summary: 'Todos los eventos', value: { url: 'https://mensajeria.example/avisos' } },
      nuevas: {
        summary: 'Solo guías nuevas y canceladas',
        value: { url: 'https://mensajeria.example/avisos', eventos: ['guia.creada', 'guia.cancelada'] },
      },
    },
  })
  @ApiResponse({
    status: 201,
    type: WebhookDeOperacionesConSecretoDto,
    description: 'El webhook y su secreto.',
  })
  @ApiWriteErrors('limite_de_webhooks')
  async create(
    @CurrentOperator() operator: Operator,
    @Body() dto: CrearWebhookDeOperacionesDto,
    @Query() _: NoFields,
  ): Promise<WebhookDeOperacionesConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.create(operator, dto);
    return { ok: true, webhook: toWebhook(webhook), secreto };
  }

  @Get()
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarWebhooksDeOperaciones',
    summary: 'Listar los webhooks de operador',
    description: 'Todos los del operador, sin su secreto.',
  })
  @ApiResponse({
    status: 200,
    type: ListaDeWebhooksDeOperacionesDto,
    description: 'Todos los webhooks del operador.',
  })
  @ApiReadErrors()
  async list(
    @CurrentOperator() operator: Operator,
    @Query() _: NoFields,
  ): Promise<ListaDeWebhooksDeOperacionesDto> {
    return { ok: true, webhooks: (await this.webhooks.list(operator)).map(toWebhook) };
  }

  @Get(':id')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'obtenerWebhookDeOperaciones',
    summary: 'Ver un webhook de operador',
    description: 'Su dirección, sus eventos y cómo van sus entregas; sin su secreto.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: WebhookDeOperacionesRespuestaDto, description: 'El webhook.' })
  @ApiReadErrors('no_encontrado')
  async get(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<WebhookDeOperacionesRespuestaDto> {
    return { ok: true, webhook: toWebhook(await this.webhooks.find(operator, id)) };
  }

  @Patch(':id')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'editarWebhookDeOperaciones',
    summary: 'Cambiar, pausar o reactivar un webhook de operador',
    description: 'Los campos ausentes quedan como están.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({
    type: EditarWebhookDeOperacionesDto,
    examples: { reactivar: { summary: 'Reactivarlo', value: { activo: true } } },
  })
  @ApiResponse({
    status: 200,
    type: WebhookDeOperacionesRespuestaDto,
    description: 'El webhook después del cambio.',
  })
  @ApiWriteErrors('no_encontrado')
  async update(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: EditarWebhookDeOperacionesDto,
    @Query() _: NoFields,
  ): Promise<WebhookDeOperacionesRespuestaDto> {
    return { ok: true, webhook: toWebhook(await this.webhooks.update(operator, id, dto)) };
  }

  @Delete(':id')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'eliminarWebhookDeOperaciones',
    summary: 'Eliminar un webhook de operador',
    description: 'No recibe nada más, tampoco lo pendiente.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: EliminadoDto, description: 'Eliminado.' })
  @ApiReadErrors('no_encontrado')
  async remove(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<EliminadoDto> {
    await this.webhooks.remove(operator, id);
    return { ok: true };
  }

  @Post(':id/rotar')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'rotarSecretoDeOperaciones',
    summary: 'Cambiar el secreto de un webhook de operador',
    description: 'Como `POST /api/v1/webhooks/{id}/rotar`.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({ type: RotarSecretoDto, required: false })
  @ApiResponse({
    status: 200,
    type: WebhookDeOperacionesConSecretoDto,
    description: 'El webhook y su secreto nuevo.',
  })
  @ApiWriteErrors('no_encontrado')
  async rotate(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: RotarSecretoDto,
    @Query() _: NoFields,
  ): Promise<WebhookDeOperacionesConSecretoDto> {
    const { webhook, secreto } = await this.webhooks.rotate(operator, id, overlapMs(dto));
    return { ok: true, webhook: toWebhook(webhook), secreto };
  }

  @Post(':id/probar')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'probarWebhookDeOperaciones',
    summary: 'Enviar un aviso de prueba a un webhook de operador',
    description: 'Como `POST /api/v1/webhooks/{id}/probar`.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @ApiResponse({ status: 200, type: EntregaRespuestaDto, description: 'La entrega de prueba.' })
  @ApiWriteErrors('no_encontrado')
  async test(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @Query() _query: NoFields,
  ): Promise<EntregaRespuestaDto> {
    return { ok: true, entrega: await this.log.test(operator, id) };
  }

  @Post(':id/reenviar')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'reenviarEntregasDeOperaciones',
    summary: 'Reenviar entregas de un webhook de operador',
    description: 'Como `POST /api/v1/webhooks/{id}/reenviar`.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiBody({
    type: ReenviarDto,
    examples: {
      rango: {
        summary: 'Las fallidas de un día',
        value: { desde: '2026-11-21', hasta: '2026-11-21', estado: 'fallida' },
      },
    },
  })
  @ApiResponse({ status: 200, type: ReenvioDto, description: 'Cuántas van en camino.' })
  @ApiWriteErrors('cursor_invalido', 'webhook_desactivado', 'no_encontrado')
  async resend(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: ReenviarDto,
    @Query() _: NoFields,
  ): Promise<ReenvioDto> {
    return { ok: true, ...(await this.log.resend(operator, id, dto)) };
  }

  @Get(':id/entregas')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarEntregasDeOperaciones',
    summary: 'Listar las entregas de un webhook de operador',
    description: 'Como `GET /api/v1/webhooks/{id}/entregas`.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiResponse({ status: 200, type: ListaDeEntregasDto, description: 'Una página de entregas.' })
  @ApiReadErrors('cursor_invalido', 'no_encontrado')
  async deliveries(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEntregasDto,
  ): Promise<ListaDeEntregasDto> {
    return { ok: true, ...(await this.log.page(operator, id, dto)) };
  }

  @Get(':id/entregas/:entrega')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'obtenerEntregaDeOperaciones',
    summary: 'Ver una entrega de un webhook de operador',
    description: 'Con su cuerpo y todos sus intentos.',
  })
  @ApiParam(WEBHOOK_ID)
  @ApiParam(ENTREGA_ID)
  @ApiResponse({ status: 200, type: EntregaDetalleRespuestaDto, description: 'La entrega.' })
  @ApiReadErrors('no_encontrado')
  async delivery(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Param('entrega') entrega: string,
    @Query() _: NoFields,
  ): Promise<EntregaDetalleRespuestaDto> {
    return { ok: true, entrega: await this.log.detail(operator, id, entrega) };
  }
}
