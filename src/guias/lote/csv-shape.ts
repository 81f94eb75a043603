import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../platform/errors/app-error.js';
import type { Delimiter } from './csv-cells.js';
import { MAX_COLUMNS, tooManyColumns } from './csv-header.js';

/** Characters that are looked at before other requests run. */
const PART = 32 * 1024;

/** Characters of a line: more than a row of the longest fields, with the empty columns that a spreadsheet adds. */
const MAX_LINE = 64 * 1024;

/** Cells of a row that are read: more than any file of guides has. */
const MAX_CELLS = 200;

/** Stands for all cells beyond them, where one has a text. */
const BEYOND = '…';

/** Lines without text that a file may have between others. Millions of them would keep the parser busy for seconds. */
export const MAX_BLANK = 10_000;

const QUOTE = 0x22;
const NEWLINE = 0x0a;
const BLANK = 0x20;
const HARD_BLANK = 0xa0;

/**
 * A file's text with no more cells than are read, so that the parser is not kept busy by separators: rows lose the cells beyond
 * `MAX_CELLS`, and those without text all but two.
 * @param text with `\n` between lines
 * @throws AppError for a line that no row of guides has, or too many without text
 */
export async function withFewCells(text: string, separator: Delimiter): Promise<string> {
  const parts: string[] = [];
  let kept = 0;
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === NEWLINE) {
    end--;
    if (end % PART === 0) await nextTurn();
  }
  const between = separator.charCodeAt(0);
  let line = 1;
  let lineStart = 0;
  let blanks = 0;
  let isQuoted = false;
  // Of a row: its cells, where the second and the last that is read end, and the last cell with a text.
  let cells = 1;
  let secondEnd = 0;
  let lastEnd = 0;
  let withText = 0;

  const endRow = (at: number) => {
    if (withText === 0 && ++blanks > MAX_BLANK) throw tooManyBlanks();
    const cut = withText === 0 && cells > 2 ? secondEnd : cells > MAX_CELLS ? lastEnd : at;
    if (cut < at) {
      parts.push(text.slice(kept, cut), withText > MAX_CELLS ? `${separator}${BEYOND}` : '');
      kept = at;
    }
    cells = 1;
    withText = 0;
  };

  for (let at = 0, turn = PART; at < end; at++) {
    if (at === turn) {
      turn += PART;
      await nextTurn();
    }
    const code = text.charCodeAt(at);
    if (code === NEWLINE) {
      if (at - lineStart > MAX_LINE) throw tooLong(text.slice(lineStart, at), line, separator);
      line++;
      lineStart = at + 1;
      if (!isQuoted) endRow(at);
    } else if (code === between && !isQuoted) {
      if (cells === 2) secondEnd = at;
      if (cells === MAX_CELLS) lastEnd = at;
      cells++;
    } else if (code > BLANK && code !== HARD_BLANK) {
      if (code === QUOTE) isQuoted = !isQuoted;
      withText = cells;
    }
  }
  if (end - lineStart > MAX_LINE) throw tooLong(text.slice(lineStart, end), line, separator);
  if (end > 0) endRow(end);
  parts.push(text.slice(kept, end));
  return parts.join('');
}

function tooLong(text: string, line: number, separator: Delimiter): AppError {
  if (line === 1 && text.split(separator, MAX_COLUMNS + 1).length > MAX_COLUMNS) return tooManyColumns();
  return new AppError('csv_invalido', {
    detail: `La línea ${line} tiene más de ${MAX_LINE} caracteres: faltan saltos de línea, o sobran separadores.`,
  });
}

/** The refusal of a file with too many rows without text. */
export function tooManyBlanks(): AppError {
  const mensaje = 'Tiene demasiadas filas vacías. Bórrelas.';
  return AppError.validation([{ campo: 'filas', codigo: 'fuera_de_rango', mensaje }]);
}
