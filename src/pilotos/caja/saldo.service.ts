import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Operator } from '../../auth/operators/operator.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { insertOnce } from '../../platform/database/once.js';
import { differingNames, type Made } from '../../platform/http/repeat.interceptor.js';
import { Page, type PageOf } from '../../platform/pagination/page.js';
import { PilotosService } from '../pilotos.service.js';
import { SaldoMovimiento } from './saldo-movimiento.entity.js';
import {
  toMovimiento,
  toMovimientoHecho,
  type MovimientoDeSaldoDto,
  type MoverSaldoDto,
  type MovimientoHechoDeSaldoDto,
} from './saldo.dto.js';
import { findSaldo, listMovimientos, type MovimientoRow, type SaldoRow } from './saldo.queries.js';

export type SaldoMovido = Made<{ movimiento: MovimientoHechoDeSaldoDto }>;

@Injectable()
export class SaldoService {
  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
    private readonly pilotos: PilotosService,
    @InjectRepository(SaldoMovimiento) private readonly movimientos: Repository<SaldoMovimiento>,
  ) {}

  /** The balance of a driver that exists, by currency. */
  async of(pilotoId: string, isTest: boolean): Promise<SaldoRow[]> {
    return (await this.database.query<SaldoRow>(findSaldo({ pilotoId, isTest }))).rows;
  }

  /** @throws AppError `no_encontrado` */
  async move(
    { id: operador_id, isTest }: Operator,
    piloto: string,
    dto: MoverSaldoDto,
  ): Promise<SaldoMovido> {
    const { id: piloto_id } = await this.pilotos.find(piloto);
    const { moneda, monto, motivo, ref } = dto;
    const { row, isDuplicate } = await insertOnce(
      this.movimientos,
      { operador_id, piloto_id, de_prueba: isTest, ref },
      { moneda, motivo, monto: String(monto), creado_en: () => 'clock_timestamp()' },
    );
    const differing = isDuplicate ? differingFrom(row, dto) : [];
    return { movimiento: toMovimientoHecho(row), isDuplicate, differing };
  }

  /** Hand-overs and movements, newest first. @throws AppError `no_encontrado`, `cursor_invalido` */
  async list(
    { id: operadorId, isTest }: Operator,
    piloto: string,
    request: { limit?: string; cursor?: string },
  ): Promise<PageOf<'movimientos', MovimientoDeSaldoDto>> {
    const { id: pilotoId } = await this.pilotos.find(piloto);
    const scope = { comercioId: operadorId, order: 'id' as const, filters: ['saldo', pilotoId, isTest] };
    const page = new Page(request, scope, this.secrets.cursorKey);
    const { rows } = await this.database.query<MovimientoRow>(listMovimientos({ pilotoId, isTest }, page));
    return page.of('movimientos', rows, ({ id }) => ({ id }), toMovimiento);
  }
}

function differingFrom(kept: SaldoMovimiento, { moneda, monto, motivo }: MoverSaldoDto): string[] {
  return differingNames({
    moneda: moneda !== kept.moneda,
    monto: monto !== Number(kept.monto),
    motivo: motivo !== kept.motivo,
  });
}
