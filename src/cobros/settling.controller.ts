import { Body, Controller, Delete, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { AnswersOnce } from '../platform/http/repeat.interceptor.js';
import { ID_EXAMPLES, uuidParam } from '../platform/openapi/answer-fields.js';
import { ApiReadErrors, ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { AjustesService, type AjusteHecho } from './ajustes.service.js';
import { AjusteHechoDto, CrearAjusteDto } from './dto/ajuste.dto.js';
import { LiquidacionHechaDto, LiquidarDto, PagarDto } from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LiquidacionesService, type LiquidacionHecha } from './liquidaciones.service.js';
import { LIQUIDACION_PARAM } from './money.controller.js';

@ApiTags('Operaciones')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones')
export class SettlingController {
  constructor(
    private readonly ajustes: AjustesService,
    private readonly liquidaciones: LiquidacionesService,
  ) {}

  @Post('ajustes')
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
  @AnswersOnce(AjusteHechoDto, {
    made: 'El ajuste quedó hecho.',
    repeated: 'Ya estaba hecho con esa `ref`.',
    from: 'del ajuste, separados por comas',
  })
  @ApiWriteErrors('no_encontrado')
  adjust(
    @CurrentOperator() operator: Operator,
    @Body() dto: CrearAjusteDto,
    @Query() _: ModoDto,
  ): Promise<AjusteHecho> {
    return this.ajustes.create(operator, dto);
  }

  @Delete('ajustes/:id')
  @HttpCode(204)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'quitarAjuste',
    summary: 'Quitar un ajuste pendiente',
    description: 'Lo que ya es parte de una liquidación no se quita.',
  })
  @ApiParam(uuidParam('id', '`id` del ajuste.'))
  @ApiResponse({ status: 204, description: 'El ajuste ya no existe.' })
  @ApiReadErrors('no_encontrado', 'ajuste_liquidado', 'ajuste_automatico')
  async remove(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<void> {
    await this.ajustes.remove(operator, id);
  }

  @Post('liquidaciones')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'liquidar',
    summary: 'Liquidar lo cobrado de un comercio',
    description:
      'Hace una liquidación con todo lo que está `cobrado` y los ajustes pendientes hasta `hasta`; `neto` es lo que se le paga, y nunca es menos que 0. Una guía es parte de una liquidación a lo sumo, aunque dos operadores liquiden a la vez; lo que se corrija después, con `ajustar`, va en la siguiente. Tiene hasta 20000 guías: si son más, 409 `liquidacion_demasiado_grande` dice en `hasta` hasta cuándo liquidar primero. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiBody({
    type: LiquidarDto,
    examples: {
      semana: {
        summary: 'Una semana',
        value: { comercio: ID_EXAMPLES.comercio, hasta: '2026-11-21', ref: 'semana-47' },
      },
    },
  })
  @AnswersOnce(LiquidacionHechaDto, {
    made: 'La liquidación quedó hecha.',
    repeated: 'Ya estaba hecha con esa `ref`.',
    from: 'de lo guardado',
    mark: 'duplicada',
  })
  @ApiWriteErrors('no_encontrado', 'nada_por_liquidar', 'neto_negativo', 'liquidacion_demasiado_grande')
  async settle(
    @CurrentOperator() operator: Operator,
    @Body() dto: LiquidarDto,
    @Query() _: ModoDto,
  ): Promise<LiquidacionHecha> {
    return this.liquidaciones.settle(operator, dto);
  }

  @Post('liquidaciones/:id/pagar')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'pagarLiquidacion',
    summary: 'Registrar el pago de una liquidación',
    description:
      'Una sola vez; el comercio recibe el aviso `liquidacion.pagada`. Repetirlo con la misma `ref` o la misma `referencia_pago` responde 200.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiBody({
    type: PagarDto,
    examples: {
      transferencia: {
        summary: 'Una transferencia',
        value: { referencia_pago: 'TRF-20261122-0042', ref: 'pago-semana-47' },
      },
    },
  })
  @AnswersOnce(LiquidacionHechaDto, {
    repeated: 'La liquidación pagada.',
    from: 'de lo guardado',
    mark: 'duplicada',
  })
  @ApiWriteErrors('no_encontrado', 'liquidacion_pagada')
  async pay(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: PagarDto,
    @Query() _: ModoDto,
  ): Promise<LiquidacionHecha> {
    return this.liquidaciones.pay(operator, id, dto);
  }
}
