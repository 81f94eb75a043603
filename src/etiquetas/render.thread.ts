import { parentPort, workerData } from 'node:worker_threads';
import type { LabelRow } from './etiquetas.queries.js';
import type { Formato } from './label-document.js';
import { renderLabels } from './render.js';
import type { Tamano } from './sheets.js';

/** The deadline is kept by whoever started the thread. */
export type RenderJob = [rows: LabelRow[], formato: Formato, tamano: Tamano];

parentPort!.postMessage(await renderLabels(...(workerData as RenderJob), Infinity));
