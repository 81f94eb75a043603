import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { MIB } from '../../config/body-limit.js';
import { AppError } from '../../errors/app-error.js';
import { isSheetError, NOT_CALCULATED } from '../../guias/lote/csv-cells.js';
import { withoutRows, wrongCount, type CsvTable } from '../../guias/lote/csv-rows.js';
import { TimeoutError, withTimeout } from '../../timeouts/with-timeout.js';

/** Bytes of all that is read of a file, unpacked. */
const MAX_UNPACKED = 20 * MIB;

/** ms, and MiB of memory, that a file may take. */
const LIMIT_MS = 4_000;
const MAX_HEAP_MB = 256;

/** The first bytes of a zip, which an Excel file is. */
export const isXlsx = (bytes: Buffer): boolean =>
  bytes.subarray(0, 4).toString('latin1') === 'PK\u0003\u0004';

/** Files are read one at a time in a process. */
let last: Promise<unknown> = Promise.resolve();

/** A sheet of a workbook. */
export interface Sheet {
  name: string;
  /** Sheets of the workbook, hidden ones too. */
  of: number;
}

/** What a worker returns. */
interface Answer {
  table: string[][];
  sheet: string;
  sheets: number;
}

/** The first visible sheet of an Excel file. @throws AppError `csv_invalido`, or `validacion` for the number of its rows */
export async function readXlsx(bytes: Buffer, max: number): Promise<CsvTable & { sheet: Sheet }> {
  const read = last.then(() => inWorker(bytes));
  last = read.catch(() => undefined);
  const { table, sheet, sheets } = await read;
  // Formulas that were copied further down than the orders go show errors, and nothing else.
  const end =
    1 + table.findLastIndex((cells) => cells.some((cell) => cell.trim() !== '' && !isSheetError(cell)));
  const lines = table.slice(0, end).map((cells, i) => ({ cells, linea: i + 1 }));
  const [header, ...rows] = lines.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''));
  if (!header || rows.length === 0) throw withoutRows();
  if (rows.length > max) throw wrongCount(`Puede tener hasta ${max} filas. Divida el archivo.`);
  return { separator: ';', header: header.cells, rows, sheet: { name: sheet, of: sheets } };
}

async function inWorker(bytes: Buffer): Promise<Answer> {
  const worker = new Worker(join(import.meta.dirname, 'xlsx.worker.js'), {
    workerData: { bytes: new Uint8Array(bytes), maxUnpacked: MAX_UNPACKED, notCalculated: NOT_CALCULATED },
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  try {
    const ended = once(worker, 'exit').then(() => {
      throw new Error('the worker ended without an answer');
    });
    const [answer] = (await withTimeout(LIMIT_MS, Promise.race([once(worker, 'message'), ended]))) as [
      Answer,
    ];
    return answer;
  } catch (cause) {
    const detail =
      cause instanceof TimeoutError || (cause as Error).message === 'too large'
        ? 'El libro de Excel es demasiado grande. Copie sus filas a un libro nuevo, y guárdelo.'
        : 'No se pudo leer como libro de Excel (.xlsx). En Excel, use Guardar como → CSV UTF-8, y suba ese archivo.';
    throw new AppError('csv_invalido', { detail, cause });
  } finally {
    void worker.terminate();
  }
}
