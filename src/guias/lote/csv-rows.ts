import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CsvError, parse, type Info } from 'csv-parse';
import { AppError, type FieldError } from '../../platform/errors/app-error.js';
import {
  cellFault,
  cellText,
  cellValue,
  damageIn,
  quoteTextFormulas,
  type Delimiter,
  type Separator,
} from './csv-cells.js';
import { GUIA, isHeader, readHeader, readSeparator, type Column } from './csv-header.js';
import { MAX_BLANK, tooManyBlanks, withFewCells } from './csv-shape.js';
import { decodeCsv } from './csv-text.js';
import type { LoteItem } from './lote-item.js';
import { refusePlaceholderRefs } from './placeholder-refs.js';

/** Characters and lines parsed before yielding the event loop: a few milliseconds. */
const PART = 16 * 1024;
const PART_LINES = 100;

/** Characters of a row whose cells have line breaks. */
const MAX_ROW = 128 * 1024;

/** A row with its cells as they are in the file. */
export interface CsvRow extends LoteItem {
  posicion: { linea: number };
  cells: string[];
}

export interface CsvRows {
  separator: Separator;
  /** The first row, as it is in the file. */
  header: string[];
  rows: CsvRow[];
}

/**
 * Reads a file of guides. Rows without any text are left out.
 * @param max rows.
 * @param ignored headers whose cells are not read.
 * @throws AppError `csv_invalido` if it is not CSV; `validacion` for its header or the number of its rows.
 */
export async function readCsv(bytes: Buffer, max: number, ignored: readonly string[] = []): Promise<CsvRows> {
  let columns: Column[] = [];
  const { separator, header, rows } = await readCsvTable(bytes, max, {
    checkText: (text, separatedBy) => {
      if (!text.trim().includes('\n') && !isHeader(text, separatedBy, ignored)) throw withoutLineBreaks();
    },
    checkHeader: (cells) => {
      columns = readHeader(cells, ignored);
    },
  });
  const most = mostCells(header, rows);
  const read = rows.map(({ cells, linea }) => toRow(cells, linea, columns, separator, most));
  return { separator, header, rows: refusePlaceholderRefs(read) };
}

/** A file's cells, without what they mean. */
export interface CsvTable {
  separator: Separator;
  header: string[];
  rows: { linea: number; cells: string[] }[];
}

/** How a table is read; each check may refuse the file before its rows are read. */
interface TableOptions {
  /** Instead of the one that the first line suggests. */
  separator?: Delimiter | undefined;
  checkText?: (text: string, separator: Separator) => void;
  checkHeader?: (cells: string[]) => void;
}

/** Like `readCsv`, whatever the columns are. */
export async function readCsvTable(
  bytes: Buffer,
  max: number,
  options: TableOptions = {},
): Promise<CsvTable> {
  const text = await decodeCsv(bytes);
  const { separator: likely, start } = readSeparator(text);
  const delimiter = options.separator ?? likely;
  const separator = delimiter === ',' ? ',' : ';';
  // `sep=;` is a line of the file too.
  const skipped = start > 0 ? 1 : 0;
  const table = text.slice(start);
  options.checkText?.(table, separator);
  const shaped = await withFewCells(table, delimiter);
  let header: string[] | undefined;
  const rows: CsvTable['rows'] = [];
  let blank = 0;
  for await (const { cells, line } of recordsOf(shaped, delimiter)) {
    // Programs of DOS end a file with a control character.
    if (cells.every((cell) => cellText(cell) === undefined)) {
      if (++blank > MAX_BLANK) throw tooManyBlanks();
    } else if (header) {
      if (rows.length === max) throw wrongCount(`Puede tener hasta ${max} filas. Divida el archivo.`);
      rows.push({ cells, linea: line + skipped });
    } else {
      options.checkHeader?.(cells);
      header = cells;
    }
  }
  if (!header) throw new AppError('csv_invalido', { detail: 'El archivo está vacío.' });
  if (rows.length === 0) throw withoutRows();
  return { separator, header, rows };
}

interface Parsed {
  record: string[];
  info: Info;
}

interface CsvRecord {
  cells: string[];
  /** The line in which it begins, from 1. */
  line: number;
}

