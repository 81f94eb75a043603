import { Body, Controller, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CostsByItem, itemsIn } from '../auth/request-cost.interceptor.js';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { GuiaCobrosService, type CobroCorregido } from '../guias/changes/guia-cobros.service.js';
import { GuiaUndoService, type EstadoCorregido } from '../guias/changes/guia-undo.service.js';
import { UNDO_DAYS } from '../guias/changes/guia-undo.js';
import type { Registro } from '../guias/changes/guia-registro.js';
import { UNDO_ADVERTENCIAS } from '../guias/guia/guia-advertencia.js';
import { GUIA_PARAM } from '../guias/dto/guia.param.js';
import { AnswersOnce } from '../platform/http/repeat.interceptor.js';
import { AnswerDeadline } from '../platform/http/answer-limit.js';
import { KIB } from '../platform/config/body-limit.js';
import { ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { CorregirCobroDto } from '../guias/dto/corregir-cobro.dto.js';
import { DeshacerDto } from '../guias/dto/deshacer.dto.js';
import { EstadoCorregidoDto } from './dto/estado-corregido.dto.js';
import { CobroCorregidoDto } from './dto/cobro-corregido.dto.js';
import {
  EventoRechazadoDto,
  LoteDto,
  MAX_EVENTOS,
  RegistrarEventoDto,
  RegistroDto,
} from './dto/registrar-evento.dto.js';
import { OperationsService } from './operations.service.js';
import { AnswersRegistro, EVENTO_EXAMPLES, FROM_EVENTO } from './registro-answer.js';

@ApiTags('Operaciones')
@Controller('api/v1/operaciones')
export class OperationsController {
  constructor(
    private readonly operations: OperationsService,
    private readonly cobros: GuiaCobrosService,
    private readonly undos: GuiaUndoService,
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
  @AnswersRegistro()
  @ApiWriteErrors('no_encontrado', 'transicion_invalida', 'pin_incorrecto', 'pin_agotado')
  async register(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: RegistrarEventoDto,
    @Query() _: ModoDto,
  ): Promise<Registro> {
    return this.operations.register(operator, id, dto);
  }

  @Post('guias/:id/cobro')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'corregirCobro',
    summary: 'Corregir lo cobrado de una guía entregada',
    description:
      'Cambia `cod_cobrado`, y cómo se pagó, de una guía, de cualquier comercio, mientras no es parte de una liquidación; la advertencia `cod_distinto` queda según el nuevo monto. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({
    type: CorregirCobroDto,
    examples: {
      vuelto: {
        summary: 'Un monto menor',
        value: { cod_cobrado: 340, nota: 'Faltaba el vuelto', ref: 'caja-22' },
      },
      directo: { summary: 'Se pagó al comercio', value: { pago: 'directo', nota: 'Pagó en la tienda' } },
    },
  })
  @AnswersOnce(CobroCorregidoDto, {
    made: 'La corrección quedó registrada.',
    repeated: 'Ya estaba registrada con esa `ref`.',
    from: FROM_EVENTO,
  })
  @ApiWriteErrors('no_encontrado', 'transicion_invalida', 'cobro_liquidado')
  async correct(
    @CurrentOperator() { id: operador_id, isTest }: Operator,
    @Param('id') id: string,
    @Body() dto: CorregirCobroDto,
    @Query() _: ModoDto,
  ): Promise<Omit<CobroCorregido, 'pago'>> {
    const by = { actor: 'operador' as const, operador_id };
    const { pago: _pago, ...corrected } = await this.cobros.correct(by, { isTest }, id, dto);
    return corrected;
  }

  @Post('guias/:id/deshacer')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'deshacerEvento',
    summary: 'Deshacer el último cambio de estado',
    description: `Deshace el último cambio de estado que la mensajería registró, hasta ${UNDO_DAYS} días después; otra vez, el anterior. Con él desaparece lo cobrado (si ya es parte de una liquidación, solo con \`ajustar\`), y las advertencias que vinieron con él (${UNDO_ADVERTENCIAS.map((code) => `\`${code}\``).join(', ')}). Queda en el historial como \`guia.estado_corregido\`, que se avisa por webhook. Con \`ref\` puede repetirse sin riesgo.`,
  })
  @ApiParam(GUIA_PARAM)
  @AnswersOnce(EstadoCorregidoDto, {
    made: 'El cambio quedó deshecho.',
    repeated: 'Ya estaba deshecho con esa `ref`.',
    from: FROM_EVENTO,
  })
  @ApiWriteErrors('no_encontrado', 'nada_que_deshacer', 'cobro_liquidado')
  async undo(
    @CurrentOperator() { id: operador_id, isTest }: Operator,
    @Param('id') id: string,
    @Body() dto: DeshacerDto,
    @Query() _: ModoDto,
  ): Promise<EstadoCorregido> {
    return this.undos.undo({ actor: 'operador', operador_id }, { isTest }, id, dto);
  }

  @Post('eventos')
  @HttpCode(200)
  @CostsByItem(itemsIn('eventos', MAX_EVENTOS))
  // A hundred events with the longest notes.
  @RequireScope('operaciones', { bodyLimit: 512 * KIB, isBatch: true })
  @ApiOperation({
    operationId: 'registrarEventos',
    summary: 'Registrar muchos eventos de una vez',
    description: `De 1 a ${MAX_EVENTOS} eventos, cada uno con su resultado, en el mismo orden: el rechazo de uno no detiene a los demás.`,
  })
  @ApiExtraModels(RegistroDto, EventoRechazadoDto)
  @ApiBody({
    type: LoteDto,
    examples: {
      lote: {
        summary: 'Un evento',
        value: { eventos: [{ guia: '483920175567', ...EVENTO_EXAMPLES.recogida.value }] },
      },
    },
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
    @Body() { eventos }: LoteDto,
    @Query() _: ModoDto,
    @AnswerDeadline() deadline: number,
  ): Promise<{ ok: true; resultados: (RegistroDto | EventoRechazadoDto)[] }> {
    return { ok: true, resultados: await this.operations.registerBatch(operator, eventos, deadline) };
  }
}
