import { Body, Controller, HttpCode, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { differingHeader, RepeatInterceptor } from '../platform/http/repeat.interceptor.js';
import { ID_EXAMPLES } from '../platform/openapi/answer-fields.js';
import { ApiWriteErrors } from '../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../platform/validation/modo.dto.js';
import { LiquidacionHechaDto, LiquidarDto, PagarDto } from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LIQUIDACION_PARAM } from './liquidaciones.controller.js';
import { LiquidacionesService, type Outcome } from './liquidaciones.service.js';

const DIFFERING_HEADER = differingHeader(
  'Campos de la repetición que difieren de lo guardado. Falta si no difiere ninguno.',
);

/** Operators' settlements of the amounts collected. */
@ApiTags('Operaciones')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones/liquidaciones')
export class OperatorLiquidacionesController {
  constructor(private readonly liquidaciones: LiquidacionesService) {}

  @Post()
  @UseInterceptors(new RepeatInterceptor(toLiquidacionHecha))
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
  @ApiResponse({ status: 201, type: LiquidacionHechaDto, description: 'La liquidación quedó hecha.' })
  @ApiResponse({
    status: 200,
    type: LiquidacionHechaDto,
    description: 'Ya estaba hecha con esa `ref`.',
    headers: DIFFERING_HEADER,
  })
  @ApiWriteErrors('no_encontrado', 'nada_por_liquidar', 'neto_negativo', 'liquidacion_demasiado_grande')
  async settle(
    @CurrentOperator() operator: Operator,
    @Body() dto: LiquidarDto,
    @Query() _: ModoDto,
  ): Promise<Outcome> {
    return this.liquidaciones.settle(operator, dto);
  }

  @Post(':id/pagar')
  @UseInterceptors(new RepeatInterceptor(toLiquidacionHecha))
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
  @ApiResponse({
    status: 200,
    type: LiquidacionHechaDto,
    description: 'La liquidación pagada.',
    headers: DIFFERING_HEADER,
  })
  @ApiWriteErrors('no_encontrado', 'liquidacion_pagada')
  async pay(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: PagarDto,
    @Query() _: ModoDto,
  ): Promise<Outcome> {
    return this.liquidaciones.pay(operator, id, dto);
  }
}

function toLiquidacionHecha({ liquidacion, isDuplicate }: Outcome): LiquidacionHechaDto {
  return { ok: true, liquidacion, ...(isDuplicate && { duplicada: true as const }) };
}
