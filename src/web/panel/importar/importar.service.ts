import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import { MIB } from '../../../platform/config/body-limit.js';
import { Database, type Run } from '../../../platform/database/database.js';
import { isUuid } from '../../../platform/database/row-id.js';
import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import { MAX_FILAS, type GuiaRechazadaDto } from '../../../guias/lote/lote.dto.js';
import { mostCells, wrongCount } from '../../../guias/lote/csv-rows.js';
import { mapInTurns } from '../../../guias/lote/map-in-turns.js';
import { LoteService, unknownGuia } from '../../../guias/lote/lote.service.js';
import { refusePlaceholderRefs } from '../../../guias/lote/placeholder-refs.js';
import type { Form } from '../../../platform/http/form-texts.js';
import type { SentFile } from '../../../platform/http/multipart-body.js';
import { placesByKey } from '../../../locations/places/places.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { fieldName } from '../../kit/field-names.js';
import { inPanelWords } from '../forms/panel-words.js';
import { chosenPunto, puntoOf, RecogidasService } from '../recogidas/recogidas.service.js';
import type { Visit } from '../visit.js';
import { fillShipping, groupOrders, guessColumns, isShopifyExport, memoryKey, REASON } from './columns.js';
import { chooseColumns, mendRows, sizeOf } from './file-edits.js';
import { itemOf, readRow, type FileItem } from './file-item.js';
import { readTable, safe, safeName } from './file-table.js';
import { headingKey, kindOf } from './headings.js';
import { judgeColumns } from './judged-columns.js';
import { chargeReader } from './order-charge.js';
import { skipRows } from './skipped-rows.js';
import { recentIn } from './take-back.service.js';
import { chargedItem, mayBeAmount } from './charged-item.js';
import { FileRepeatsService, type Repeated } from './file-repeats.service.js';
import {
  addResultados,
  COUNT_FILES,
  DELETE_OLDEST,
  findArchivo,
  findOptedOut,
  updateTabla,
  type ArchivoRow,
} from './importar.queries.js';
import { PanelArchivo } from './panel-archivo.entity.js';
import { checkTable, FILE_LIMITS, tooLarge } from './file-limits.js';

export const MAX_FILE = 5 * MIB;

const MAX_HEADING = 200;

/** A row, and what is wrong with it. */
export interface Reviewed {
  linea: number;
  item: FileItem;
  faults: FieldError[];
  guia: string | undefined;
  /** Why no guide is made of it, though nothing is wrong with it. */
  repeated: Repeated | undefined;
  /** Why its order is not made: its file has it as cancelled. */
  cancelado?: string | undefined;
  /** Whether its guide was taken back. */
  deshecha?: true | undefined;
}

export type Review = Awaited<ReturnType<ImportarService['review']>>;

interface Upload {
  file: SentFile | undefined;
  /** Ends when nobody waits for the answer. */
  signal: AbortSignal;
  /** Counts its rows in the key's limit. @throws AppError `demasiadas_solicitudes` */
  charge: (rows: number) => Promise<void>;
}

/** Files of guides: kept for a day, mapped, mended and imported by the services of the API. */
@Injectable()
export class ImportarService {
  constructor(
    private readonly database: Database,
    @InjectRepository(PanelArchivo) private readonly archivos: Repository<PanelArchivo>,
    private readonly ajustes: AjustesService,
    private readonly recogidas: RecogidasService,
    private readonly lote: LoteService,
    private readonly repeats: FileRepeatsService,
  ) {}

