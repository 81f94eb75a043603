import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { stringify } from 'csv-stringify/sync';
import type { Merchant } from '../auth/merchants/merchant.js';
import { toMerchant } from '../auth/merchants/to-merchant.js';
import { AppError } from '../platform/errors/app-error.js';
import { GuiasModule } from '../guias/guias.module.js';
import { readCsv, type CsvRow, type CsvRows } from '../guias/lote/csv-rows.js';
import type { GuiaRechazadaDto } from '../guias/lote/lote.dto.js';
import { withoutFormulas } from '../platform/http/csv-answer.js';
import { LoteService } from '../guias/lote/lote.service.js';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { findMerchant } from './find-merchant.js';
import { jsonCommand, run, UsageError, type JsonOption } from './run-command.js';

/** Rows of a file; all are in memory at once. */
const MAX_ROWS = 50_000;

/** Rows between two steps of the progress bar. */
const STEP = 128;

/** ms for the rows of a step. */
const STEP_LIMIT_MS = 10_000;

/** The extra column in the file of refused rows. The imported file may have it: it may be such a file, corrected. */
const REASON = 'motivo';

interface Imported {
  counts: {
    rows: number;
    created: number;
    duplicates: number;
    refused: number;
    without_external_ref: number;
    /** Have text in a column without a name. */
    with_unread_text: number;
  };
  refused: { row: CsvRow; reason: string }[];
}

export function addImport(command: Command): void {
  jsonCommand(command.description('create guides from a CSV file, as POST /api/v1/guias/lote does'))
    .argument('<FILE>', `CSV, up to ${MAX_ROWS} rows`)
    .requiredOption('--merchant <ID>', 'whose guides they are')
    .action((path: string, options: { merchant: string } & JsonOption) =>
      run(
        options,
        async ({ get }) => {
          const found = await findMerchant(get, options.merchant);
          if (found.cerrado_en !== null)
            throw new UsageError(
              `--merchant: ${found.id} is closed; open it with: merchants reopen ${found.id}`,
            );
          const merchant = toMerchant(found);
          const file = await readFileOf(path);
          const { counts, refused } = await importRows(get(LoteService), merchant, file.rows);
          const target = `${path.replace(/\.csv$/i, '')}.rechazadas.csv`;
          const refusedFile = refused.length > 0 ? target : null;
          if (refusedFile !== null) await writeRefused(refusedFile, file, refused);
          // Not deleted: it may hold corrections.
          const oldFile = refusedFile === null && existsSync(target) ? target : null;
          return {
            json: { ...counts, refused_file: refusedFile, old_refused_file: oldFile },
            text: toText(counts, refusedFile, oldFile),
          };
        },
        (databaseUrl) => [QueuesModule.withoutQueues(databaseUrl), GuiasModule],
      ),
    );
}

async function readFileOf(path: string): Promise<CsvRows> {
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path}: cannot be read (${error.code}); give the path of a CSV file`);
  });
  try {
    return await readCsv(bytes, MAX_ROWS, [REASON]);
  } catch (error) {
    throw error instanceof AppError ? new UsageError(`${path}: ${reasonOf(error)}`) : error;
  }
}

async function importRows(lote: LoteService, merchant: Merchant, rows: CsvRow[]): Promise<Imported> {
  const counts = {
    rows: rows.length,
    created: 0,
    duplicates: 0,
    refused: 0,
    without_external_ref: 0,
    with_unread_text: 0,
  };
  const refused: Imported['refused'] = [];
  for (let next = 0; next < rows.length; next += STEP) {
    showProgress(next, rows.length);
    const step = rows.slice(next, next + STEP);
    const results = await lote
      .create(merchant, step, performance.now() + STEP_LIMIT_MS)
      .catch((error: unknown) => {
        throw isAway(error) ? stopped() : error;
      });
    for (const [i, result] of results.entries()) {
      if ('codigo' in result) {
        if (result.codigo === 'no_disponible') throw stopped();
        refused.push({ row: step[i]!, reason: reasonOf(result) });
        counts.refused++;
      } else {
        if (result.external_ref === null) counts.without_external_ref++;
        if (step[i]!.hasUnreadText) counts.with_unread_text++;
        counts[result.duplicada ? 'duplicates' : 'created']++;
      }
    }
  }
  showProgress(rows.length, rows.length);
  return { counts, refused };
}

const isAway = (error: unknown) => error instanceof AppError && error.codigo === 'no_disponible';

function stopped(): UsageError {
  return new UsageError(
    'the database does not answer: not all rows were imported; run the same command again (rows with external_ref are not created twice)',
  );
}

/** A bar on a terminal, and nothing elsewhere. */
function showProgress(done: number, all: number): void {
  if (!process.stderr.isTTY) return;
  const width = Math.round((done / all) * 30);
  const bar = '█'.repeat(width).padEnd(30, '░');
  process.stderr.write(`\r${bar} ${done}/${all}${done === all ? '\n' : ''}`);
}

function reasonOf({ detail, errores = [] }: Pick<GuiaRechazadaDto, 'detail' | 'errores'>): string {
  return [detail, ...errores.map(({ campo, mensaje }) => `${campo}: ${mensaje}`)].join(' ');
}

/** Writes the refused rows, each with its reason. */
async function writeRefused(
  target: string,
  { separator, header }: CsvRows,
  refused: Imported['refused'],
): Promise<void> {
  const isCell = (_: string, i: number) => header[i]?.trim().toLowerCase() !== REASON;
  const width = header.filter(isCell).length;
  const lineOf = (cells: string[], reason: string) => {
    const own = cells.filter(isCell);
    return [...own, ...Array<string>(Math.max(0, width - own.length)).fill(''), reason];
  };
  const lines = [
    lineOf(header, REASON),
    ...refused.map(({ row, reason }) => lineOf(row.cells, `Línea ${row.posicion.linea}: ${reason}`)),
  ];
  const options = {
    bom: true,
    delimiter: separator,
    record_delimiter: 'windows',
    // With a delimiter of its own the library leaves line breaks in cells without quotes.
    quote_record_delimiter: true,
    cast: { string: withoutFormulas },
  };
  await writeFile(target, stringify(lines, options), { mode: 0o600 });
}

function toText(counts: Imported['counts'], refusedFile: string | null, oldFile: string | null): string {
  const {
    rows,
    created,
    duplicates,
    refused,
    without_external_ref: unsafe,
    with_unread_text: unread,
  } = counts;
  return [
    `${rows} rows: ${created} created, ${duplicates} existed, ${refused} refused`,
    ...(unsafe > 0 ? [`${unsafe} have no external_ref: importing them again creates them again`] : []),
    ...(unread > 0
      ? [`${unread} have text in a column without a name, which was not read: name it, or delete it`]
      : []),
    ...(refusedFile === null
      ? []
      : [`refused rows with their reasons: ${refusedFile}; correct them there and import that file`]),
    ...(oldFile === null
      ? []
      : [
          `${oldFile} is of an earlier import: no row of this file was refused; delete it once it is of no use`,
        ]),
  ].join('\n');
}