async function* recordsOf(text: string, separator: Delimiter): AsyncGenerator<CsvRecord> {
  let lastLine = 0;
  const parser = parse({
    delimiter: separator,
    record_delimiter: '\n',
    // Spreadsheets omit empty cells at the end of a row.
    relax_column_count: true,
    max_record_size: MAX_ROW,
    skip_empty_lines: true,
    info: true,
    on_record: (cells, { lines }) => {
      lastLine = lines;
      return cells;
    },
  });
  try {
    // In chunks, so that other requests can run in between.
    const records = Readable.from(partsOf(text, separator)).pipe(parser) as AsyncIterable<Parsed>;
    for await (const { record: cells, info } of records)
      yield { cells, line: info.lines - cells.join('').split('\n').length + 1 };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const detail = `El archivo no es CSV válido desde la línea ${lastLine + 1}: revise las comillas. Una celda con comillas va entre comillas, y las suyas, dobles.`;
    throw new AppError('csv_invalido', { detail, cause: error });
  }
}

async function* partsOf(text: string, separator: Delimiter): AsyncGenerator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfPart(text, start);
    yield quoteTextFormulas(text.slice(start, end), separator);
    await nextTurn();
  }
}

/** Where a part of whole lines ends, so that it divides no cell. */
function endOfPart(text: string, start: number): number {
  let end = endOfLine(text, start);
  for (let lines = 1; lines < PART_LINES && end < text.length; lines++) {
    const next = endOfLine(text, end);
    if (next - start > PART) break;
    end = next;
  }
  return end;
}

/** After the line break, or the text. */
const endOfLine = (text: string, start: number): number => text.indexOf('\n', start) + 1 || text.length;

/** Length of the longest row that is not suspect: every row may end with a separator, so have a cell more. */
export function mostCells(header: string[], rows: readonly { cells: string[] }[]): number {
  return Math.max(
    header.length,
    rows.reduce((least, { cells }) => Math.min(least, cells.length), Infinity),
  );
}

/**
 * A row as an item of a batch.
 * @param columns the field of each cell.
 * @param most cells that it may have, empty ones too: in a longer row the separator in an amount without quotes may have moved
 *   all that follow.
 */
export function toRow(
  cells: string[],
  linea: number,
  columns: Column[],
  separator: Separator,
  most = Infinity,
): CsvRow {
  const row: Record<string, unknown> = {};
  const faults: FieldError[] = [];
  let hasUnreadText = false;
  let guia: string | undefined;
  for (const [i, cell] of cells.entries()) {
    const text = cellText(cell);
    if (text === undefined) continue;
    if (i >= columns.length) {
      faults.push(withoutHeader(i));
      break;
    }
    const campo = columns[i];
    if (campo === '') hasUnreadText = true;
    if (!campo) continue;
    if (campo === GUIA) {
      guia = text;
      continue;
    }
    const fault = cellFault(campo, text, separator) ?? damageIn(campo, text);
    if (fault) faults.push(fault);
    put(row, campo, cellValue(campo, text, separator));
  }
  if (faults.length === 0 && isSplit(cells, columns, most)) faults.push(withoutHeader(columns.length));
  return {
    posicion: { linea },
    cells,
    faults,
    hasUnreadText,
    guia,
    input: row,
  };
}

/** Sets `recogida.lat` as `lat` of the object `recogida`. */
export function put(row: Record<string, unknown>, path: string, text: string | number): void {
  const [outer = '', inner] = path.split('.');
  if (inner === undefined) row[outer] = text;
  else row[outer] = { ...(row[outer] as object | undefined), [inner]: text };
}

/**
 * Whether a row is longer than it may be, and its amount and the cell after it look like one, such as `1,500.00` of a program that
 * writes no quotes. Decimals tell it even where every row is that long.
 */
function isSplit(cells: string[], columns: Column[], most: number): boolean {
  const at = columns.indexOf('cod_amount');
  const [whole = '', rest = ''] = at < 0 ? [] : cells.slice(at, at + 2).map((cell) => cell.trim());
  const limit = /^\d{3}[.,]\d{2}$/.test(rest) ? columns.length : most;
  return cells.length > limit && /^\d+$/.test(whole) && /^\d{2,3}(?:[.,]\d+)?$/.test(rest);
}

function withoutHeader(index: number): FieldError {
  return {
    campo: `columna ${index + 1}`,
    codigo: 'campo_desconocido',
    mensaje:
      'La fila tiene más celdas que el encabezado. Ponga entre comillas los textos y montos con separadores.',
  };
}

function withoutLineBreaks(): AppError {
  return new AppError('csv_invalido', {
    detail:
      'El archivo es una sola línea; el encabezado y cada fila van en la suya. Con curl, envíelo con `--data-binary`: `-d` quita los saltos de línea.',
  });
}

/** The refusal of a file for the number of its rows. */
export function wrongCount(mensaje: string): AppError {
  return AppError.validation([{ campo: 'filas', codigo: 'fuera_de_rango', mensaje }]);
}

export function withoutRows(): AppError {
  return wrongCount('El archivo no tiene filas debajo del encabezado.');
}
