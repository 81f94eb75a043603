import { stringify } from 'csv-stringify/sync';
import type { CobroRow } from './cobro-list.queries.js';

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

/**
 * Lines of a CSV file (RFC 4180), with the header if they are the first. A text that a spreadsheet would run as a
 * formula gets an apostrophe in front.
 */
export function toCsv(rows: CobroRow[], moneda: string, isFirst: boolean): string {
  const records = rows.map((row) => ({ ...row, moneda }));
  return stringify(records, {
    columns: COLUMNS,
    header: isFirst,
    record_delimiter: 'windows',
    escape_formulas: true,
  });
}
