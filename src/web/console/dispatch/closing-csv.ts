import { sumOf, toMonto } from '../../../cobros/exact-amounts.js';
import { csvLines } from '../../../platform/http/csv-answer.js';
import type { DriverDayRow, SettlementRow } from './closing.queries.js';

interface DriverDay extends DriverDayRow {
  lleva: { moneda: string; monto: string }[];
  entrego: { moneda: string; monto: string; sobra: string }[];
}

const DAY_COLUMNS = [
  ...['piloto', 'nombre', 'entregadas', 'sin_exito', 'por_entregar'],
  ...['moneda', 'entrego_hoy', 'diferencia', 'lleva'],
];

/** Without what is so today alone, as on the page. */
const PAST_DAY_COLUMNS = ['piloto', 'nombre', 'entregadas', 'sin_exito', 'moneda', 'entrego', 'diferencia'];

const SETTLEMENT_COLUMNS = [
  ...['id', 'comercio', 'comercio_nombre', 'moneda', 'guias', 'cobrado', 'ajustes', 'neto'],
  ...['desde', 'hasta', 'creada_en', 'pagada_en', 'referencia_pago'],
];

/** A line for each driver and currency; amounts are plain numbers. */
export function toDayCsv(days: DriverDay[], isToday: boolean): string {
  const rows = days.flatMap((day) => toDayLines(isToday ? day : { ...day, lleva: [] }));
  return csvLines(rows, isToday ? DAY_COLUMNS : PAST_DAY_COLUMNS, true);
}

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
        entrego: Number(handed?.monto ?? 0),
        diferencia: Number(handed?.sobra ?? 0),
        lleva: Number(carried?.monto ?? 0),
      }),
    };
  });
}

export function toSettlementCsv(settlements: SettlementRow[], isFirst: boolean): string {
  const rows = settlements.map((row) => ({
    ...row,
    ajustes: toMonto(row.ajustes),
    neto: toMonto(sumOf(row.cobrado, row.ajustes)),
  }));
  return csvLines(rows, SETTLEMENT_COLUMNS, isFirst);
}
