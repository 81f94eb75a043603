import { Controller, HttpCode, Param, Post, Res, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { CurrentOperator, RequireScope } from '../auth/decorators.js';
import type { Operator } from '../auth/operators/operator.js';
import { answerRepeat, differingHeader } from '../guias/repeat-answer.js';
import { ID_EXAMPLES } from '../openapi/answer-fields.js';
import { ApiWriteErrors } from '../openapi/api-errors.decorator.js';
import { ValidBody } from '../validation/input.decorators.js';
import { ModoDto } from '../validation/modo.dto.js';
import { LiquidacionHechaDto, LiquidarDto, PagarDto } from './dto/liquidacion.dto.js';
import { ExactAmounts } from './exact-amounts.js';
import { LIQUIDACION_PARAM } from './liquidaciones.controller.js';
import { LiquidacionesService, type Outcome } from './liquidaciones.service.js';

const DIFFERING_HEADER = differingHeader(
  'Campos de la repetición que difieren de lo guardado. Falta si no difiere ninguno.',
);

/** How operators settle what was collected. */
@ApiTags('Operaciones')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones/liquidaciones')
export class OperatorLiquidacionesController {
  constructor(private readonly liquidaciones: LiquidacionesService) {}

  @Post()
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'liquidar',
    summary: 'Liquidar lo cobrado de un comercio',
    description:
      'Hace una liquidación con todo lo que está `cobrado` hasta `hasta`. Una guía es parte de una liquidación a lo sumo, aunque dos operadores liquiden a la vez; lo que está en una ya no se corrige. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiQuery({ type: ModoDto })
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
  @ApiWriteErrors('no_encontrado', 'nada_por_liquidar')
  async settle(
    @CurrentOperator() operator: Operator,
    @ValidBody(LiquidarDto) dto: LiquidarDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LiquidacionHechaDto> {
    return answer(reply, await this.liquidaciones.settle(operator, dto));
  }

  @Post(':id/pagar')
  @HttpCode(200)
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'pagarLiquidacion',
    summary: 'Registrar el pago de una liquidación',
    description:
      'Una sola vez; el comercio recibe el aviso `liquidacion.pagada`. Repetirlo con la misma `ref` o la misma `referencia_pago` responde 200.',
  })
  @ApiParam(LIQUIDACION_PARAM)
  @ApiQuery({ type: ModoDto })
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
    @ValidBody(PagarDto) dto: PagarDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<LiquidacionHechaDto> {
    return answer(reply, await this.liquidaciones.pay(operator, id, dto));
  }
}

function answer(reply: FastifyReply, outcome: Outcome): LiquidacionHechaDto {
  answerRepeat(reply, outcome);
  const { liquidacion, isDuplicate } = outcome;
  return { ok: true, liquidacion, ...(isDuplicate && { duplicada: true as const }) };
}
