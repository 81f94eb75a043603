import { Body, Controller, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { ExactAmounts } from '../../cobros/exact-amounts.js';
import { AnswersOnce } from '../../platform/http/repeat.interceptor.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../../platform/validation/modo.dto.js';
import { PILOTO_PARAM } from '../dto/piloto.dto.js';
import { ListarEntregasDeCajaDto } from './caja.dto.js';
import { ListaDeMovimientosDeSaldoDto, MoverSaldoDto, SaldoMovidoDto } from './saldo.dto.js';
import { SaldoService, type SaldoMovido } from './saldo.service.js';

/** The balance of drivers. */
@ApiTags('Pilotos')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones/pilotos/:id/saldo')
export class SaldoController {
  constructor(private readonly saldo: SaldoService) {}

  @Post()
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'moverSaldo',
    summary: 'Anotar un movimiento en el saldo de un piloto',
    description:
      'Pagó lo que faltaba, se le perdona, o debe más; lo que lleva en efectivo no cambia. También de un piloto inactivo. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiBody({
    type: MoverSaldoDto,
    examples: {
      pago: {
        summary: 'Pagó lo que faltaba',
        value: { moneda: 'GTQ', monto: 20, motivo: 'Pagó lo que faltaba el 21 nov', ref: 'saldo-2026-11-22' },
      },
    },
  })
  @AnswersOnce(SaldoMovidoDto, {
    made: 'El movimiento quedó anotado.',
    repeated: 'Ya estaba anotado con esa `ref`.',
    from: 'del movimiento, separados por comas',
  })
  @ApiWriteErrors('no_encontrado')
  move(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: MoverSaldoDto,
    @Query() _: ModoDto,
  ): Promise<SaldoMovido> {
    return this.saldo.move(operator, id, dto);
  }

  @Get()
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarMovimientosDeSaldo',
    summary: 'Listar lo que hizo el saldo de un piloto',
    description:
      'Entregas de efectivo, cada una con su `diferencia`, y movimientos, cada uno con su `monto`; sumados son su saldo. Del más reciente al más antiguo.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiResponse({ status: 200, type: ListaDeMovimientosDeSaldoDto, description: 'Una página.' })
  @ApiReadErrors('no_encontrado', 'cursor_invalido')
  async list(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEntregasDeCajaDto,
  ): Promise<ListaDeMovimientosDeSaldoDto> {
    return { ok: true, ...(await this.saldo.list(operator, id, dto)) };
  }
}
