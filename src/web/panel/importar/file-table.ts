import { readCsvTable, withoutRows, type CsvTable } from '../../../guias/lote/csv-rows.js';
import type { Delimiter } from '../../../guias/lote/csv-cells.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { headerAt, MAX_TITLE_ROWS } from './columns.js';
import { FILE_LIMITS } from './file-limits.js';
import { isXlsx, readXlsx, type Reader, type Sheet } from './read-xlsx.js';

const MAX_FILE_NAME = 120;

/** A table whose first row is that of its headings. */
interface ReadTable extends CsvTable {
  sheet?: Sheet;
  /** Line of the headings; undefined where it is not certain that they are that. */
  headerLine: number | undefined;
}

/** Reads a file, and finds the row of its headings. @throws AppError `csv_invalido`, `validacion` */
export async function readTable(bytes: Buffer, remembered: Texts, reader: Reader): Promise<ReadTable> {
  if (isXlsx(bytes)) return fromHeader(await readXlsx(bytes, reader), remembered);
  const read = async (separator?: Delimiter) =>
    fromHeader(await readCsvTable(bytes, FILE_LIMITS.rows, { separator }), remembered);
  const likely = await read().catch((error: Error) => error);
  if ('header' in likely && likely.headerLine !== undefined) return likely;
  // A title has no separators, or others than the table below it.
  for (const separator of [',', ';', '\t', '|'] as const) {
    const other = await read(separator).catch(() => undefined);
    if (other?.headerLine !== undefined) return other;
  }
  if (!('header' in likely)) throw likely;
  // Headings that are not known are told apart all the same.
  for (const separator of ['\t', '|'] as const) {
    if (likely.header.length > 1 || !likely.header[0]!.includes(separator)) continue;
    const other = await read(separator).catch(() => undefined);
    if (other) return other;
  }
  return likely;
}

const PHONE = /^\+?\(?\d[\d ()-]{6,18}\d$/;

/** The table from its headings on; as it is, where they are not certain. */
function fromHeader<T extends CsvTable>(table: T, remembered: Texts): T & ReadTable {
  const { header, rows } = table;
  const at = headerAt([header, ...rows.slice(0, MAX_TITLE_ROWS).map(({ cells }) => cells)], remembered);
  // A first row with a phone is an order: the file has no headings.
  if (at < 0 && header.length > 1 && header.some((cell) => PHONE.test(cell.trim()))) {
    const named = header.map((_, i) => `Columna ${i + 1}`);
    return { ...table, header: named, rows: [{ linea: 1, cells: header }, ...rows], headerLine: undefined };
  }
  if (at <= 0) return { ...table, headerLine: at === 0 ? 1 : undefined };
  const { cells, linea } = rows[at - 1]!;
  if (at === rows.length) throw withoutRows();
  return { ...table, header: cells, rows: rows.slice(at), headerLine: linea };
}

const UNSAFE = /[\0\p{Cs}]/u;
const UNSAFE_ALL = /[\0\p{Cs}]/gu;

/** PostgreSQL's JSON takes neither NUL nor lone surrogates. */
export function safe(text: string, max = FILE_LIMITS.cell): string {
  const short = text.length > max ? text.slice(0, max) : text;
  // Most texts are as they should be, and need no copy.
  return UNSAFE.test(short) ? short.replaceAll(UNSAFE_ALL, '') : short;
}

export const safeName = (name: string): string =>
  safe(name, MAX_FILE_NAME).replace(/\p{Cc}/gu, '') || 'archivo';
