import { Injectable } from '@nestjs/common';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { CobroListService } from '../../../cobros/cobro-list.service.js';
import { AjustesService } from '../../../cobros/ajustes.service.js';
import type { AjusteDto } from '../../../cobros/dto/ajuste.dto.js';
import { LiquidarDto, PagarDto } from '../../../cobros/dto/liquidacion.dto.js';
import { LiquidacionesService } from '../../../cobros/liquidaciones.service.js';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { money } from '../../../guias/guia/local-format.js';
import { EntregarCajaDto } from '../../../pilotos/caja/caja.dto.js';
import { CajaService } from '../../../pilotos/caja/caja.service.js';
import { allSaldos, type SaldoRow } from '../../../pilotos/caja/saldo.queries.js';
import { parseInstant } from '../../../platform/validation/instant.js';
import { CSV_ROWS, csvChunks } from '../../../platform/http/csv-answer.js';
import { dayOf, timeZoneOf } from '../../../platform/validation/time-zone.js';
import { readInput } from '../../../platform/validation/read-input.js';
import type { Sent } from '../../kit/forms/sent-form.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { startsOfDays } from '../local-days.js';
import { balanceText, differenceText } from './carried.js';
import { toDayCsv, toSettlementCsv } from './closing-csv.js';
import {
  carriedCash,
  collectedCash,
  differingCobros,
  driverDays,
  handedCash,
  uncountedCash,
  recentSettlements,
  unpaidSettlements,
  unsettledMerchants,
  type CollectedRow,
  type DifferingRow,
  type DriverCashRow,
  type DriverDayRow,
  type HandedRow,
  type SettlementRow,
  type Span,
  type UnpaidRow,
  type UnsettledMerchantRow,
} from './closing.queries.js';
import { counted } from '../../kit/elements.js';

/** Settlements of the page and those after it; with more, the oldest are paid first. */
const MAX_UNPAID = 2_000;

/** Guides, and adjustments, that are listed before they are settled. */
const MAX_REVIEWED = 100;

/** An amount, and how it is written. */
export interface Cash {
  moneda: string;
  monto: string;
  texto: string;
}

export interface DriverDay extends DriverDayRow {
  /** Cash that the driver carries, by currency. */
  lleva: Cash[];
  /** Cash of deliveries that were not applied, as the driver reported it, by currency. */
  sin_contar: Cash[];
  /** Hand-overs of the day, and by how much they exceed what was expected. */
  entrego: (Cash & { sobra: string })[];
}

export interface ClosedDay extends DriverDay {
  /** Collected that day, by currency: cash, and by card or transfer. */
  cobro: (Cash & { sin_efectivo: Cash })[];
  /** The driver's debt, or ours to them, by currency; in words. */
  saldo: Cash[];
}

export interface Review {
  merchant: UnsettledMerchantRow;
  /** Collected and due amount differ; the newest guide first. */
  differing: DifferingRow[];
  ajustes: AjusteDto[];
}

/** A day, and what is left to do at its end. */
export interface Closing {
  /** `2026-11-21`. */
  dia: string;
  isToday: boolean;
  drivers: ClosedDay[];
  /** None of a day before today, like the next two. */
  merchants: UnsettledMerchantRow[];
  unpaid: UnpaidRow[];
  review: Review | undefined;
}

