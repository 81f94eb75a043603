import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentOperator, RequireScope, type Operator } from '../auth/decorators.js';
import { GUIA_PARAM } from '../guias/dto/guia.param.js';
import { ApiErrors } from '../openapi/api-errors.decorator.js';
import { ValidBatch, ValidBody, type BatchItem } from '../validation/input.decorators.js';
import {
  EventoDeLoteDto,
  EventoRechazadoDto,
  LoteDto,
  RegistrarEventoDto,
  RegistroDto,
  toRegistro,
} from './dto/registrar-evento.dto.js';
import { OperationsService } from './operations.service.js';

const EXAMPLES = {
  recogida: { summary: 'Va a recoger', value: { estado: 'en_camino_a_recoger', ref: 'ruta-7-parada-3' } },
  intento: {
    summary: 'Intento fallido',
    value: { estado: 'intento_fallido', motivo: 'ausente', nota: 'Vuelve el lunes' },
  },
  entrega: { summary: 'Entregada y cobrada', value: { estado: 'entregado', cod_cobrado: 349.5 } },
};

@ApiTags('Operaciones')
@Controller('api/v1/operaciones')
export class OperationsController {
  constructor(private readonly operations: OperationsService) {}

  @Post('guias/:id/eventos')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'registrarEvento',
    summary: 'Registrar lo que pasó con una guía',
    description:
      'Mueve una guía, de cualquier comercio, a otro estado. Con `ref` puede repetirse sin riesgo: la repetición responde 200 con el evento ya registrado. Lo que pasó antes del último cambio (`ocurrido_en`) queda en el historial y no mueve la guía.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({ type: RegistrarEventoDto, examples: EXAMPLES })
  @ApiResponse({ status: 201, type: RegistroDto, description: 'El evento quedó registrado.' })
  @ApiResponse({
    status: 200,
    type: RegistroDto,
    description: 'Ya estaba registrado con esa `ref`.',
    headers: {
      'Guias-Campos-Distintos': {
        description:
          'Campos de la repetición que difieren del evento guardado, separados por comas. Falta si no difiere ninguno.',
        schema: { type: 'string' },
      },
    },
  })
  @ApiErrors(
    ...(['validacion', 'json_invalido', 'no_autenticado', 'sin_permiso', 'no_encontrado'] as const),
    ...(['transicion_invalida', 'cuerpo_demasiado_grande', 'tipo_no_soportado'] as const),
    ...(['demasiadas_solicitudes', 'error_interno', 'no_disponible'] as const),
  )
  async register(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(RegistrarEventoDto) dto: RegistrarEventoDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistroDto> {
    const registro = await this.operations.register(operator, id, dto);
    if (registro.duplicado) void reply.status(200);
    if (registro.distintos.length > 0)
      void reply.header('Guias-Campos-Distintos', registro.distintos.join(', '));
    return toRegistro(registro);
  }

  @Post('eventos')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'registrarEventos',
    summary: 'Registrar muchos eventos de una vez',
    description:
      'De 1 a 100 eventos, cada uno con su resultado, en el mismo orden: el rechazo de uno no detiene a los demás.',
  })
  @ApiExtraModels(RegistroDto, EventoRechazadoDto)
  @ApiBody({
    type: LoteDto,
    examples: { lote: { value: { eventos: [{ guia: '483920175567', ...EXAMPLES.recogida.value }] } } },
  })
  @ApiResponse({
    status: 200,
    description: 'Un resultado por evento.',
    schema: {
      type: 'object',
      required: ['ok', 'resultados'],
      properties: {
        ok: {
          type: 'boolean',
          enum: [true],
          description: 'Siempre `true`: el lote se leyó. Vea cada resultado.',
        },
        resultados: {
          type: 'array',
          items: {
            oneOf: [{ $ref: getSchemaPath(RegistroDto) }, { $ref: getSchemaPath(EventoRechazadoDto) }],
          },
        },
      },
    },
  })
  @ApiErrors(
    ...(['validacion', 'json_invalido', 'no_autenticado', 'sin_permiso'] as const),
    ...(['cuerpo_demasiado_grande', 'tipo_no_soportado'] as const),
    ...(['demasiadas_solicitudes', 'error_interno', 'no_disponible'] as const),
  )
  async registerBatch(
    @CurrentOperator() operator: Operator,
    @ValidBatch({ field: 'eventos', type: EventoDeLoteDto, max: 100 }) items: BatchItem<EventoDeLoteDto>[],
  ): Promise<{ ok: true; resultados: (RegistroDto | EventoRechazadoDto)[] }> {
    return { ok: true, resultados: await this.operations.registerBatch(operator, items) };
  }
}
