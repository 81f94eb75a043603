import { Injectable } from '@nestjs/common';
import { CobroListService } from '../../../cobros/cobro-list.service.js';
import { PagarDto } from '../../../cobros/dto/liquidacion.dto.js';
import { LiquidacionesService } from '../../../cobros/liquidaciones.service.js';
import { Config } from '../../../config/env.js';
import { Database } from '../../../database/database.js';
import { AppError } from '../../../errors/app-error.js';
import { money } from '../../../guias/local-format.js';
import { groupedAmount } from '../../../guias/grouped-amount.js';
import { EntregarCajaDto } from '../../../pilotos/caja/caja.dto.js';
import { CajaService } from '../../../pilotos/caja/caja.service.js';
import { CSV_ROWS, csvChunks, csvLines } from '../../../http/csv-answer.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { readInput } from '../../../validation/read-input.js';
import { readForm, type Sent } from '../../kit/forms/sent-form.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import type { StaffUser } from '../admin-access.js';
import { AuditService, type Done } from '../audit/audit.service.js';
import { startsOfDays } from '../merchant/local-days.js';
import {
  carriedCash,
  driverDays,
  handedCash,
  uncountedCash,
  recentSettlements,
  unpaidSettlements,
  unsettledMerchants,
  type DriverCashRow,
  type DriverDayRow,
  type HandedRow,
  type SettlementRow,
  type Span,
  type UnpaidRow,
  type UnsettledMerchantRow,
} from './closing.queries.js';
import { countOf, DispatchService } from './dispatch.service.js';

/** Settlements of the page and those after it; with more, the oldest are paid first. */
const MAX_UNPAID = 2_000;

/** An amount, and how it is written. */
export interface Cash {
  moneda: string;
  monto: string;
  texto: string;
}

/** A driver's day, with the cash. */
export interface DriverDay extends DriverDayRow {
  /** What the driver carries, by currency. */
  lleva: Cash[];
  /** What they say they collected in deliveries that were not applied, by currency. */
  sin_contar: Cash[];
  /** What was handed over that day, with the difference as people and as programs read it. */
  entrego: (Cash & { diferencia: string; sobra: string })[];
}

/** What is left to do at the end of a day. */
export interface Closing {
  drivers: DriverDay[];
  merchants: UnsettledMerchantRow[];
  unpaid: UnpaidRow[];
}

/** The day's close: what drivers carry and hand over, what merchants are owed. By the services of operators' requests. */
@Injectable()
export class ClosingService {
  constructor(
    private readonly database: Database,
    private readonly caja: CajaService,
    private readonly liquidaciones: LiquidacionesService,
    private readonly cobros: CobroListService,
    private readonly dispatch: DispatchService,
    private readonly audit: AuditService,
    private readonly config: Config,
  ) {}

  /** Today's; a day begins where the installation is. */
  async drivers(): Promise<DriverDay[]> {
    const span = this.today();
    const [days, carried, handed, uncounted] = await Promise.all([
      this.database.staff.query<DriverDayRow>(driverDays(span)),
      this.database.staff.query<DriverCashRow>(carriedCash()),
      this.database.staff.query<HandedRow>(handedCash(span)),
      this.database.staff.query<DriverCashRow>(uncountedCash()),
    ]);
    const cash = ({ moneda, monto }: DriverCashRow): Cash => ({
      moneda,
      monto,
      texto: this.text(monto, moneda),
    });
    const carriedBy = byDriver(carried.rows);
    const uncountedBy = byDriver(uncounted.rows);
    const handedBy = byDriver(handed.rows);
    return days.rows.map((row) => ({
      ...row,
      lleva: carriedBy(row.id).map(cash),
      sin_contar: uncountedBy(row.id).map(cash),
      entrego: handedBy(row.id).map((one) => ({
        ...cash(one),
        sobra: one.diferencia,
        diferencia: differenceText(one.diferencia),
      })),
    }));
  }

  async load(): Promise<Closing> {
    const [drivers, merchants, unpaid] = await Promise.all([
      this.drivers(),
      this.database.staff.query<UnsettledMerchantRow>(unsettledMerchants()),
      this.database.staff.query<UnpaidRow>(unpaidSettlements(MAX_UNPAID)),
    ]);
    return { drivers, merchants: merchants.rows, unpaid: unpaid.rows };
  }

  /** The drivers' day as a CSV file: a line for each driver and currency, amounts as plain numbers. */
  async dayCsv(): Promise<string> {
    const rows = (await this.drivers()).flatMap(toDayLines);
    return csvLines(rows, DAY_COLUMNS, true);
  }

  /** Settlements of the last months, paid or not, as chunks of a CSV file; the newest first. */
  async settlementsCsv(): Promise<AsyncIterable<string>> {
    const read = async (after?: string) =>
      (await this.database.staff.query<SettlementRow>(recentSettlements(after, CSV_ROWS))).rows;
    return csvChunks(
      read,
      ({ id }) => id,
      (rows, isFirst) => csvLines(rows, SETTLEMENT_COLUMNS, isFirst),
    );
  }