/** The day's close: what drivers carry and hand over, what merchants are owed. By the services of operators' requests. */
@Injectable()
export class ClosingService {
  constructor(
    private readonly database: Database,
    private readonly caja: CajaService,
    private readonly liquidaciones: LiquidacionesService,
    private readonly cobros: CobroListService,
    private readonly ajustes: AjustesService,
    private readonly operators: OperatorsService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** Of a day, today by default; a day begins where the installation is. */
  async drivers(span: Span = this.today()): Promise<DriverDay[]> {
    const [days, carried, handed, uncounted] = await Promise.all([
      this.database.staff.rows<DriverDayRow>(driverDays(span)),
      this.database.staff.rows<DriverCashRow>(carriedCash()),
      this.database.staff.rows<HandedRow>(handedCash(span)),
      this.database.staff.rows<DriverCashRow>(uncountedCash()),
    ]);
    const cash = (row: DriverCashRow) => this.cash(row);
    const carriedBy = byDriver(carried);
    const uncountedBy = byDriver(uncounted);
    const handedBy = byDriver(handed);
    return days.map((row) => ({
      ...row,
      lleva: carriedBy(row.id).map(cash),
      sin_contar: uncountedBy(row.id).map(cash),
      entrego: handedBy(row.id).map((one) => ({ ...cash(one), sobra: one.diferencia })),
    }));
  }

  /**
   * @param dia `2026-11-21`; today by default. @param comercio whose amounts are to be looked at before they are settled.
   * @throws AppError `validacion` for no real day, and one that has not come.
   */
  async load(dia?: string, comercio?: string): Promise<Closing> {
    const span = this.spanOf(dia);
    const isToday = span.until > Date.now();
    const [drivers, merchants, unpaid] = await Promise.all([
      this.closedDays(span),
      isToday ? this.database.staff.rows<UnsettledMerchantRow>(unsettledMerchants()) : [],
      isToday ? this.database.staff.rows<UnpaidRow>(unpaidSettlements(MAX_UNPAID)) : [],
    ]);
    const merchant = merchants.find(({ id }) => id === comercio);
    const review = merchant && (await this.review(merchant));
    return { dia: dayOf(span.from, this.zone), isToday, drivers, merchants, unpaid, review };
  }

  private async review(merchant: UnsettledMerchantRow): Promise<Review> {
    const owner = { id: merchant.id, currency: merchant.moneda };
    const [differing, { ajustes }] = await Promise.all([
      this.database.staff.rows<DifferingRow>(differingCobros(merchant.id, MAX_REVIEWED)),
      this.ajustes.page(owner, { estado: 'pendiente' }, { limit: String(MAX_REVIEWED) }),
    ]);
    return { merchant, differing, ajustes };
  }

  private async closedDays(span: Span): Promise<ClosedDay[]> {
    const [drivers, collected, balances] = await Promise.all([
      this.drivers(span),
      this.database.staff.rows<CollectedRow>(collectedCash(span)),
      this.database.staff.rows<SaldoRow>(allSaldos()),
    ]);
    const [collectedBy, balanceBy] = [byDriver(collected), byDriver(balances)];
    return drivers.map((driver) => ({
      ...driver,
      cobro: collectedBy(driver.id).map((row) => ({
        ...this.cash(row),
        sin_efectivo: this.cash({ ...row, monto: row.sin_efectivo }),
      })),
      saldo: balanceBy(driver.id).map((row) => ({
        ...row,
        texto: balanceText(row.monto, this.text(row.monto, row.moneda)),
      })),
    }));
  }

  /** The drivers' day as a CSV file: a line for each driver and currency, amounts as plain numbers. */
  async dayCsv(dia?: string): Promise<string> {
    const span = this.spanOf(dia);
    const isToday = span.until > Date.now();
    return toDayCsv(await this.drivers(span), isToday);
  }

  /** Settlements of the last months, paid or not, as chunks of a CSV file; the newest first. */
  async settlementsCsv(): Promise<AsyncIterable<string>> {
    const read = (after?: string) =>
      this.database.staff.rows<SettlementRow>(recentSettlements(after, CSV_ROWS));
    return csvChunks(read, ({ id }) => id, toSettlementCsv);
  }

  /** The guides of a settlement as chunks of a CSV file. @throws AppError `no_encontrado` */
  async guiasCsv(id: string): Promise<AsyncIterable<string>> {
    const { comercio_id, moneda } = await this.liquidaciones.find({ isTest: false }, id);
    return this.cobros.csv({ id: comercio_id, currency: moneda }, { liquidacion: id });
  }

  /** Takes all cash of one currency from a driver; not where another amount is due by now than the form showed (`debe`). */
  async handOver(form: Sent<StaffUser>, pilotoId: string): Promise<Done<undefined>> {
    return this.audit.perform(form, 'recibir_caja', { detalle: pilotoId }, async () => {
      const { debe, ...fields } = form.fields;
      const dto = readInput(EntregarCajaDto, { ...fields, monto: typedAmount(fields.monto) }, {});
      const operator = await this.operators.console();
      const { entrega } = await this.caja.handOver(operator, pilotoId, { ...dto, ref: form.clave! }, debe);
      const { moneda } = entrega;
      const difference = differenceText(String(entrega.diferencia));
      const expected = this.text(String(entrega.esperado), moneda);
      return `Entregó ${this.text(String(entrega.monto), moneda)} de ${expected}: ${difference}.`;
    });
  }

  /**
   * Settles all that is collected for a merchant until now; where that is too much for one settlement, the first part. Not
   * where it is another sum by now than the form showed (`neto`).
   */
  async settle(form: Sent<StaffUser>, comercio: string): Promise<Done<undefined>> {
    return this.audit.perform(form, 'liquidar', { comercioId: comercio }, async () => {
      const operator = await this.operators.console();
      const { hasta, neto: seen } = form.fields;
      const dto = readInput(LiquidarDto, { comercio, ...(hasta && { hasta }), ref: form.clave }, {});
      let rest = '';
      const { liquidacion } = await this.liquidaciones.settle(operator, dto, seen).catch((error: unknown) => {
        const hasta = error instanceof AppError ? error.members?.hasta : undefined;
        if (hasta === undefined) throw error;
        rest = ' Son demasiadas para una sola: liquide otra vez las que faltan.';
        return this.liquidaciones.settle(operator, { ...dto, hasta });
      });
      const { guias, cobrado, ajustes, neto, moneda } = liquidacion;
      const [collected, adjusted, net] = [cobrado, ajustes, neto].map((one) =>
        this.text(String(one), moneda),
      );
      const said = Number(ajustes) === 0 ? '' : `; ajustes ${adjusted}: le tocan ${net}`;
      return `Quedó liquidado: ${counted(guias, 'guía')}, ${collected}${said}.${rest}`;
    });
  }

  /** Records that a settlement was paid. @throws AppError `no_encontrado` */
  async pay(form: Sent<StaffUser>, id: string): Promise<Done<undefined>> {
    const { comercio_id: comercioId } = await this.liquidaciones.find({ isTest: false }, id);
    return this.audit.perform(form, 'pagar_liquidacion', { comercioId, detalle: id }, async () => {
      const dto = readInput(PagarDto, form.fields, {});
      const operator = await this.operators.console();
      const { liquidacion } = await this.liquidaciones.pay(operator, id, { ...dto, ref: form.clave! });
      const { neto, moneda } = liquidacion;
      return `Quedó pagada: ${this.text(String(neto), moneda)}. El comercio recibe un aviso.`;
    });
  }

  private cash({ moneda, monto }: DriverCashRow): Cash {
    return { moneda, monto, texto: this.text(monto, moneda) };
  }

  private text(amount: string, currency: string): string {
    return money(amount, currency, this.config.defaultCountry);
  }

  private get zone(): string {
    return timeZoneOf(this.config.defaultCountry);
  }

  private today(): Span {
    const [today, tomorrow] = startsOfDays(Date.now(), 1, this.zone);
    return { from: today!.ms, until: tomorrow!.ms };
  }

  private spanOf(dia: string | undefined): Span {
    if (dia === undefined) return this.today();
    const from = /^\d{4}-\d\d-\d\d$/.test(dia) ? parseInstant(dia, 'from', this.zone) : undefined;
    if (from === undefined)
      throw new AppError('validacion', { detail: 'Ese día no existe. Escríbalo así: 2026-11-21.' });
    if (from > Date.now()) throw new AppError('validacion', { detail: 'Ese día todavía no llega.' });
    return { from, until: parseInstant(dia, 'until', this.zone)! + 1 };
  }
}

function byDriver<T extends { piloto_id: string }>(rows: readonly T[]): (id: string) => T[] {
  const found = new Map<string, T[]>();
  for (const row of rows) found.set(row.piloto_id, [...(found.get(row.piloto_id) ?? []), row]);
  return (id) => found.get(id) ?? [];
}
