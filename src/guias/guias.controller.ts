import { Controller, Get, Param, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { CurrentMerchant, RequireScope, type Merchant } from '../auth/decorators.js';
import { AnswerDeadline } from '../http/answer-limit.js';
import { ApiErrors } from '../openapi/api-errors.decorator.js';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import { NoParameters, ValidBody, ValidQuery } from '../validation/input.decorators.js';
import { etagOf } from './changes/guia-version.js';
import { CrearGuiaDto, GuiaCreadaDto, GuiaDuplicadaDto, toGuiaCreada } from './dto/crear-guia.dto.js';
import { CREAR_GUIA_EXAMPLES } from './dto/crear-guia.examples.js';
import { ETAG_HEADER, GuiaRespuestaDto, toGuiaRespuesta } from './dto/guia.dto.js';
import { ListaDeGuiasDto, ListarGuiasDto } from './dto/listar-guias.dto.js';
import { GuiaListService } from './list/guia-list.service.js';
import { GuiasService } from './guias.service.js';

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
      'Crea una guía de envío. Con `external_ref` puede repetirse sin riesgo: la repetición responde 200 con la guía existente y `duplicada: true`. ' +
      'Con coordenadas o `maps_url` de destino la dirección queda confirmada; sin ellas, el destinatario recibe un mensaje para confirmar su ubicación.\n\n' +
      'Sin proveedor de mensajería (modo `sandbox`) no se envía nada y el final de `telefono` decide qué pasa: `0001` confirma solo a los 2 segundos, `0002` falla y queda en el tablero y en `advertencias`, `0003` falla tres veces y luego llega; los demás quedan en espera, con su enlace en `guias sandbox inbox`.',
  })
  @ApiBody({ type: CrearGuiaDto, examples: CREAR_GUIA_EXAMPLES })
  @ApiResponse({
    status: 201,
    type: GuiaCreadaDto,
    description: 'La guía fue creada.',
    headers: { Location: { description: 'Dirección del detalle de la guía.', schema: { type: 'string' } } },
  })
  @ApiResponse({
    status: 200,
    type: GuiaDuplicadaDto,
    description: 'Ya existía una guía con ese `external_ref`; no se creó otra.',
    headers: {
      'Guias-Campos-Distintos': {
        description:
          'Campos de la repetición que difieren de la guía guardada, separados por comas. Falta si no difiere ninguno.',
        schema: { type: 'string' },
      },
    },
  })
  @ApiErrors(
    ...([
      'validacion',
      'json_invalido',
      'no_autenticado',
      'sin_permiso',
      'cuerpo_demasiado_grande',
      'tipo_no_soportado',
    ] as const),
    ...(['enlace_sin_coordenadas', 'enlace_no_soportado', 'enlace_roto'] as const),
    ...(['demasiadas_solicitudes', 'error_interno', 'no_disponible'] as const),
  )
  async create(
    @CurrentMerchant() merchant: Merchant,
    @ValidBody(CrearGuiaDto) dto: CrearGuiaDto,
    @AnswerDeadline() deadline: number,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GuiaCreadaDto | GuiaDuplicadaDto> {
    const { guia, isDuplicate, differing } = await this.guias.create(merchant, dto, deadline);
    if (isDuplicate) reply.status(200);
    else reply.header('Location', `/api/v1/guias/${guia.id}`);
    if (differing.length > 0) reply.header('Guias-Campos-Distintos', differing.join(', '));
    return toGuiaCreada(guia, isDuplicate);
  }

  @Get()
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'listarGuias',
    summary: 'Listar guías',
    description:
      'Las guías del comercio, de la más reciente a la más antigua. Siga `siguiente_cursor` hasta que sea null: cada guía que ya existía al pedir la primera página aparece exactamente una vez, aunque entren otras mientras tanto. ' +
      'Todos los filtros se pueden combinar. Con `actualizada_desde` el orden es el de los cambios, para sincronizar.',
  })
  @ApiQuery({ type: ListarGuiasDto })
  @ApiResponse({ status: 200, type: ListaDeGuiasDto, description: 'Una página de guías.' })
  @ApiErrors(
    'validacion',
    'cursor_invalido',
    'no_autenticado',
    'sin_permiso',
    'demasiadas_solicitudes',
    'error_interno',
    'no_disponible',
  )
  async list(
    @CurrentMerchant() merchant: Merchant,
    @ValidQuery(ListarGuiasDto) dto: ListarGuiasDto,
  ): Promise<ListaDeGuiasDto> {
    return { ok: true, ...(await this.lista.list(merchant, dto)) };
  }

  @Get(':id')
  @RequireScope('guias:leer')
  @ApiOperation({
    operationId: 'obtenerGuia',
    summary: 'Ver una guía',
    description: 'Una guía del comercio con su punto de recogida, su destino y sus advertencias.',
  })
  @ApiParam({ name: 'id', description: '`id` de la guía o número de `guia`.', schema: { type: 'string' } })
  @ApiResponse({ status: 200, type: GuiaRespuestaDto, description: 'La guía.', headers: ETAG_HEADER })
  @ApiErrors(
    'validacion',
    'no_autenticado',
    'sin_permiso',
    'no_encontrado',
    'demasiadas_solicitudes',
    'error_interno',
    'no_disponible',
  )
  async detail(
    @CurrentMerchant() merchant: Merchant,
    @Param('id') id: string,
    @ValidQuery(NoParameters) _: NoParameters,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<GuiaRespuestaDto> {
    const guia = await this.guias.detail(merchant, id);
    void reply.header('ETag', etagOf(guia.version));
    return toGuiaRespuesta(guia);
  }
}