  /** The guides of a settlement as chunks of a CSV file. @throws AppError `no_encontrado` */
  async guiasCsv(id: string): Promise<AsyncIterable<string>> {
    const { comercio_id, moneda } = await this.liquidaciones.findAny({ isTest: false }, id);
    return this.cobros.csv({ id: comercio_id, currency: moneda }, { liquidacion: id });
  }

  /** Takes all cash of one currency from a driver; not where another amount is due by now than the form showed (`debe`). */
  async handOver(form: Sent<StaffUser>, pilotoId: string): Promise<Done<undefined>> {
    return this.audit.perform(form, 'recibir_caja', { detalle: pilotoId }, async () => {
      const { clave: _, debe, ...fields } = form.fields;
      const dto = readInput(EntregarCajaDto, { ...fields, monto: typedAmount(fields.monto) }, {});
      const operator = await this.dispatch.console();
      const { entrega } = await this.caja.handOver(operator, pilotoId, { ...dto, ref: form.clave! }, debe);
      const { moneda } = entrega;
      const difference = differenceText(String(entrega.diferencia));
      const expected = this.text(String(entrega.esperado), moneda);
      return [
        undefined,
        `Entregó ${this.text(String(entrega.monto), moneda)} de ${expected}: ${difference}.`,
      ];
    });
  }

  /** Settles all that is collected for a merchant until now; where that is too much for one settlement, the first part. */
  async settle(form: Sent<StaffUser>, comercio: string): Promise<Done<undefined>> {
    return this.audit.perform(form, 'liquidar', { comercioId: comercio }, async () => {
      const operator = await this.dispatch.console();
      const dto = { comercio, ref: form.clave! };
      let rest = '';
      const { liquidacion } = await this.liquidaciones.settle(operator, dto).catch((error: unknown) => {
        const hasta = error instanceof AppError ? error.members?.hasta : undefined;
        if (hasta === undefined) throw error;
        rest = ' Son demasiadas para una sola: liquide otra vez las que faltan.';
        return this.liquidaciones.settle(operator, { ...dto, hasta });
      });
      const { guias, cobrado, moneda } = liquidacion;
      return [undefined, `Quedó liquidado: ${countOf(guias)}, ${this.text(String(cobrado), moneda)}.${rest}`];
    });
  }

  /** Records that a settlement was paid. */
  async pay(form: Sent<StaffUser>, id: string): Promise<Done<undefined>> {
    return this.audit.perform(form, 'pagar_liquidacion', { detalle: id }, async () => {
      const dto = readForm(PagarDto, form, {});
      const operator = await this.dispatch.console();
      const { liquidacion } = await this.liquidaciones.pay(operator, id, { ...dto, ref: form.clave! });
      const { cobrado, moneda } = liquidacion;
      return [undefined, `Quedó pagada: ${this.text(String(cobrado), moneda)}. El comercio recibe un aviso.`];
    });
  }

  private text(amount: string, currency: string): string {
    return money(amount, currency, this.config.defaultCountry);
  }

  private today(): Span {
    const [today, tomorrow] = startsOfDays(Date.now(), 1, timeZoneOf(this.config.defaultCountry));
    return { from: today!.ms, until: tomorrow!.ms };
  }
}

/** The rows of each driver. */
function byDriver<T extends { piloto_id: string }>(rows: readonly T[]): (id: string) => T[] {
  const found = new Map<string, T[]>();
  for (const row of rows) found.set(row.piloto_id, [...(found.get(row.piloto_id) ?? []), row]);
  return (id) => found.get(id) ?? [];
}

const DAY_COLUMNS = [
  ...['piloto', 'nombre', 'entregadas', 'sin_exito', 'por_entregar'],
  ...['moneda', 'entrego_hoy', 'diferencia', 'lleva'],
];

const SETTLEMENT_COLUMNS = [
  ...['id', 'comercio', 'comercio_nombre', 'moneda', 'guias', 'cobrado', 'desde', 'hasta', 'creada_en'],
  ...['pagada_en', 'referencia_pago'],
];

/** A driver's day, once for each currency; the counts stand in the first line alone, so that a column can be summed. */
function toDayLines({ id, nombre, entregadas, fallidas, abiertas, lleva, entrego }: DriverDay): object[] {
  const currencies = [...new Set([...lleva, ...entrego].map(({ moneda }) => moneda))].sort();
  return (currencies.length === 0 ? [''] : currencies).map((moneda, n) => {
    const handed = entrego.find((one) => one.moneda === moneda);
    const carried = lleva.find((one) => one.moneda === moneda);
    return {
      ...{ piloto: id, nombre, moneda },
      ...(n === 0 && { entregadas, sin_exito: fallidas, por_entregar: abiertas }),
      ...(moneda !== '' && {
        entrego_hoy: Number(handed?.monto ?? 0),
        diferencia: Number(handed?.sobra ?? 0),
        lleva: Number(carried?.monto ?? 0),
      }),
    };
  });
}

/** Of what was counted less what was expected. */
function differenceText(difference: string): string {
  const amount = Number(difference);
  if (amount === 0) return 'completo';
  return amount < 0 ? `faltan ${groupedAmount(String(-amount))}` : `sobran ${groupedAmount(difference)}`;
}
