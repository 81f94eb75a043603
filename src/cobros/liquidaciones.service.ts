import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../auth/merchants/merchant.js';
import type { Operator } from '../auth/operators/operator.js';
import { isMerchant } from '../auth/owner.js';
import { Secrets } from '../platform/config/secrets.js';
import { madeOnce } from '../platform/database/once.js';
import { Database, type Run } from '../platform/database/database.js';
import { Reads } from '../platform/database/replicas/reads.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Made } from '../platform/http/repeat.interceptor.js';
import { recordEventos, type NewEvento } from '../platform/events/record-eventos.js';
import { RelayService } from '../platform/events/relay.service.js';
import { sumOf } from './exact-amounts.js';
import { Page, type PageOf } from '../platform/pagination/page.js';
import {
  toLiquidacion,
  untilOf,
  type LiquidacionDto,
  type LiquidarDto,
  type PagarDto,
} from './dto/liquidacion.dto.js';
import {
  correctPayment,
  findByRef,
  findLiquidacion,
  findUnsettled,
  listLiquidaciones,
  lockForSettling,
  lockLiquidacion,
  MAX_GUIAS,
  pay,
  settle,
  type LiquidacionRow,
  type UnsettledRow,
} from './liquidaciones.queries.js';
import { whoseOf, type MoneyOwner } from './whose.js';

export type LiquidacionHecha = Made<{ liquidacion: LiquidacionDto }>;

