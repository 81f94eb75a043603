import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { LabelRow } from './etiquetas.queries.js';
import type { Formato } from './label-document.js';
import { renderLabels } from './render.js';
import type { Tamano } from './sheets.js';

/** The deadline is kept by whoever started the thread. */
export type RenderJob = [rows: LabelRow[], formato: Formato, tamano: Tamano];

// On Linux niceness is a thread's own: what others ask for comes first.
if (process.platform === 'linux') setPriority(10);

parentPort!.postMessage(await renderLabels(...(workerData as RenderJob), Infinity));
