import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { KIB, MIB } from '../../../platform/config/body-limit.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { runInThread } from '../../../platform/threads/run-in-thread.js';
import { ThreadTurns } from '../../../platform/threads/thread-turns.js';
import { isSheetError, NOT_CALCULATED } from '../../../guias/lote/csv-cells.js';
import { withoutRows, type CsvTable } from '../../../guias/lote/csv-rows.js';
import { readMapLinkIn } from '../../../locations/map-link.js';
import { FILE_LIMITS, tooLarge, type Excess } from './file-limits.js';

const PROGRAM = join(import.meta.dirname, 'xlsx.thread.js');

/** Bytes of all that is read of a file, unpacked. */
const MAX_UNPACKED = 20 * MIB;

/** MiB of memory that a file may take. Its time is that of the answer, which the caller's signal ends. */
const MAX_HEAP_MB = 96;

/** The first bytes of a zip, which an Excel file is. */
export const isXlsx = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/** Of all Excel files of the process. */
const turns = new ThreadTurns({
  running: 2,
  ofMerchant: 2,
  refusal: 'Ya se leen dos archivos suyos. Espere a que terminen, y súbalo otra vez.',
});

export interface Sheet {
  name: string;
  /** Sheets of the workbook, hidden ones too. */
  of: number;
  /** Its rows that are hidden; they are read, too. */
  hidden: number;
}

/** Message of the thread. */
type Answer =
  | {
      /** A line of JSON for each row that has a text: its number and its cells. One buffer crosses without a copy. */
      lines: Uint8Array;
      sheet: string;
      sheets: number;
      hidden: number;
      /** The links of cells, by their addresses. */
      linked: [at: string, link: string][];
    }
  | { tooLarge: Excess; at?: string };

/** Whose file it is, and when its answer is no longer awaited. */
export interface Reader {
  comercioId: string;
  signal: AbortSignal;
}

/**
 * The first visible sheet of an Excel file.
 * @throws AppError `csv_invalido`; `validacion` for what is too large in it; as of `ThreadTurns`
 */
export async function readXlsx(
  bytes: Buffer,
  { comercioId, signal }: Reader,
): Promise<CsvTable & { sheet: Sheet }> {
  return turns.run(comercioId, signal, async () => {
    const { lines, sheet, sheets, hidden, linked } = await inThread(bytes, signal);
    const table = await rowsIn(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength));
    showLinks(table, linked);
    // Formulas that were copied further down than the orders go show errors, and nothing else.
    const end =
      1 + table.findLastIndex(({ cells }) => cells.some((cell) => !isSheetError(cell) && cell !== ''));
    const [header, ...rows] = table.slice(0, end);
    if (!header || rows.length === 0) throw withoutRows();
    if (rows.length > FILE_LIMITS.rows) throw tooLarge('filas');
    return { separator: ';', header: header.cells, rows, sheet: { name: sheet, of: sheets, hidden } };
  });
}

/** Puts the link of a cell in place of its words, `ver mapa`, where it leads to a map. */
function showLinks(rows: CsvTable['rows'], linked: readonly [at: string, link: string][]): void {
  const byLine = new Map(rows.map((row) => [row.linea, row.cells]));
  for (const [at, link] of linked) {
    const [, letters = '', line] = /^([A-Z]{1,3})(\d{1,7})$/.exec(at) ?? [];
    const cells = byLine.get(Number(line));
    const column = [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
    // What shows a number, or a link, is read as it is shown.
    if (cells?.[column] === undefined || /\d{4}|:\/\//.test(cells[column])) continue;
    if (['coordinates', 'short', 'place'].includes(readMapLinkIn(link).kind)) cells[column] = link;
  }
}

/** Bytes that are read before other requests run. */
const PART = 256 * KIB;

async function rowsIn(lines: Buffer): Promise<CsvTable['rows']> {
  const rows: CsvTable['rows'] = [];
  for (let start = 0, end = 0, turn = PART; start < lines.length; start = end + 1) {
    end = lines.indexOf('\n', start);
    if (end < 0) end = lines.length;
    const [linea, cells] = JSON.parse(lines.toString('utf8', start, end)) as [number, string[]];
    rows.push({ linea, cells });
    if (end < turn) continue;
    turn = end + PART;
    await nextTurn();
  }
  return rows;
}

async function inThread(bytes: Buffer, signal: AbortSignal): Promise<Exclude<Answer, { tooLarge: Excess }>> {
  const copy = new Uint8Array(bytes);
  const options = {
    transferList: [copy.buffer],
    workerData: {
      bytes: copy,
      maxUnpacked: MAX_UNPACKED,
      limits: FILE_LIMITS,
      notCalculated: NOT_CALCULATED,
    },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  };
  const answer = await runInThread<Answer>(PROGRAM, options, signal).catch((cause) => {
    if (cause instanceof AppError) throw cause;
    if ((cause as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY') throw tooLarge('libro');
    const detail =
      'No se pudo leer como libro de Excel (.xlsx). En Excel, use Guardar como → CSV UTF-8, y suba ese archivo.';
    throw new AppError('csv_invalido', { detail, cause });
  });
  if ('tooLarge' in answer) throw tooLarge(answer.tooLarge, answer.at);
  return answer;
}
