import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../platform/database/database.js';
import { isUuid } from '../platform/database/row-id.js';
import { AppError } from '../platform/errors/app-error.js';
import { isGuiaNumero } from '../guias/guia/guia-digits.js';
import { noSuchGuia } from '../guias/guia/guia-lookup.js';
import { InjectLogger } from '../platform/logging/logging.module.js';
import { runInThread } from '../platform/threads/run-in-thread.js';
import { ThreadTurns } from '../platform/threads/thread-turns.js';
import {
  findLabels,
  recordPrints,
  type ImpresionPor,
  type LabelOwner,
  type LabelRow,
} from './etiquetas.queries.js';
import { MAX_LABELS } from './etiqueta.dto.js';
import type { Formato } from './label-document.js';
import type { RenderJob } from './render.thread.js';
import type { Tamano } from './sheets.js';

export interface LabelFile {
  bytes: Buffer;
  type: string;
  name: string;
}

interface LabelOptions {
  formato?: Formato;
  tamano?: Tamano;
}

const TYPES: Record<Formato, string> = {
  pdf: 'application/pdf',
  zpl: 'application/zpl; charset=utf-8',
  png: 'image/png',
};

const THREAD = join(import.meta.dirname, 'render.thread.js');

/** Characters of an unknown id or number that an error repeats. */
const SHOWN = 40;

@Injectable()
export class EtiquetasService {
  /** Prints of more labels than fit into one request of the API. Side by side, all of them would miss their deadlines. */
  private readonly large = new ThreadTurns({
    running: 1,
    ofMerchant: 1,
    refusal: 'Ya se hace otro PDF de muchas etiquetas de esta tienda. Espere a que termine, y repítalo.',
  });

  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * @param por null where nobody gets the label: then it is not recorded as printed.
   * @throws AppError `no_encontrado`, `no_disponible` after the deadline
   */
  async one(
    owner: LabelOwner,
    idOrGuia: string,
    options: LabelOptions,
    deadline: number,
    por: ImpresionPor | null,
  ): Promise<LabelFile> {
    const [row] = await this.find(owner, [idOrGuia]);
    if (!row) throw noSuchGuia();
    return this.print(`guia-${row.guia}`, [row], options, deadline, por);
  }

  /**
   * One document in the order requested; a guide named twice is printed once.
   * @throws AppError `no_encontrado`, naming each guide that does not exist; `no_disponible` after the deadline;
   *   `demasiadas_solicitudes` for a second large print of a merchant
   */
  async many(
    owner: LabelOwner,
    names: string[],
    options: LabelOptions,
    deadline: number,
    por: ImpresionPor,
  ): Promise<LabelFile> {
    const rows = await this.find(owner, names);
    const byName = new Map(rows.flatMap((row) => [[row.id, row] as const, [row.guia, row] as const]));
    const found = names.map((name) => byName.get(name.toLowerCase()));
    const missing = names.flatMap((name, i) => (found[i] ? [] : [{ name: name.slice(0, SHOWN), i }]));
    if (missing.length > 0) throw noSuchGuias(missing);
    const inOrder = [...new Set(found as LabelRow[])];
    return this.print(`etiquetas-${inOrder.length}-guias`, inOrder, options, deadline, por);
  }

  private async print(
    name: string,
    rows: LabelRow[],
    { formato = 'pdf', tamano = '100x150' }: LabelOptions,
    deadline: number,
    por: ImpresionPor | null,
  ): Promise<LabelFile> {
    const bytes =
      rows.length > MAX_LABELS
        ? await this.renderLarge([rows, formato, tamano], deadline)
        : // Imported on first use: it loads the fonts and the packages that write PDF and barcodes.
          await (await import('./render.js')).renderLabels(rows, formato, tamano, deadline);
    const file = { bytes, type: TYPES[formato], name: `${name}.${formato}` };
    if (por === null) return file;
    await this.database.query(recordPrints(rows, por)).catch((err: unknown) => {
      // A label that is there is sent: what is lost is only that it was printed.
      this.logger.warn({ err }, 'prints were not recorded');
    });
    return file;
  }

  private async renderLarge(job: RenderJob, deadline: number): Promise<Buffer> {
    const signal = AbortSignal.timeout(Math.max(0, Math.floor(deadline - performance.now())));
    const render = () => runInThread<Uint8Array>(THREAD, { workerData: job }, signal);
    return Buffer.from((await this.large.run(job[0][0]!.comercio_id, signal, render)).buffer);
  }

  private async find(owner: LabelOwner, names: string[]): Promise<LabelRow[]> {
    const [ids, numeros] = [names.filter(isUuid), names.filter(isGuiaNumero)];
    const { rows } = await this.database.query<LabelRow>(findLabels(owner, ids, numeros));
    return rows;
  }
}

function noSuchGuias(missing: { name: string; i: number }[]): AppError {
  const names = missing.map(({ name }) => name).join(', ');
  return new AppError('no_encontrado', {
    detail: `No existen, o son de otro comercio: ${names}. Quítelas de la lista, o corríjalas.`,
    errores: missing.map(({ i }) => ({
      campo: `guias.${i}`,
      codigo: 'no_encontrado',
      mensaje: noSuchGuia().detail,
    })),
  });
}
