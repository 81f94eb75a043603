import { Controller, HttpCode, Param, Post, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiQuery,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentOperator, RequireScope, type Operator } from '../auth/decorators.js';
import { GuiaCobrosService } from '../guias/changes/guia-cobros.service.js';
import type { Registro } from '../guias/changes/guia-moves.service.js';
import { GUIA_PARAM } from '../guias/dto/guia.param.js';
import { AnswerDeadline } from '../http/answer-limit.js';
import { ApiWriteErrors } from '../openapi/api-errors.decorator.js';
import { ValidBatch, ValidBody, type BatchItem } from '../validation/input.decorators.js';
import { ModoDto } from '../validation/modo.dto.js';
import { CobroCorregidoDto, CorregirCobroDto, toCobroCorregido } from './dto/corregir-cobro.dto.js';
import {
  EventoDeLoteDto,
  EventoRechazadoDto,
  LoteDto,
  RegistrarEventoDto,
  RegistroDto,
  toRegistro,
} from './dto/registrar-evento.dto.js';
import { OperationsService } from './operations.service.js';

export const EVENTO_EXAMPLES = {
  recogida: { summary: 'Va a recoger', value: { estado: 'en_camino_a_recoger', ref: 'ruta-7-parada-3' } },
  intento: {
    summary: 'Intento fallido',
    value: { estado: 'intento_fallido', motivo: 'ausente', nota: 'Vuelve el lunes' },
  },
  entrega: {
    summary: 'Entregada y cobrada',
    value: { estado: 'entregado', cod_cobrado: 349.5, recibio: 'Rosa Pérez', lat: 14.6407, lng: -90.5133 },
  },
};

export const DIFFERING_HEADER = {
  'Guias-Campos-Distintos': {
    description:
      'Campos de la repetición que difieren del evento guardado, separados por comas. Falta si no difiere ninguno.',
    schema: { type: 'string' as const },
  },
};

@ApiTags('Operaciones')
@Controller('api/v1/operaciones')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly cobros: GuiaCobrosService,
  ) {}

  @Post('guias/:id/eventos')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'registrarEvento',
    summary: 'Registrar lo que pasó con una guía',
    description:
      'Mueve una guía, de cualquier comercio, a otro estado. Con `ref` puede repetirse sin riesgo: la repetición responde 200 con el evento ya registrado; la de una cancelación, también sin `ref`. Una entrega con `cod_amount` lleva `cod_cobrado`; un intento fallido, `motivo`. Lo que pasó antes del último cambio (`ocurrido_en`) queda en el historial y no mueve la guía; con un reloj atrasado hasta 5 minutos se aplica.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiQuery({ type: ModoDto })
  @ApiBody({ type: RegistrarEventoDto, examples: EVENTO_EXAMPLES })
  @ApiResponse({ status: 201, type: RegistroDto, description: 'El evento quedó registrado.' })
  @ApiResponse({
    status: 200,
    type: RegistroDto,
    description: 'Ya estaba registrado: con esa `ref`, o es la cancelación de una guía cancelada.',
    headers: DIFFERING_HEADER,
  })
  @ApiWriteErrors('no_encontrado', 'transicion_invalida')
  async register(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(RegistrarEventoDto) dto: RegistrarEventoDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<RegistroDto> {
    return sendRegistro(reply, await this.operations.register(operator, id, dto));
  }

  @Post('guias/:id/cobro')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'corregirCobro',
    summary: 'Corregir lo cobrado de una guía entregada',
    description:
      'Cambia `cod_cobrado` de una guía, de cualquier comercio, mientras no es parte de una liquidación; la advertencia `cod_distinto` queda según el nuevo monto. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiQuery({ type: ModoDto })
  @ApiBody({
    type: CorregirCobroDto,
    examples: {
      vuelto: {
        summary: 'Un monto menor',
        value: { cod_cobrado: 340, nota: 'Faltaba el vuelto', ref: 'caja-22' },
      },
    },
  })
  @ApiResponse({ status: 201, type: CobroCorregidoDto, description: 'La corrección quedó registrada.' })
  @ApiResponse({
    status: 200,
    type: CobroCorregidoDto,
    description: 'Ya estaba registrada con esa `ref`.',
    headers: DIFFERING_HEADER,
  })
  @ApiWriteErrors('no_encontrado', 'transicion_invalida', 'cobro_liquidado')
  async correct(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @ValidBody(CorregirCobroDto) dto: CorregirCobroDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CobroCorregidoDto> {
    const cobro = await this.cobros.correct(operator, id, dto);
    if (cobro.duplicado) void reply.status(200);
    if (cobro.distintos.length > 0) void reply.header('Guias-Campos-Distintos', cobro.distintos.join(', '));
    return toCobroCorregido(cobro);
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
  @ApiQuery({ type: ModoDto })
  @ApiBody({
    type: LoteDto,
    examples: { lote: { value: { eventos: [{ guia: '483920175567', ...EVENTO_EXAMPLES.recogida.value }] } } },
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
  @ApiWriteErrors()
  async registerBatch(
    @CurrentOperator() operator: Operator,
    @ValidBatch({ field: 'eventos', type: EventoDeLoteDto, max: 100 }) items: BatchItem<EventoDeLoteDto>[],
    @AnswerDeadline() deadline: number,
  ): Promise<{ ok: true; resultados: (RegistroDto | EventoRechazadoDto)[] }> {
    return { ok: true, resultados: await this.operations.registerBatch(operator, items, deadline) };
  }
}

/** Answers with what was registered: 200 for a repeat, with the fields in which it differs. */
export function sendRegistro(reply: FastifyReply, registro: Registro): RegistroDto {
  if (registro.duplicado) void reply.status(200);
  if (registro.distintos.length > 0)
    void reply.header('Guias-Campos-Distintos', registro.distintos.join(', '));
  return toRegistro(registro);
}
