import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOwner, RequireScope } from '../auth/decorators.js';
import type { Owner } from '../auth/owner.js';
import { uuidParam } from '../platform/openapi/answer-fields.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
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
  EliminadoDto,
  ListaDeWebhooksDto,
  overlapMs,
  RotarSecretoDto,
  toWebhook,
  WebhookConSecretoDto,
  WebhookRespuestaDto,
} from './endpoints/webhook.dto.js';
import { WebhooksService } from './endpoints/webhooks.service.js';
import { OF_MERCHANTS, OF_OPERATORS, type WebhookDocs } from './webhooks.docs.js';

const WEBHOOK_ID = uuidParam('id', '`id` del webhook.');
const ENTREGA_ID = uuidParam('entrega', '`id` de la entrega.');

/** The routes of endpoints and their deliveries, as one kind of owner has them. */
function routesOf({ tag, scopes, bodies, answers, whose, operations, ...docs }: WebhookDocs) {
  // Named here, because Nest reads the class of a body from its parameter.
  class CrearDto extends bodies.create {}
  class EditarDto extends bodies.update {}

  @ApiTags(tag)
  class Routes {
    constructor(
      readonly webhooks: WebhooksService,
      readonly log: DeliveryLogService,
    ) {}

    @Post()
    @RequireScope(scopes.write)
    @ApiOperation(operations.create)
    @ApiBody({ type: bodies.create, examples: docs.createExamples })
    @ApiResponse({ status: 201, type: answers.withSecret, description: 'El webhook y su secreto.' })
    @ApiWriteErrors('limite_de_webhooks')
    async create(
      @CurrentOwner() owner: Owner,
      @Body() dto: CrearDto,
      @Query() _: NoFields,
    ): Promise<WebhookConSecretoDto> {
      const { webhook, secreto } = await this.webhooks.create(owner, dto);
      return { ok: true, webhook: toWebhook(webhook), secreto };
    }

    @Get()
    @RequireScope(scopes.read)
    @ApiOperation({ ...operations.list, description: `Todos los ${whose}, sin su secreto.` })
    @ApiResponse({ status: 200, type: answers.all, description: `Todos los webhooks ${whose}.` })
    @ApiReadErrors()
    async list(@CurrentOwner() owner: Owner, @Query() _: NoFields): Promise<ListaDeWebhooksDto> {
      return { ok: true, webhooks: (await this.webhooks.list(owner)).map(toWebhook) };
    }

    @Get(':id')
    @RequireScope(scopes.read)
    @ApiOperation({
      ...operations.get,
      description: 'Su dirección, sus eventos y cómo van sus entregas; sin su secreto.',
    })
    @ApiParam(WEBHOOK_ID)
    @ApiResponse({ status: 200, type: answers.one, description: 'El webhook.' })
    @ApiReadErrors('no_encontrado')
    async get(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() _: NoFields,
    ): Promise<WebhookRespuestaDto> {
      return { ok: true, webhook: toWebhook(await this.webhooks.find(owner, id)) };
    }

    @Patch(':id')
    @RequireScope(scopes.write)
    @ApiOperation({ ...operations.update, description: 'Los campos ausentes quedan como están.' })
    @ApiParam(WEBHOOK_ID)
    @ApiBody({
      type: bodies.update,
      examples: { reactivar: { summary: 'Reactivarlo', value: { activo: true } } },
    })
    @ApiResponse({ status: 200, type: answers.one, description: 'El webhook después del cambio.' })
    @ApiWriteErrors('no_encontrado')
    async update(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Body() dto: EditarDto,
      @Query() _: NoFields,
    ): Promise<WebhookRespuestaDto> {
      return { ok: true, webhook: toWebhook(await this.webhooks.update(owner, id, dto)) };
    }

    @Delete(':id')
    @RequireScope(scopes.write)
    @ApiOperation({ ...operations.remove, description: 'No recibe nada más, tampoco lo pendiente.' })
    @ApiParam(WEBHOOK_ID)
    @ApiResponse({ status: 200, type: EliminadoDto, description: 'Eliminado.' })
    @ApiReadErrors('no_encontrado')
    async remove(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() _: NoFields,
    ): Promise<EliminadoDto> {
      await this.webhooks.remove(owner, id);
      return { ok: true };
    }

    @Post(':id/rotar')
    @HttpCode(200)
    @RequireScope(scopes.write)
    @ApiOperation(operations.rotate)
    @ApiParam(WEBHOOK_ID)
    @ApiBody({ type: RotarSecretoDto, required: false })
    @ApiResponse({ status: 200, type: answers.withSecret, description: 'El webhook y su secreto nuevo.' })
    @ApiWriteErrors('no_encontrado')
    async rotate(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Body() dto: RotarSecretoDto,
      @Query() _: NoFields,
    ): Promise<WebhookConSecretoDto> {
      const { webhook, secreto } = await this.webhooks.rotate(owner, id, overlapMs(dto));
      return { ok: true, webhook: toWebhook(webhook), secreto };
    }

    @Post(':id/probar')
    @HttpCode(200)
    @RequireScope(scopes.write)
    @ApiOperation(operations.test)
    @ApiParam(WEBHOOK_ID)
    @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
    @ApiResponse({ status: 200, type: EntregaRespuestaDto, description: 'La entrega de prueba.' })
    @ApiWriteErrors('no_encontrado')
    async test(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Body() _body: NoFields,
      @Query() _query: NoFields,
    ): Promise<EntregaRespuestaDto> {
      return { ok: true, entrega: await this.log.test(owner, id) };
    }

    @Post(':id/reenviar')
    @HttpCode(200)
    @RequireScope(scopes.write)
    @ApiOperation(operations.resend)
    @ApiParam(WEBHOOK_ID)
    @ApiBody({ type: ReenviarDto, examples: docs.resendExamples })
    @ApiResponse({ status: 200, type: ReenvioDto, description: 'Cuántas van en camino.' })
    @ApiWriteErrors('cursor_invalido', 'webhook_desactivado', 'no_encontrado')
    async resend(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Body() dto: ReenviarDto,
      @Query() _: NoFields,
    ): Promise<ReenvioDto> {
      return { ok: true, ...(await this.log.resend(owner, id, dto)) };
    }

    @Get(':id/entregas')
    @RequireScope(scopes.read)
    @ApiOperation(operations.deliveries)
    @ApiParam(WEBHOOK_ID)
    @ApiResponse({ status: 200, type: ListaDeEntregasDto, description: 'Una página de entregas.' })
    @ApiReadErrors('cursor_invalido', 'no_encontrado')
    async deliveries(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Query() dto: ListarEntregasDto,
    ): Promise<ListaDeEntregasDto> {
      return { ok: true, ...(await this.log.page(owner, id, dto)) };
    }

    @Get(':id/entregas/:entrega')
    @RequireScope(scopes.read)
    @ApiOperation({ ...operations.delivery, description: 'Con su cuerpo y todos sus intentos.' })
    @ApiParam(WEBHOOK_ID)
    @ApiParam(ENTREGA_ID)
    @ApiResponse({ status: 200, type: EntregaDetalleRespuestaDto, description: 'La entrega.' })
    @ApiReadErrors('no_encontrado')
    async delivery(
      @CurrentOwner() owner: Owner,
      @Param('id') id: string,
      @Param('entrega') entrega: string,
      @Query() _: NoFields,
    ): Promise<EntregaDetalleRespuestaDto> {
      return { ok: true, entrega: await this.log.detail(owner, id, entrega) };
    }
  }
  return Routes;
}

@Controller('api/v1/webhooks')
export class WebhooksController extends routesOf(OF_MERCHANTS) {}

@Controller('api/v1/operaciones/webhooks')
export class OperatorWebhooksController extends routesOf(OF_OPERATORS) {}