  /** @returns the id of the kept file. @throws AppError `csv_invalido`, `validacion`, `limite_de_archivos` */
  async upload({ merchant }: Visit, { file, signal, charge }: Upload): Promise<string> {
    if (!file || file.bytes.length === 0)
      throw new AppError('validacion', { detail: 'Elija un archivo CSV o de Excel (.xlsx).' });
    const { bytes, name } = file;
    if (bytes.length > MAX_FILE)
      throw new AppError('cuerpo_demasiado_grande', {
        detail: 'El archivo puede tener hasta 5 MiB. Divídalo en dos.',
      });
    const { columnas } = await this.ajustes.of(merchant.id);
    const { sheet, ...table } = await readTable(bytes, columnas, { comercioId: merchant.id, signal });
    checkTable(table);
    await charge(table.rows.length);
    const header = table.header.map((one) => safe(one.trim(), MAX_HEADING));
    const all = isShopifyExport(header) ? groupOrders(header, table.rows) : table.rows;
    if (all.length === 0)
      throw new AppError('validacion', { detail: 'Todos los pedidos del archivo están cancelados.' });
    fillShipping(header, all);
    const judged = judgeColumns(header, all, await placesByKey(merchant.country), merchant.country);
    const guessed = guessColumns(header, columnas, judged);
    const { rows, skipped, count } = skipRows(header, guessed, all);
    if (rows.length === 0) throw wrongCount('El archivo no tiene pedidos debajo del encabezado.');
    if (rows.length > MAX_FILAS) throw wrongCount(`Puede tener hasta ${MAX_FILAS} filas. Divida el archivo.`);
    const id = v7();
    const huella = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    await this.keep(merchant.id, {
      id,
      nombre: safeName(name),
      separador: table.separator,
      tabla: {
        huella,
        ...(sheet && {
          hoja: { nombre: safe(sheet.name, MAX_HEADING), de: sheet.of, ocultas: sheet.hidden },
        }),
        ...(count > 0 && {
          omitidas: { filas: skipped.map((one) => ({ ...one, texto: safe(one.texto) })), son: count },
        }),
        encabezado: table.headerLine,
        header,
        rows: await mapInTurns(rows, ({ linea, cells }) => ({
          linea,
          cells: cells.map((cell) => safe(cell)),
        })),
      },
      columnas: guessed,
      resultados: {},
      recogida_id: null,
    });
    return id;
  }

  /** Keeps a file; the merchant's oldest ones go for it. @throws AppError `limite_de_archivos` where none may go */
  private keep(comercioId: string, archivo: ArchivoRow): Promise<void> {
    return this.database.managed(comercioId, async (manager) => {
      // Uploads of a merchant go one after the other from here on, so that two do not count without each other.
      await manager.query('select from comercios where id = $1 for no key update', [comercioId]);
      await manager.insert(PanelArchivo, { comercio_id: comercioId, ...archivo });
      await manager.query(DELETE_OLDEST, [comercioId, archivo.id]);
      const [kept] = await manager.query<{ excede: boolean }[]>(COUNT_FILES, [comercioId]);
      if (kept?.excede) throw new AppError('limite_de_archivos');
    });
  }

  /** @throws AppError `no_encontrado`, also for another merchant's file */
  async find({ merchant }: Visit, id: string, run?: Run): Promise<ArchivoRow> {
    const query = findArchivo(merchant.id, id, run !== undefined);
    const read = run ?? ((config) => this.database.query<ArchivoRow>(config));
    const { rows } = isUuid(id) ? await read<ArchivoRow>(query) : { rows: [] };
    if (rows[0]) return rows[0];
    throw new AppError('no_encontrado', {
      detail: 'Ese archivo ya no está: se guarda un día. Súbalo otra vez.',
    });
  }

