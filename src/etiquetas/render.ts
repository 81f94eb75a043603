import { setImmediate } from 'node:timers/promises';
import { AppError } from '../platform/errors/app-error.js';
import type { LabelRow } from './etiquetas.queries.js';
import { toLabelContent } from './label-content.js';
import type { Formato, LabelDocument } from './label-document.js';
import { layOut } from './label-layout.js';
import { ZPL_ALPHABET } from './printable.js';
import { SHEETS, type Sheet, type Tamano } from './sheets.js';
import { FONT_ALPHABET, measure } from './typeface.js';

/** Resolves when the last scheduled label may be drawn. */
let turns = Promise.resolve();

/** Yields the event loop. Requests are queued too: one label at a time, then other work. */
function turn(): Promise<void> {
  return (turns = turns.then(() => setImmediate()));
}

/**
 * One document with a label for each guide, in this order.
 * @param deadline as a `performance.now()` timestamp. @throws AppError `no_disponible` after it.
 */
export async function renderLabels(
  rows: LabelRow[],
  formato: Formato,
  tamano: Tamano,
  deadline: number,
): Promise<Buffer> {
  const sheet = SHEETS[tamano];
  const document = await openDocument(formato, sheet, rows);
  const alphabet = formato === 'zpl' ? ZPL_ALPHABET : FONT_ALPHABET;
  for (const row of rows) {
    await turn();
    if (performance.now() >= deadline) throw new AppError('no_disponible');
    document.add(layOut(toLabelContent(row, alphabet), sheet.label, measure));
  }
  return document.end();
}

async function openDocument(formato: Formato, sheet: Sheet, rows: LabelRow[]): Promise<LabelDocument> {
  switch (formato) {
    case 'pdf': {
      const { PdfDocument } = await import('./pdf.document.js');
      const newest = Math.max(...rows.map(({ creada_en }) => Date.parse(creada_en)));
      return new PdfDocument(sheet, new Date(newest));
    }
    case 'png':
      return new (await import('./png.document.js')).PngDocument(sheet);
    case 'zpl':
      return new (await import('./zpl.document.js')).ZplDocument(sheet.label);
  }
}
