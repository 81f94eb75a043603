import { Body, Controller, Get, Param, Post, Query, UseInterceptors } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiParam, ApiResponse, ApiTags } from '@nestjs/swagger';
import { CurrentOperator, RequireScope } from '../../auth/decorators.js';
import type { Operator } from '../../auth/operators/operator.js';
import { ExactAmounts } from '../../cobros/exact-amounts.js';
import { AnswersOnce } from '../../platform/http/repeat.interceptor.js';
import { ApiReadErrors, ApiWriteErrors } from '../../platform/openapi/api-errors.decorator.js';
import { ModoDto } from '../../platform/validation/modo.dto.js';
import { PILOTO_PARAM } from '../dto/piloto.dto.js';
import {
  CajaDto,
  CajaEntregadaDto,
  EntregarCajaDto,
  ListaDeEntregasDeCajaDto,
  ListarEntregasDeCajaDto,
} from './caja.dto.js';
import { CajaService, type CajaEntregada } from './caja.service.js';
import { ListaDeMovimientosDeSaldoDto, MoverSaldoDto, SaldoMovidoDto } from './saldo.dto.js';
import { SaldoService, type SaldoMovido } from './saldo.service.js';

@ApiTags('Pilotos')
@UseInterceptors(ExactAmounts)
@Controller('api/v1/operaciones/pilotos/:id')
export class CajaController {
  constructor(
    private readonly caja: CajaService,
    private readonly saldo: SaldoService,
  ) {}

  @Get('caja')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'verCaja',
    summary: 'Ver el efectivo que lleva un piloto',
    description:
      'Lo cobrado de las guías que eran suyas al entregarse, con sus correcciones, menos lo que ya entregó.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiResponse({ status: 200, type: CajaDto, description: 'Lo que lleva, por moneda.' })
  @ApiReadErrors('no_encontrado')
  show(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() _: ModoDto,
  ): Promise<CajaDto> {
    return this.caja.show(operator, id);
  }

  @Post('caja/entregas')
  @RequireScope('operaciones')
  @ApiOperation({
    operationId: 'entregarCaja',
    summary: 'Recibir el efectivo de un piloto',
    description:
      'Entrega todo lo que lleva en una moneda; `diferencia` dice cuánto falta o sobra de lo contado. Lo que se corrija después queda en su caja. Con `ref` puede repetirse sin riesgo.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiBody({
    type: EntregarCajaDto,
    examples: {
      dia: {
        summary: 'El cierre del día',
        value: { moneda: 'GTQ', monto: 4193.5, nota: 'Faltan 0.50', ref: 'caja-2026-11-21' },
      },
    },
  })
  @AnswersOnce(CajaEntregadaDto, {
    made: 'La entrega quedó registrada.',
    repeated: 'Ya estaba registrada con esa `ref`.',
    from: 'de la entrega, separados por comas',
  })
  @ApiWriteErrors('no_encontrado', 'nada_por_entregar')
  handOver(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Body() dto: EntregarCajaDto,
    @Query() _: ModoDto,
  ): Promise<CajaEntregada> {
    return this.caja.handOver(operator, id, dto);
  }

  @Get('caja/entregas')
  @RequireScope('operaciones:leer')
  @ApiOperation({
    operationId: 'listarEntregasDeCaja',
    summary: 'Listar lo que entregó un piloto',
    description: 'De la entrega más reciente a la más antigua.',
  })
  @ApiParam(PILOTO_PARAM)
  @ApiResponse({ status: 200, type: ListaDeEntregasDeCajaDto, description: 'Una página de entregas.' })
  @ApiReadErrors('no_encontrado', 'cursor_invalido')
  async list(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEntregasDeCajaDto,
  ): Promise<ListaDeEntregasDeCajaDto> {
    return { ok: true, ...(await this.caja.list(operator, id, dto)) };
  }

  @Post('saldo')
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

  @Get('saldo')
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
  async listMovimientos(
    @CurrentOperator() operator: Operator,
    @Param('id') id: string,
    @Query() dto: ListarEntregasDeCajaDto,
  ): Promise<ListaDeMovimientosDeSaldoDto> {
    return { ok: true, ...(await this.saldo.list(operator, id, dto)) };
  }
}
