import { csvLines } from '../platform/http/csv-answer.js';
import { localIso } from '../platform/validation/time-zone.js';
import type { CobroRow } from './cobro-list.queries.js';

const COLUMNS: (keyof CobroRow)[] = [
  'guia',
  'id',
  'external_ref',
  'cod_amount',
  'cod_cobrado',
  'moneda',
  'estado',
  'cobrado_en',
  'liquidacion',
];

/** Columns of later releases: the last, so that those before stay where they were. */
const LATER: (keyof CobroRow)[] = ['pago', 'liquidado'];

/**
 * Amounts as lines of a CSV file; those of an operator's list with the merchant of each.
 * @param options.moneda of the merchant whose list it is.
 * @param options.zone of their times; in UTC without one.
 */
export function toCsv(
  rows: CobroRow[],
  isFirst: boolean,
  { moneda, zone }: { moneda?: string; zone?: string },
): string {
  const ofMerchants = moneda === undefined ? ['comercio', 'comercio_nombre'] : [];
  return csvLines(
    rows.map((row) => ({ ...inZone(row, zone), moneda: moneda ?? row.moneda })),
    [...COLUMNS, ...ofMerchants, ...LATER],
    isFirst,
  );
}

const inZone = (row: CobroRow, zone: string | undefined): CobroRow =>
  zone === undefined || row.cobrado_en === null
    ? row
    : { ...row, cobrado_en: localIso(Date.parse(row.cobrado_en), zone) };

/** A file with one amount, as an example. */
export const COBROS_CSV =
  'guia,id,external_ref,cod_amount,cod_cobrado,moneda,estado,cobrado_en,liquidacion,pago,liquidado\r\n483920175567,01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57,pedido-1042,349.50,349.50,GTQ,cobrado,2026-11-21T15:04:05.123Z,,efectivo,\r\n';
