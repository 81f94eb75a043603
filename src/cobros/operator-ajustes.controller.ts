import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Query,
  type StreamableFile,
  UseInterceptors,
} from '@nestjs/common';
import {
  ApiBody,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import { MerchantsService } from '../auth/merchants/merchants.service.js';
import type { Operator } from '../auth/operators/operator.js';
import { AcceptsCsv, csvFile, csvOrJson } from '../platform/http/csv-answer.js';
import { differingHeader, RepeatInterceptor } from '../platform/http/repeat.interceptor.js';
import { ID_EXAMPLES } from '../platform/openapi/answer-fields.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { COMERCIO, zoneOf } from '../platform/validation/query.fields.js';
import { AjustesService, type AjusteHecho } from './ajustes.service.js';
import {
  AJUSTES_CSV,
  AjusteHechoDto,
  CrearAjusteDto,
  ListaDeAjustesDto,
  ListarAjustesDeOperacionesDto,
  toAjusteFilter,
} from './dto/ajuste.dto.js';
import { ExactAmounts } from './exact-amounts.js';

/** Operators' adjustments of what merchants are paid. */
@ApiTags('Operaciones')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones/ajustes')
export class OperatorAjustesController {
  constructor(
    private readonly ajustes: AjustesService,
    private readonly merchants: MerchantsService,
  ) {}

  @Post()
  @UseInterceptors(new RepeatInterceptor(toAjusteHecho))
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'crearAjuste',
    summary: 'Ajustar lo que se le paga a un comercio',
    description:
      'Suma o quita un monto que la siguiente liquidación del comercio toma. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiBody({
    type: CrearAjusteDto,
    examples: {
      dano: {
        summary: 'Un paquete dañado',
        value: {
          comercio: ID_EXAMPLES.comercio,
          monto: -100,
          motivo: 'Paquete dañado del 19 nov',
          ref: 'dano-2026-11-19',
        },
      },
    },
  })
  @ApiResponse({ status: 201, type: AjusteHechoDto, description: 'El ajuste quedó hecho.' })
  @ApiResponse({
    status: 200,
    type: AjusteHechoDto,
    description: 'Ya estaba hecho con esa `ref`.',
    headers: differingHeader(
      'Campos de la repetición que difieren del ajuste, separados por comas. Falta si no difiere ninguno.',
    ),
  })
  @ApiWriteErrors('no_encontrado')
  create(
    @CurrentOperator() operator: Operator,
    @Body() dto: CrearAjusteDto,
    @Query() _: ModoDto,
  ): Promise<AjusteHecho> {
    return this.ajustes.create(operator, dto);
  }

  @Get()
  @RequireScope('operaciones:leer')
  @Header('Vary', 'Accept')
  @ApiOperation({
    operationId: 'listarAjustesDeOperaciones',
    summary: 'Listar los ajustes de todos los comercios',
    description:
      'Del más reciente al más antiguo. Con `Accept: text/csv` llega la selección entera como archivo CSV, cada uno con su comercio.',
  })
  @ApiExtraModels(ListaDeAjustesDto)
  @ApiResponse({
    status: 200,
    description: 'Una página de ajustes, o todos en CSV.',
    ...csvOrJson('ajustes', { $ref: getSchemaPath(ListaDeAjustesDto) }, AJUSTES_CSV),
  })
  @ApiReadErrors('cursor_invalido')
  async list(
    @CurrentOperator() operator: Operator,
    @Query() dto: ListarAjustesDeOperacionesDto,
    @AcceptsCsv() isCsv: boolean,
  ): Promise<ListaDeAjustesDto | StreamableFile> {
    const merchant = dto.zona === COMERCIO ? await this.merchants.find(dto.comercio!) : null;
    const filter = toAjusteFilter(dto, merchant?.pais);
    const zone = dto.zona && zoneOf(dto.zona, merchant?.pais);
    return isCsv
      ? csvFile('ajustes', await this.ajustes.csvOfAll(operator, filter, dto.comercio, zone))
      : { ok: true, ...(await this.ajustes.pageOfAll(operator, filter, dto)) };
  }

  @Delete(':id')
  @HttpCode(204)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'quitarAjuste',
    summary: 'Quitar un ajuste pendiente',
    description: 'Lo que ya es parte de una liquidación no se quita.',
  })
  @ApiParam({
    name: 'id',
    description: '`id` del ajuste.',
    schema: { type: 'string' as const, format: 'uuid' },
  })
  @ApiResponse({ status: 204, description: 'El ajuste ya no existe.' })
  @ApiReadErrors('no_encontrado', 'ajuste_liquidado', 'ajuste_automatico')
  async remove(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<void> {
    await this.ajustes.remove(operator, id);
  }
}

function toAjusteHecho({ ajuste, isDuplicate }: AjusteHecho): AjusteHechoDto {
  return { ok: true, ajuste, ...(isDuplicate && { duplicado: true as const }) };
}
