import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { Secrets } from '../config/secrets.js';
import { againIfRepeat } from '../database/again-if-repeat.js';
import { Database } from '../database/database.js';
import { Reads } from '../database/replicas/reads.js';
import { isUuid, newRowId } from '../database/row-id.js';
import { AppError } from '../errors/app-error.js';
import { RelayService } from '../events/relay.service.js';
import { Page, type PageOf } from '../pagination/page.js';
import {
  toLiquidacion,
  untilOf,
  type LiquidacionDto,
  type LiquidarDto,
  type PagarDto,
} from './dto/liquidacion.dto.js';
import {
  findLiquidacion,
  listLiquidaciones,
  pay,
  settle,
  type LiquidacionRow,
} from './liquidaciones.queries.js';

/** A settlement that was made or paid now, or before by the same request. */
export interface Outcome {
  liquidacion: LiquidacionDto;
  isDuplicate: boolean;
  /** Fields of a repeat that differ from what was recorded. */
  differing: string[];
}

/** Settles what was collected, marks settlements as paid, and shows them to their merchant. */
@Injectable()
export class LiquidacionesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly relay: RelayService,
    private readonly secrets: Secrets,
  ) {}

  /** @throws AppError `no_encontrado` for an unknown merchant; `nada_por_liquidar` */
  async settle(operator: Operator, dto: LiquidarDto): Promise<Outcome> {
    const id = newRowId();
    const request = { ...dto, hasta: untilOf(dto) };
    const run = async () => {
      const { rows } = await this.database.query<Nullable<LiquidacionRow>>(settle(request, operator, id));
      if (!rows[0]) throw new AppError('no_encontrado', { detail: 'No existe un comercio con ese `id`.' });
      return rows[0].id === null ? undefined : (rows[0] as LiquidacionRow);
    };
    const row = await againIfRepeat(
      run,
      'liquidaciones_ref_key',
      (found) => found === undefined && dto.ref !== undefined,
    );
    if (!row) {
      throw new AppError('nada_por_liquidar', {
        ...(dto.hasta === undefined && { detail: 'El comercio no tiene cobros sin liquidar.' }),
      });
    }
    const isDuplicate = row.id !== id;
    const differs = isDuplicate && request.hasta !== undefined && !isUntil(row, request.hasta);
    return { liquidacion: toLiquidacion(row), isDuplicate, differing: differs ? ['hasta'] : [] };
  }

  /**
   * Marks a settlement as paid, once. A repeat has the same `ref`, or the same `referencia_pago`.
   * @throws AppError `no_encontrado`; `liquidacion_pagada` if another payment was recorded.
   */
  async pay(operator: Operator, id: string, dto: PagarDto): Promise<Outcome> {
    if (!isUuid(id)) throw noSuchLiquidacion();
    const run = async () => {
      const { rows } = await this.database.query<LiquidacionRow & { es_nueva: boolean }>(
        pay(id, dto, operator, v7()),
      );
      if (!rows[0]) throw noSuchLiquidacion();
      return rows[0];
    };
    let row = await run();
    // The statement waited for another payment to commit, and did not see it. The next statement does.
    if (row.pagada_en === null) row = await run();
    this.relay.wake();
    const liquidacion = toLiquidacion(row);
    if (row.es_nueva) return { liquidacion, isDuplicate: false, differing: [] };
    const isSame = row.referencia_pago === dto.referencia_pago;
    const hasSameRef =
      dto.ref !== undefined && row.pago_ref === dto.ref && row.pago_operador_id === operator.id;
    if (!isSame && !hasSameRef) throw new AppError('liquidacion_pagada');
    return { liquidacion, isDuplicate: true, differing: isSame ? [] : ['referencia_pago'] };
  }

  /** Newest first. @throws AppError `cursor_invalido` */
  async page(
    merchant: Merchant,
    request: { limit?: string; cursor?: string },
  ): Promise<PageOf<'liquidaciones', LiquidacionDto>> {
    const scope = { comercioId: merchant.id, order: 'id' as const, filters: ['liquidaciones'] };
    const page = new Page(request, scope, this.secrets.cursorKey);
    const { rows } = await this.reads.query<LiquidacionRow>(listLiquidaciones(merchant.id, page));
    return page.of('liquidaciones', rows, ({ id }) => ({ id }), toLiquidacion);
  }

  /** @throws AppError `no_encontrado`, also for another merchant's settlement. */
  async find(merchant: Merchant, id: string): Promise<LiquidacionDto> {
    if (!isUuid(id)) throw noSuchLiquidacion();
    const { rows } = await this.reads.query<LiquidacionRow>(findLiquidacion(merchant.id, id));
    if (!rows[0]) throw noSuchLiquidacion();
    return toLiquidacion(rows[0]);
  }
}

/**
 * Whether a request with this `hasta` would have made this settlement. A `hasta` in the future is recorded as the time at
 * which the settlement was made.
 */
function isUntil(row: LiquidacionRow, hasta: number): boolean {
  const [kept, madeAt] = [Date.parse(row.hasta), Date.parse(row.creada_en)];
  return hasta === kept || (hasta > madeAt && kept === madeAt);
}

type Nullable<T> = { [Name in keyof T]: T[Name] | null };

function noSuchLiquidacion(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe una liquidación con ese `id`.' });
}
