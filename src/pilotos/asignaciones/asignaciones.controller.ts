import { Body, Controller, HttpCode, Post, Query } from '@nestjs/common';
import { ApiBody, ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { CostsByItem, itemsIn } from '../../auth/request-cost.interceptor.js';
import { AnswerDeadline } from '../../platform/http/answer-limit.js';
import { ID_EXAMPLES } from '../../platform/openapi/answer-fields.js';
import { ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { EventoRechazadoDto } from '../../operations/dto/registrar-evento.dto.js';
import { ModoDto } from '../../platform/validation/modo.dto.js';
import { AsignacionDto, AsignarDto, MAX_ASIGNADAS } from './asignacion.dto.js';
import { AsignacionesService } from './asignaciones.service.js';

@ApiTags('Pilotos')
@Controller('api/v1/operaciones/asignaciones')
export class AsignacionesController {
  constructor(private readonly asignaciones: AsignacionesService) {}

  @Post()
  @HttpCode(200)
  @CostsByItem(itemsIn('guias', MAX_ASIGNADAS))
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'asignarGuias',
    summary: 'Asignar guías a un piloto',
    description: `De 1 a ${MAX_ASIGNADAS} guías de cualquier comercio, cada una con su resultado, en el mismo orden. Con \`piloto: null\` dejan de ser de alguien. Queda en el historial como \`guia.asignada\`; \`actualizada_en\` y \`ETag\` no cambian. Repetirlo no hace daño.`,
  })
  @ApiExtraModels(AsignacionDto, EventoRechazadoDto)
  @ApiBody({
    type: AsignarDto,
    examples: {
      una: { summary: 'Una guía', value: { piloto: ID_EXAMPLES.piloto, guias: ['483920175567'] } },
      nadie: { summary: 'De nadie', value: { piloto: null, guias: ['483920175567'] } },
    },
  })
  @ApiResponse({
    status: 200,
    description: 'Un resultado por guía.',
    schema: {
      type: 'object',
      required: ['ok', 'resultados'],
      properties: {
        ok: {
          type: 'boolean',
          enum: [true],
          description: 'Siempre `true`: la solicitud se leyó. Vea cada resultado.',
        },
        resultados: {
          type: 'array',
          items: {
            oneOf: [{ $ref: getSchemaPath(AsignacionDto) }, { $ref: getSchemaPath(EventoRechazadoDto) }],
          },
        },
      },
    },
  })
  @ApiWriteErrors('no_encontrado', 'piloto_inactivo')
  async assign(
    @CurrentOperator() operator: Operator,
    @Body() dto: AsignarDto,
    @Query() _: ModoDto,
    @AnswerDeadline() deadline: number,
  ): Promise<{ ok: true; resultados: (AsignacionDto | EventoRechazadoDto)[] }> {
    return { ok: true, resultados: await this.asignaciones.assign(operator, dto, deadline) };
  }
}
