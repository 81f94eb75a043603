import {
  Body,
  Controller,
  Get,
  Headers,
  HttpCode,
  Param,
  Patch,
  Post,
  Query,
  UseInterceptors,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { ListaDeEventosDeOperacionesDto } from '../../guias/dto/evento.dto.js';
import { EDIT_ERRORS, EditarEntregaDto, IF_MATCH } from '../../guias/dto/editar-guia.dto.js';
import { GUIA_PARAM } from '../../guias/dto/guia.param.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { NoFields } from '../../platform/validation/no-fields.dto.js';
import { ModoDto } from '../../platform/validation/modo.dto.js';
import {
  ListaDeGuiasDeOperacionesDto,
  ListarEventosDeOperacionesDto,
  ListarGuiasDeOperacionesDto,
} from './guia-de-operaciones.dto.js';
import { GuiaCountryInterceptor } from './guia-country.interceptor.js';
import { AnswersGuiaDeOperaciones } from './operator-guia-answer.interceptor.js';
import type { OperatorGuiaRow } from './operator-guias.queries.js';
import { OperatorGuiasService } from './operator-guias.service.js';

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
      'Con los filtros y las garantías de `GET /api/v1/guias`, y los filtros `comercio`, `departamento`, `municipio` y `piloto`. Para saber qué repartir: `?municipio=mixco&estado=recogido,en_ruta`.',
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
    description: 'Con su comercio, su piloto, su punto de recogida y su destino.',
  })
  @ApiParam(GUIA_PARAM)
  @AnswersGuiaDeOperaciones('La guía.')
  @ApiReadErrors('no_encontrado')
  async detail(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<OperatorGuiaRow> {
    return this.guias.detail(operator, id);
  }

  @Patch(':id')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'editarGuiaDeOperaciones',
    summary: 'Corregir lo que sirve para llegar',
    description:
      'Teléfono, dirección, referencia, notas y destino de una guía de cualquier comercio, con las reglas de `PATCH /api/v1/guias/{id}`, y todos también en `en_ruta`, sin mensaje. Un teléfono local es del país del comercio.',
  })
  @UseInterceptors(GuiaCountryInterceptor)
  @ApiParam(GUIA_PARAM)
  @ApiHeader(IF_MATCH)
  @AnswersGuiaDeOperaciones('La guía después del cambio.')
  @ApiWriteErrors(...EDIT_ERRORS)
  async edit(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Headers('if-match') ifMatch: string | undefined,
    @Body() dto: EditarEntregaDto,
    @Query() _: ModoDto,
  ): Promise<OperatorGuiaRow> {
    return this.guias.edit(operator, id, dto, ifMatch);
  }

  @Post(':id/pedir-ubicacion')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'pedirUbicacionDeOperaciones',
    summary: 'Pedir otra vez la ubicación de una guía de cualquier comercio',
    description: 'Como `POST /api/v1/guias/{id}/pedir-ubicacion`.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiBody({ required: false, schema: { type: 'object', additionalProperties: false } })
  @AnswersGuiaDeOperaciones('La guía; el mensaje va en camino.')
  @ApiWriteErrors('no_encontrado', 'mensaje_no_permitido')
  async ask(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() _body: NoFields,
    @Query() _: ModoDto,
  ): Promise<OperatorGuiaRow> {
    return this.guias.ask(operator, id);
  }

  @Get(':id/eventos')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarEventosDeOperaciones',
    summary: 'Ver el historial de una guía de cualquier comercio',
    description: 'Todo lo que le pasó a la guía, del primer evento al último.',
  })
  @ApiParam(GUIA_PARAM)
  @ApiResponse({ status: 200, type: ListaDeEventosDeOperacionesDto, description: 'Una página de eventos.' })
  @ApiReadErrors('no_encontrado', 'cursor_invalido')
  async events(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEventosDeOperacionesDto,
  ): Promise<ListaDeEventosDeOperacionesDto> {
    return { ok: true, ...(await this.guias.events(operator, id, dto)) };
  }
}