  /** Every row of a file as it would be imported. */
  async review(visit: Visit, id: string) {
    const archivo = await this.find(visit, id);
    const { merchant } = visit;
    const [{ guia: remembered }, all, places] = await Promise.all([
      this.ajustes.of(merchant.id),
      this.recogidas.of(merchant.id),
      placesByKey(merchant.country),
    ]);
    // Of a point that was removed meanwhile: the usual one.
    const chosen = all.filter(({ id: own }) => own === archivo.recogida_id);
    const puntos = [...new Set([...chosen, ...all])];
    const hasColumn = Object.values(archivo.columnas).some((campo) => campo.startsWith('recogida.'));
    const most = mostCells(archivo.tabla.header, archivo.tabla.rows);
    const { departamento } = remembered;
    const context = { archivo, merchant, most, puntos, departamento, places };
    const items = refusePlaceholderRefs(await mapInTurns(archivo.tabla.rows, (row) => itemOf(context, row)));
    const { header, rows: lines } = archivo.tabla;
    const chargeOf = chargeReader({ ...archivo, header, merchant });
    const confirmed = new Set(lines.flatMap(({ linea, confirmado }) => (confirmado ? linea : [])));
    const charged = await mapInTurns(items, (item) =>
      chargedItem(item, chargeOf(item.cells), confirmed.has(item.posicion.linea)),
    );
    const reads = await mapInTurns(charged, ({ item }) => ({ item, read: readRow(item, merchant) }));
    const repeats = await this.repeats.find(merchant, archivo, reads);
    const rows = reads.map(({ item, read }, i): Reviewed => {
      const { linea } = item.posicion;
      const { guia, errores = [], deshecha } = archivo.resultados[linea] ?? {};
      if (guia !== undefined) return { linea, item, faults: [], guia, repeated: undefined, deshecha };
      const { cancelado } = charged[i]!;
      if (cancelado !== undefined) return { linea, item, faults: [], guia, repeated: undefined, cancelado };
      const repeated = repeats[i];
      const isUnknown = item.guia !== undefined && repeated === undefined && errores.length === 0;
      const found = [...read.faults, ...errores, ...(isUnknown ? [unknownGuia(item.guia!)] : [])];
      const faults = found.map((fault) => inPanelWords(fault, item.texts, merchant.country));
      return { linea, item, faults, guia, repeated: faults.length > 0 ? undefined : repeated };
    });
    const nuevas = reads.flatMap(({ read: { row } }, i) => (row && isReady(rows[i]!) ? row.nueva : []));
    const asked = [...new Set(nuevas.flatMap((one) => (one.direccion_confirmada ? [] : one.telefono)))];
    const optedOut = asked.length === 0 ? 0 : (await this.database.query(findOptedOut(asked))).rows.length;
    return {
      archivo,
      rows,
      /** Whether nothing says where its guides are picked up. */
      needsPickup: !hasColumn && puntos.length === 0,
      /** The first is that of rows that say nothing of theirs. */
      puntos,
      sinMonto: mayBeAmount(archivo),
      monto: nuevas.reduce((sum, { cod_amount }) => sum + Math.round(100 * cod_amount), 0) / 100,
      /** How many people are written to. */
      personas: asked.length - optedOut,
      /** Guides that may be taken back now. */
      deshacibles: recentIn(archivo).length,
    };
  }

  /** Says which field each column is, and remembers it. @throws AppError `validacion` */
  async map(visit: Visit, id: string, fields: Form): Promise<void> {
    let before: Texts = {};
    const { tabla, columnas } = await this.change(visit, id, (archivo) => {
      before = { ...archivo.columnas };
      chooseColumns(archivo, fields);
      return [];
    });
    // What stays as it was proposed is no choice, and rules no other file.
    const kind = kindOf(tabla.header);
    const chosen = tabla.header.flatMap((heading, i) =>
      (columnas[i] ?? '') === (before[i] ?? '')
        ? []
        : [[memoryKey(headingKey(heading), kind), columnas[i] ?? ''] as const],
    );
    await this.ajustes.rememberColumnas(visit.merchant.id, Object.fromEntries(chosen));
  }

  /** Writes what was corrected in place: fields named `17.telefono`, of the row of line 17. */
  async mend(visit: Visit, id: string, fields: Form): Promise<void> {
    await this.change(visit, id, (archivo) => mendRows(archivo, fields, visit.merchant));
  }

  /**
   * Changes a file. Pages of one file may be sent at once: each change sees the one before it.
   * @param edit returns the lines whose refusal no longer holds.
   */
  private change(visit: Visit, id: string, edit: (archivo: ArchivoRow) => string[]): Promise<ArchivoRow> {
    return this.database.transaction(id.toLowerCase(), async (run) => {
      const archivo = await this.find(visit, id, run);
      const mended = edit(archivo);
      if (sizeOf(archivo.tabla) > 2 * FILE_LIMITS.text) throw tooLarge('texto');
      await run(updateTabla(visit.merchant.id, archivo, mended));
      return archivo;
    });
  }

