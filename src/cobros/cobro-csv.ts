import { csvLines } from '../platform/http/csv-answer.js';
import { localIso } from '../platform/validation/time-zone.js';
import type { AnyCobroRow, CobroRow } from './cobro-list.queries.js';

const COLUMNS: (keyof CobroRow | 'moneda')[] = [
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

/** Amounts of a merchant as lines of a CSV file. @param zone of their times; in UTC without one. */
export function toCsv(rows: CobroRow[], moneda: string, isFirst: boolean, zone?: string): string {
  return csvLines(
    rows.map((row) => ({ ...inZone(row, zone), moneda })),
    [...COLUMNS, ...LATER],
    isFirst,
  );
}

/** The same of all merchants, with the merchant of each. */
export function toCsvOfAll(rows: AnyCobroRow[], isFirst: boolean, zone?: string): string {
  return csvLines(
    rows.map((row) => inZone(row, zone)),
    [...COLUMNS, 'comercio', 'comercio_nombre', ...LATER],
    isFirst,
  );
}

const inZone = <T extends CobroRow>(row: T, zone: string | undefined): T =>
  zone === undefined || row.cobrado_en === null
    ? row
    : { ...row, cobrado_en: localIso(Date.parse(row.cobrado_en), zone) };

/** A file with one amount, as an example. */
export const COBROS_CSV =
  'guia,id,external_ref,cod_amount,cod_cobrado,moneda,estado,cobrado_en,liquidacion,pago,liquidado\r\n483920175567,01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57,pedido-1042,349.50,349.50,GTQ,cobrado,2026-11-21T15:04:05.123Z,,efectivo,\r\n';