/** Settles the amounts collected, marks settlements as paid, and shows them to their merchant. */
@Injectable()
export class LiquidacionesService {
  constructor(
    private readonly database: Database,
    private readonly reads: Reads,
    private readonly relay: RelayService,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Settles everything collected for a merchant until a time, with its adjustments, or finds the settlement that this `ref`
   * made.
   * @param seen the sum that was looked at; absent: not known.
   * @throws AppError `no_encontrado` for an unknown merchant; `nada_por_liquidar`; `neto_negativo`;
   *   `liquidacion_demasiado_grande`; `validacion` for another sum than was seen
   */
  async settle(operator: Operator, dto: LiquidarDto, seen?: string): Promise<LiquidacionHecha> {
    const { row, isDuplicate, until } = await this.database.transaction(dto.comercio.toLowerCase(), (run) =>
      settleOn(run, operator, dto, seen),
    );
    const differs = isDuplicate && until !== undefined && !isUntil(row, until);
    return { liquidacion: toLiquidacion(row), isDuplicate, differing: differs ? ['hasta'] : [] };
  }

  /**
   * Marks a settlement as paid, once. A repeat has the same `ref`, or the same `referencia_pago`.
   * @throws AppError `no_encontrado`; `liquidacion_pagada` if another payment was recorded.
   */
  async pay(operator: Operator, id: string, dto: PagarDto): Promise<LiquidacionHecha> {
    if (!isUuid(id)) throw noSuchLiquidacion();
    const { row, isDuplicate } = await this.database.transaction(id.toLowerCase(), (run) =>
      payOn(run, operator, id, dto),
    );
    if (!isDuplicate) this.relay.wake();
    const isSame = row.referencia_pago === dto.referencia_pago;
    return { liquidacion: toLiquidacion(row), isDuplicate, differing: isSame ? [] : ['referencia_pago'] };
  }

  /**
   * Replaces the reference of a payment that was mistyped.
   * @param seen the one that it is to replace.
   * @returns also the one before.
   * @throws AppError `no_encontrado`; `validacion` for a settlement that is not paid, and where it has another reference than
   *   was seen.
   */
  async correctPayment(
    operator: Operator,
    id: string,
    referencia_pago: string,
    seen: string | null,
  ): Promise<{ liquidacion: LiquidacionDto; before: string }> {
    if (!isUuid(id)) throw noSuchLiquidacion();
    return this.database.transaction(id.toLowerCase(), async (run) => {
      const { rows } = await run<LiquidacionRow>(lockLiquidacion(id, operator));
      if (!rows[0]) throw noSuchLiquidacion();
      const before = rows[0].referencia_pago;
      if (before === null)
        throw AppError.validation([
          { campo: 'referencia_pago', codigo: 'formato', mensaje: 'Todavía no está pagada.' },
        ]);
      // A repeat after its own correction finds the new one.
      if (before !== seen && before !== referencia_pago) throw changed('referencia_pago', OTHER_REFERENCE);
      const corrected = await run<LiquidacionRow>(correctPayment(rows[0], referencia_pago));
      return { liquidacion: toLiquidacion(corrected.rows[0]!), before };
    });
  }

  /** Newest first; of an operator all merchants', or one's. @throws AppError `cursor_invalido` */
  async page(
    owner: MoneyOwner,
    { comercio, ...request }: { comercio?: string; limit?: string; cursor?: string },
  ): Promise<PageOf<'liquidaciones', LiquidacionDto>> {
    const filters = ['liquidaciones', ...(isMerchant(owner) ? [] : [owner.isTest, comercio])];
    const page = new Page(request, { comercioId: owner.id, order: 'id', filters }, this.secrets.cursorKey);
    const query = listLiquidaciones(whoseOf(owner, comercio), page);
    const { rows } = await this.reads.query<LiquidacionRow>(query);
    return page.of('liquidaciones', rows, ({ id }) => ({ id }), toLiquidacion);
  }

  /** One, with its merchant's internal id. @throws AppError `no_encontrado`, also for another merchant's. */
  async find(
    owner: Pick<Merchant, 'id' | 'currency'> | Pick<Operator, 'isTest'>,
    id: string,
  ): Promise<LiquidacionRow> {
    if (!isUuid(id)) throw noSuchLiquidacion();
    const whose = 'currency' in owner ? { comercioId: owner.id } : owner;
    const { rows } = await this.reads.query<LiquidacionRow>(findLiquidacion(whose, id));
    if (!rows[0]) throw noSuchLiquidacion();
    return rows[0];
  }
}

interface Found {
  row: LiquidacionRow;
  isDuplicate: boolean;
}

/** @returns also the time that the request named, in ms since 1970; a settlement is until now where it is later or absent. */
async function settleOn(
  run: Run,
  operator: Operator,
  dto: LiquidarDto,
  seen: string | undefined,
): Promise<Found & { until: number | undefined }> {
  const { comercio: comercioId, ref } = dto;
  const { rows: merchants } = await run<{ id: string; moneda: string; pais: string }>(
    lockForSettling(comercioId, operator),
  );
  const comercio = merchants[0];
  if (!comercio) throw new AppError('no_encontrado', { detail: 'No existe un comercio con ese `id`.' });
  const until = untilOf(dto, comercio.pais);
  const outcome = await madeOnce<LiquidacionRow>(
    ref,
    async (given) => (await run<LiquidacionRow>(findByRef(operator, comercio.id, given))).rows[0],
    () => settleUntil(run, operator, comercio, { until, ref, seen }),
  );
  return { ...outcome, until };
}

async function settleUntil(
  run: Run,
  operator: Operator,
  comercio: { id: string; moneda: string },
  { until, ref, seen }: { until: number | undefined; ref: string | undefined; seen: string | undefined },
): Promise<LiquidacionRow> {
  const { rows: found } = await run<UnsettledRow>(findUnsettled(comercio.id, until));
  const unsettled = found[0]!;
  const creada_en = unsettled.ahora;
  // Not later than the settlement itself, because more may be collected after that.
  const hasta = Math.min(until ?? Infinity, Date.parse(creada_en));
  const fitting = latestFitting(unsettled);
  if (fitting !== undefined && fitting < hasta) throw tooLarge(fitting);
  const { rows } = await run<LiquidacionRow>(settle({ comercio, id: v7(), hasta, creada_en, operator, ref }));
  const row = rows[0];
  const neto = row ? Number(sumOf(row.cobrado, row.ajustes)) : 0;
  if (neto < 0) throw new AppError('neto_negativo');
  if (seen !== undefined && Number(seen) !== neto) throw changed('neto', OTHER_SUM);
  if (row && (row.guias > 0 || neto > 0)) return row;
  throw new AppError('nada_por_liquidar', {
    ...(until === undefined && { detail: 'El comercio no tiene cobros sin liquidar.' }),
  });
}

/**
 * The latest `hasta` of a settlement of at most `MAX_GUIAS` guides, in ms since 1970; undefined if all fit. Amounts of one
 * millisecond stay together: where they alone are too many, their millisecond is settled in parts.
 */
function latestFitting({ primero, excedente }: UnsettledRow): number | undefined {
  if (excedente === null) return undefined;
  const next = Date.parse(excedente);
  return primero === excedente ? next : next - 1;
}

function tooLarge(fitting: number): AppError {
  const hasta = new Date(fitting).toISOString();
  return new AppError('liquidacion_demasiado_grande', {
    detail: `Son más de ${MAX_GUIAS} guías. Liquide primero con \`hasta\`: \`${hasta}\`, y después repita esta solicitud.`,
    members: { hasta },
  });
}

async function payOn(
  run: Run,
  operator: Operator,
  id: string,
  { referencia_pago, ref }: PagarDto,
): Promise<Found> {
  const { rows: locked } = await run<LiquidacionRow>(lockLiquidacion(id, operator));
  const row = locked[0];
  if (!row) throw noSuchLiquidacion();
  if (row.pagada_en !== null) {
    const hasSameRef = ref !== undefined && row.pago_ref === ref && row.pago_operador_id === operator.id;
    if (row.referencia_pago !== referencia_pago && !hasSameRef) throw new AppError('liquidacion_pagada');
    return { row, isDuplicate: true };
  }
  const evento: NewEvento = { id: v7(), tipo: 'liquidacion.pagada', actor: 'operador', secuencia: 1 };
  const payment = pay(row, { referencia_pago, ref }, operator);
  const { rows: paid } = await run<LiquidacionRow>(recordEventos(payment, [evento]));
  return { row: paid[0]!, isDuplicate: false };
}

const OTHER_SUM =
  'Lo que le toca cambió desde que abrió la página. Revíselo otra vez, y liquide lo que dice ahora.';

const OTHER_REFERENCE = 'Otra persona cambió la referencia. Vea la de ahora, y corríjala si hace falta.';

/** A form that was filled in before something changed. */
const changed = (campo: string, mensaje: string) =>
  AppError.validation([{ campo, codigo: 'fuera_de_rango', mensaje }]);

/** Whether a request with this `hasta` would have made this settlement; a future one is stored as the time of making. */
function isUntil(row: LiquidacionRow, hasta: number): boolean {
  const [kept, madeAt] = [Date.parse(row.hasta), Date.parse(row.creada_en)];
  return hasta === kept || (hasta > madeAt && kept === madeAt);
}

function noSuchLiquidacion(): AppError {
  return new AppError('no_encontrado', { detail: 'No existe una liquidación con ese `id`.' });
}