  /**
   * Chooses where the guides of a file are picked up, or makes the merchant's first point.
   * @throws AppError `no_encontrado`, `validacion`, `enlace_…`
   */
  async setPickup(visit: Visit, id: string, fields: Form): Promise<void> {
    const { id: archivoId } = await this.find(visit, id);
    const { merchant } = visit;
    if (fields.recogida) {
      const punto = chosenPunto(await this.recogidas.of(merchant.id), fields.recogida)!;
      await this.archivos.update({ comercio_id: merchant.id, id: archivoId }, { recogida_id: punto.id });
      return;
    }
    try {
      await this.recogidas.save(merchant, puntoOf(fields), undefined, 1);
    } catch (error) {
      if (!(error instanceof AppError) || !error.errores) throw error;
      const errores = error.errores.map((fault) => ({ ...fault, campo: `recogida.${fault.campo}` }));
      throw AppError.validation(errores);
    }
  }

  /** Makes the guides of all rows that are right; a row that has made one makes no other. @throws AppError `no_disponible` */
  async import(visit: Visit, id: string, deadline: number, fields: Form = {}): Promise<void> {
    if (fields.recogida) await this.setPickup(visit, id, fields);
    const { rows, sinMonto } = await this.review(visit, id);
    const ready = rows.filter(isReady);
    if (ready.length === 0) return;
    if (sinMonto !== undefined && fields.sin_cobro !== 'si')
      throw AppError.validation([
        {
          campo: 'sin_cobro',
          codigo: 'requerido',
          mensaje: 'Diga cuál columna es el monto, o marque que no se cobra nada.',
        },
      ]);
    // It stays for an hour at least: what is made may be taken back.
    await this.archivos.update(
      { comercio_id: visit.merchant.id, id },
      { importado_en: () => 'now()', creado_en: () => "greatest(creado_en, now() - interval '23 hours')" },
    );
    const results = await this.lote.create(
      visit.merchant,
      ready.map(({ item }) => item),
      deadline,
    );
    const en = Date.now();
    const resultados: ArchivoRow['resultados'] = {};
    for (const [n, result] of results.entries()) {
      const { linea } = ready[n]!;
      if (!('guia' in result)) {
        if (result.status < 500) resultados[linea] = { errores: faultsIn(result) };
      } else if (!result.duplicada) resultados[linea] = { guia: result.guia, en };
      // Else another press made it, which notes it; or it is found by its reference.
    }
    await this.database.query(addResultados(visit.merchant.id, id, resultados));
  }

  /** The refused rows as a file: its own columns, and the reasons. */
  async refused(visit: Visit, id: string): Promise<{ columns: string[]; rows: string[][] }> {
    const { archivo, rows } = await this.review(visit, id);
    const { header } = archivo.tabla;
    const headingOf = (campo: string) => {
      const column = header.findIndex((_, i) => archivo.columnas[i] === campo);
      return header[column] || fieldName(campo);
    };
    const refused = rows.filter(({ faults }) => faults.length > 0);
    return {
      columns: [...header, REASON],
      rows: refused.map(({ item, faults }) => [
        ...header.map((_, i) => item.cells[i] ?? ''),
        faults.map(({ campo, mensaje }) => `${headingOf(campo)}: ${mensaje.replaceAll('`', '')}`).join(' '),
      ]),
    };
  }
}

/** Whether a guide is made of a row. */
export const isReady = ({ faults, guia, repeated, cancelado }: Reviewed): boolean =>
  faults.length === 0 && guia === undefined && repeated === undefined && cancelado === undefined;

/** Of a row that was refused only when its guide was to be made: by its map link, say. */
function faultsIn({ errores, detail }: GuiaRechazadaDto): FieldError[] {
  const faults = errores ?? [{ campo: 'telefono', mensaje: detail }];
  return faults.map(({ campo, mensaje }) => ({ campo, codigo: 'formato', mensaje }));
}
