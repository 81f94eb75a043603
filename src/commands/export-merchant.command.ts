import { mkdir, rename, rm } from 'node:fs/promises';
import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Merchant } from '../auth/merchants/merchant.js';
import { toMerchant } from '../auth/merchants/to-merchant.js';
import { AjustesService } from '../cobros/ajustes.service.js';
import { CobroListService } from '../cobros/cobro-list.service.js';
import { CobrosHttpModule } from '../cobros/cobros.module.js';
import type { LiquidacionDto } from '../cobros/dto/liquidacion.dto.js';
import { LiquidacionesService } from '../cobros/liquidaciones.service.js';
import { GuiasModule } from '../guias/guias.module.js';
import { TimelineService } from '../guias/history/timeline.service.js';
import { GuiaListService } from '../guias/list/guia-list.service.js';
import { csvLines } from '../platform/http/csv-answer.js';
import { QueuesModule } from '../platform/queues/queues.module.js';
import { findMerchantById } from './find-merchant.js';
import { run, UsageError, type CommandContext, type JsonOption } from './run-command.js';

type Chunks = AsyncIterable<string>;

const FILES: [
  name: string,
  read: (get: CommandContext['get'], merchant: Merchant) => Promise<Chunks> | Chunks,
][] = [
  ['guias.csv', (get, merchant) => get(GuiaListService).csv(merchant, {})],
  ['historial.csv', (get, merchant) => get(TimelineService).csv(merchant)],
  ['cobros.csv', (get, merchant) => get(CobroListService).csv(merchant, {})],
  ['ajustes.csv', (get, merchant) => get(AjustesService).csv(merchant, {})],
  ['liquidaciones.csv', liquidacionesCsv],
];

/** `guias merchants export`: the real guides of a merchant, closed or not. A file has its name once it is whole. */
export function exportMerchant(merchantId: string, folder: string, options: JsonOption): Promise<void> {
  return run(
    options,
    async ({ get }) => {
      const merchant = toMerchant(await findMerchantById(get, merchantId));
      const target = resolve(folder);
      await mkdir(target, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw unwritable(folder, error);
      });
      for (const [name, read] of FILES) await write(join(target, name), await read(get, merchant));
      const files = FILES.map(([name]) => name);
      return {
        json: { merchant_id: merchant.id, folder: target, files },
        text: files.map((name) => join(folder, name)).join('\n'),
      };
    },
    (databaseUrl) => [QueuesModule.withoutQueues(databaseUrl), GuiasModule, CobrosHttpModule],
  );
}

async function write(path: string, chunks: Chunks): Promise<void> {
  const part = `${path}.part`;
  try {
    await pipeline(Readable.from(chunks, { objectMode: false }), createWriteStream(part, { mode: 0o600 }));
    await rename(part, path);
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw isOfFile(error) ? unwritable(path, error) : error;
  }
}

const isOfFile = (error: unknown) => typeof (error as NodeJS.ErrnoException).path === 'string';

function unwritable(path: string, error: unknown): UsageError {
  return new UsageError(
    `${path}: cannot be written (${(error as NodeJS.ErrnoException).code}); name a folder that you may write to`,
  );
}

const LIQUIDACION_COLUMNS = [
  ...['id', 'comercio', 'moneda', 'guias', 'cobrado', 'ajustes', 'neto'],
  ...['desde', 'hasta', 'creada_en', 'pagada_en', 'referencia_pago'],
];

async function* liquidacionesCsv(get: CommandContext['get'], merchant: Merchant): Chunks {
  let cursor: string | undefined;
  let isFirst = true;
  do {
    const request: { limit: string; cursor?: string } = { limit: '100', ...(cursor && { cursor }) };
    const page: { liquidaciones: LiquidacionDto[]; siguiente_cursor: string | null } = await get(
      LiquidacionesService,
    ).page(merchant, request);
    yield csvLines(page.liquidaciones, LIQUIDACION_COLUMNS, isFirst);
    isFirst = false;
    cursor = page.siguiente_cursor ?? undefined;
  } while (cursor !== undefined);
}
