import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { ListaDeEventosDto } from '../../guias/dto/evento.dto.js';
import { GUIA_PARAM } from '../../guias/dto/guia.param.js';
import { ApiReadErrors } from '../../openapi/api-errors.decorator.js';
import { ModoDto } from '../../validation/modo.dto.js';
import {
  GuiaDeOperacionesRespuestaDto,
  ListaDeGuiasDeOperacionesDto,
  ListarEventosDeOperacionesDto,
  ListarGuiasDeOperacionesDto,
  toGuiaDeOperaciones,
} from '../dto/guia-de-operaciones.dto.js';
import { OperatorGuiasService } from './operator-guias.service.js';

/** What operators read. */
@ApiTags('Operaciones')
@Controller('api/v1/operaciones/guias')
export class OperatorGuiasController {
  constructor(private readonly guias: OperatorGuiasService) {}

  @Get()
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarGuiasDeOperaciones',
    summary: 'Listar guías de todos los comercios',
    description:
      'Con los filtros y las garantías de `GET /api/v1/guias`, y los filtros `comercio`, `departamento` y `municipio`. Para saber qué repartir: `?municipio=mixco&estado=recogido,en_ruta`.',
  })
  @ApiResponse({ status: 200, type: ListaDeGuiasDeOperacionesDto, description: 'Una página de guías.' })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentOperator() operator: Operator,
    @Query() dto: ListarGuiasDeOperacionesDto,
  ): Promise<ListaDeGuiasDeOperacionesDto> {
    return { ok: true, ...(await this.guias.list(operator, dto)) };
  }

  @Get(':id')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'obtenerGuiaDeOperaciones',
    summary: 'Ver una guía de cualquier comercio',
    description: 'Con su comercio, su punto de recogida y su destino.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiResponse({ status: 200, type: GuiaDeOperacionesRespuestaDto, description: 'La guía.' })
  @ApiReadErrors('no_encontrado')
  async detail(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<GuiaDeOperacionesRespuestaDto> {
    return { ok: true, guia: toGuiaDeOperaciones(await this.guias.detail(operator, id)) };
  }

  @Get(':id/eventos')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarEventosDeOperaciones',
    summary: 'Ver el historial de una guía de cualquier comercio',
    description: 'Todo lo que le pasó a la guía, del primer evento al último.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiResponse({ status: 200, type: ListaDeEventosDto, description: 'Una página de eventos.' })
  @ApiReadErrors('no_encontrado', 'cursor_invalido')
  async events(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEventosDeOperacionesDto,
  ): Promise<ListaDeEventosDto> {
    return { ok: true, ...(await this.guias.events(operator, id, dto)) };
  }
}
