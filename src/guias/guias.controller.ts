import {
  Body,
  Controller,
  Get,
  Header,
  Headers,
  Param,
  Post,
  Query,
  Res,
  type StreamableFile,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentMerchant, RequireScope } from '../auth/decorators.js';
import type { Merchant } from '../auth/merchants/merchant.js';
import { AnswerDeadline } from '../platform/http/answer-limit.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import {
  ApiBody,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import { answerCreation } from './create/creation-answer.js';
import { withIdempotencyKey } from './create/idempotency-key.js';
import { CrearGuiaDto, GuiaCreadaDto, GuiaDuplicadaDto } from './dto/crear-guia.dto.js';
import { CREAR_GUIA_EXAMPLES } from './dto/crear-guia.examples.js';
import { NEW_GUIA_ADVERTENCIAS } from './guia/guia-advertencia.js';
import { GUIA_PARAM } from './dto/guia.param.js';
import { AnswersGuia } from './guia-answer.interceptor.js';
import type { GuiaDelComercioRow } from './guia/guia-row.js';
import { ListaDeGuiasDto, ListarGuiasDto, toListFilter } from './dto/listar-guias.dto.js';
import { GUIAS_CSV } from './list/guia-csv.js';
import { GuiaListService } from './list/guia-list.service.js';
import { GuiasService } from './guias.service.js';
import { differingHeader } from '../platform/http/repeat.interceptor.js';

@ApiTags('Guías')
@Controller('api/v1/guias')
export class GuiasController {
  constructor(
    private readonly guias: GuiasService,
    private readonly lista: GuiaListService,
  ) {}

  @Post()
  @RequireScope('guias:escribir')
  @ApiOperation({
    operationId: 'crearGuia',
    summary: 'Crear una guía',
    description:
      'Crea una guía de envío. Con `external_ref` puede repetirse sin riesgo: la repetición responde 200 con la guía existente y `duplicada: true`. Sin `external_ref`, el encabezado `Idempotency-Key` hace lo mismo. ' +
      'Con coordenadas o `maps_url` de destino la dirección queda confirmada; sin ellas, el destinatario recibe un mensaje para confirmar su ubicación.\n\n' +
      'Sin proveedor de mensajería (modo `sandbox`) no se envía nada y el final de `telefono` decide qué pasa: `0001` confirma solo a los 2 segundos, `0002` falla y queda en el tablero y en `advertencias`, `0003` falla tres veces y luego llega; los demás quedan en espera, con su enlace en `guias sandbox inbox`.',
  })
  @ApiHeader({
    name: 'Idempotency-Key',
    required: false,
    description:
      'De 1 a 100 caracteres ASCII: hace segura la repetición de una guía sin `external_ref`, y queda como su `external_ref`. Si el cuerpo ya trae uno, vale ese. Ejemplo: `pedido-1042`.',
    schema: { type: 'string', minLength: 1, maxLength: 100 },
  })
  @ApiBody({ type: CrearGuiaDto, examples: CREAR_GUIA_EXAMPLES })
  @ApiResponse({
    status: 201,
    type: GuiaCreadaDto,
    description: 'La guía fue creada.',
    headers: {
      Location: { description: 'Dirección del detalle de la guía.', schema: { type: 'string' } },
      'Guias-Advertencia': {
        description: `Las advertencias con las que nace la guía, separadas por comas: ${NEW_GUIA_ADVERTENCIAS.join(', ')}. Falta si no tiene ninguna.`,
        schema: { type: 'string' },
      },
    },
  })
  @ApiResponse({
    status: 200,
    type: GuiaDuplicadaDto,
    description: 'Ya existía una guía con ese `external_ref`; no se creó otra.',
    headers: {
      ...differingHeader(
        'Campos de la repetición que difieren de la guía guardada, separados por comas. Falta si no difiere ninguno.',
      ),
      'Guias-Advertencia': {
        description:
          '`cancelada`: la guía existente está cancelada y no se enviará. Para un envío nuevo use otro `external_ref`.',
        schema: { type: 'string', enum: ['cancelada'] },
      },
    },
  })
  @ApiWriteErrors('enlace_sin_coordenadas', 'enlace_no_soportado', 'enlace_roto')
  async create(
    @CurrentMerchant() merchant: Merchant,
    @Body() dto: CrearGuiaDto,
    @Query() _: NoFields,
    @Headers('idempotency-key') key: string | undefined,
    @AnswerDeadline() deadline: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GuiaCreadaDto | GuiaDuplicadaDto> {
    return answerCreation(reply, await this.guias.create(merchant, withIdempotencyKey(dto, key), deadline));
  }

  @Get()
  @RequireScope('guias:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarGuias',
    summary: 'Listar guías',
    description:
      'Las guías del comercio, de la más reciente a la más antigua. Siga `siguiente_cursor` hasta que sea null: cada guía que ya existía al pedir la primera página aparece exactamente una vez, aunque entren otras mientras tanto. ' +
      'Todos los filtros se pueden combinar. Con `actualizada_desde` el orden es el de los cambios, para sincronizar.\n\n' +
      'Con `Accept: text/csv` llega la selección entera como archivo CSV, que `POST /api/v1/guias/lote` también lee; `limit` y `cursor` no la dividen.',
  })
  @ApiExtraModels(ListaDeGuiasDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de guías, o todas en CSV.',
    ...csvOrJson('guias', { $ref: getSchemaPath(ListaDeGuiasDto) }, GUIAS_CSV),
  })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentMerchant() merchant: Merchant,
    @Query() dto: ListarGuiasDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeGuiasDto | StreamableFile> {
    const filter = toListFilter(dto);
    return isCsv
      ? csvFile('guias', await this.lista.csv(merchant, filter))
      : { ok: true, ...(await this.lista.list(merchant, filter, dto)) };
  }

  @Get(':id')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'obtenerGuia',
    summary: 'Ver una guía',
    description: 'Una guía del comercio con su punto de recogida, su destino y sus advertencias.',
  })
  @ApiParam(GUIA_PARAM)
  @AnswersGuia('La guía.')
  @ApiReadErrors('no_encontrado')
  async detail(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @Query() _: NoFields,
  ): Promise<GuiaDelComercioRow> {
    return this.guias.read(merchant, id);
  }
}
