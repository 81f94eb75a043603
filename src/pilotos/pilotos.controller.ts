import { Body, Controller, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { AnswersOnce } from '../platform/http/repeat.interceptor.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../platform/validation/no-fields.dto.js';
import {
  CrearPilotoDto,
  EditarPilotoDto,
  ListaDePilotosDto,
  ListarPilotosDto,
  PILOTO_PARAM,
  PilotoCreadoDto,
  PilotoRespuestaDto,
} from './dto/piloto.dto.js';
import { EnlaceDePilotoDto, HacerEnlaceDto } from './enlace/enlace.dto.js';
import { PilotosService, type PilotoCreado } from './pilotos.service.js';

@ApiTags('Pilotos')
@Controller('api/v1/operaciones/pilotos')
export class PilotosController {
  constructor(private readonly pilotos: PilotosService) {}

  @Post()
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'crearPiloto',
    summary: 'Crear un piloto',
    description:
      'Los pilotos son de la instalación: todos los operadores los usan. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiBody({
    type: CrearPilotoDto,
    examples: {
      piloto: {
        summary: 'Un piloto',
        value: { nombre: 'Marvin Xicará', telefono: '5555 8080', ref: 'empleado-17' },
      },
    },
  })
  @AnswersOnce(PilotoCreadoDto, {
    made: 'El piloto quedó creado.',
    repeated: 'Ya estaba creado con esa `ref`.',
    from: 'del piloto, separados por comas',
  })
  @ApiWriteErrors()
  create(
    @CurrentOperator() { id }: Operator,
    @Body() dto: CrearPilotoDto,
    @Query() _: NoFields,
  ): Promise<PilotoCreado> {
    return this.pilotos.create(id, dto);
  }

  @Get()
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarPilotos',
    summary: 'Listar los pilotos',
    description: 'Del más reciente al más antiguo.',
  })
  @ApiResponse({ status: 200, type: ListaDePilotosDto, description: 'Una página de pilotos.' })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentOperator() { id }: Operator,
    @Query() dto: ListarPilotosDto,
  ): Promise<ListaDePilotosDto> {
    return { ok: true, ...(await this.pilotos.list(id, dto)) };
  }

  @Get(':id')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'obtenerPiloto',
    summary: 'Ver un piloto',
    description: '`visto_en` dice cuándo su página tuvo contacto por última vez.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiResponse({ status: 200, type: PilotoRespuestaDto, description: 'El piloto.' })
  @ApiReadErrors('no_encontrado')
  async show(@Param('id') id: string, @Query() _: NoFields): Promise<PilotoRespuestaDto> {
    return { ok: true, piloto: await this.pilotos.find(id) };
  }

  @Patch(':id')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'editarPiloto',
    summary: 'Cambiar un piloto',
    description:
      'Los campos que faltan no cambian. Con `activo: false` su enlace deja de servir, y no vuelve a servir; sus guías siguen siendo suyas.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiBody({
    type: EditarPilotoDto,
    examples: { telefono: { summary: 'Otro teléfono', value: { telefono: '5555 8081' } } },
  })
  @ApiResponse({ status: 200, type: PilotoRespuestaDto, description: 'El piloto después del cambio.' })
  @ApiWriteErrors('no_encontrado')
  async update(
    @Param('id') id: string,
    @Body() dto: EditarPilotoDto,
    @Query() _: NoFields,
  ): Promise<PilotoRespuestaDto> {
    return { ok: true, piloto: await this.pilotos.update(id, dto) };
  }

  @Post(':id/enlace')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'hacerEnlaceDePiloto',
    summary: 'Hacer el enlace a la página de un piloto',
    description:
      'Entréguelo solo al piloto: quien lo tiene ve sus guías y registra lo que pasa con ellas. El enlace anterior deja de servir.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiBody({
    type: HacerEnlaceDto,
    required: false,
    examples: { turno: { summary: 'Un turno', value: { horas: 12 } } },
  })
  @ApiResponse({ status: 200, type: EnlaceDePilotoDto, description: 'El enlace.' })
  @ApiWriteErrors('no_encontrado', 'piloto_inactivo')
  async link(
    @Param('id') id: string,
    @Body() dto: HacerEnlaceDto,
    @Query() _: NoFields,
  ): Promise<EnlaceDePilotoDto> {
    return { ok: true, ...(await this.pilotos.link(id, dto)) };
  }
}
