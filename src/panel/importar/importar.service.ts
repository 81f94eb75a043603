import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { Database } from '../../database/database.js';
import { isUuid } from '../../database/row-id.js';
import { AppError, type FieldError } from '../../errors/app-error.js';
import { toNewGuia } from '../../guias/dto/crear-guia.dto.js';
import { MAX_FILAS, type GuiaRechazadaDto } from '../../guias/lote/lote.dto.js';
import { readCsvTable, toRow, type CsvRow } from '../../guias/lote/csv-rows.js';
import type { Separator } from '../../guias/lote/csv-cells.js';
import { referenceOf } from '../../guias/lote/lote-item.js';
import { LoteService, readItem } from '../../guias/lote/lote.service.js';
import { refusePlaceholderRefs } from '../../guias/lote/placeholder-refs.js';
import type { Form } from '../../http/form-texts.js';
import type { SentFile } from '../../http/multipart-body.js';
import { placeKey } from '../../locations/places/place-key.js';
import { placesByKey, type PlacesByKey } from '../../locations/places/places.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import type { Visit } from '../visit.js';
import { FIELDS, groupOrders, guessColumns, headingKey, isShopifyExport, REASON } from './columns.js';
import {
  addResultados,
  findArchivo,
  findReferences,
  insertArchivo,
  updateTabla,
  type ArchivoRow,
} from './importar.queries.js';
import { isXlsx, readXlsx } from './read-xlsx.js';

/** Columns of a file: Shopify's export has 80. */
const MAX_COLUMNAS = 150;

/** Rows read at a time, which hold the event loop meanwhile. */
const READ_TOGETHER = 8;

const MAX_CELL = 5_000;

/** A row, and what is wrong with it. */
export interface Reviewed {
  linea: number;
  item: CsvRow;
  /** The texts of its fields, as they are in the file. */
  texts: Texts;
  faults: FieldError[];
  /** The guide that was made of it, or existed. */
  guia?: string;
  isDone: boolean;
  /** Whether a guide with its reference exists already. */
  exists: boolean;
}

export interface Review {
  archivo: ArchivoRow;
  rows: Reviewed[];
  /** Whether nothing says where its guides are picked up. */
  needsPickup: boolean;
  pickup: Texts;
}

/** Files of guides: kept for a day, mapped, mended and imported by the services of the API. */
@Injectable()
export class ImportarService {
  constructor(
    private readonly database: Database,
    private readonly ajustes: AjustesService,
    private readonly lote: LoteService,
  ) {}

  /** @returns the id of the kept file. @throws AppError `csv_invalido`, `validacion` */
  async upload({ merchant }: Visit, file: SentFile | undefined): Promise<string> {
    if (!file || file.bytes.length === 0)
      throw new AppError('validacion', { detail: 'Elija un archivo CSV o de Excel (.xlsx).' });
    const { bytes, name } = file;
    const table = isXlsx(bytes) ? await readXlsx(bytes, MAX_ROWS) : await readCsvTable(bytes, MAX_ROWS);
    const header = table.header.map((one) => one.trim().slice(0, 200));
    if (header.length > MAX_COLUMNAS)
      throw new AppError('validacion', { detail: `Puede tener hasta ${MAX_COLUMNAS} columnas.` });
    const rows = isShopifyExport(header) ? groupOrders(header, table.rows) : table.rows;
    if (rows.length > MAX_FILAS)
      throw new AppError('validacion', {
        detail: `Puede tener hasta ${MAX_FILAS} filas. Divida el archivo.`,
      });
    const { columnas } = await this.ajustes.of(merchant.id);
    const id = v7();
    const huella = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    await this.database.query(
      insertArchivo(merchant.id, {
        id,
        nombre: safeName(name),
        separador: table.separator,
        tabla: { huella, header, rows: rows.map(({ linea, cells }) => ({ linea, cells: cells.map(safe) })) },
        columnas: guessColumns(header, columnas),
        resultados: {},
      }),
    );
    return id;
  }

  /** @throws AppError `no_encontrado`, also for another merchant's file */
  async find({ merchant }: Visit, id: string): Promise<ArchivoRow> {
    const { rows } = isUuid(id)
      ? await this.database.query<ArchivoRow>(findArchivo(merchant.id, id))
      : { rows: [] };
    if (rows[0]) return rows[0];
    throw new AppError('no_encontrado', {
      detail: 'Ese archivo ya no está: se guarda un día. Súbalo otra vez.',
    });
  }

  /** Every row of a file as it would be imported. */
  async review(visit: Visit, id: string): Promise<Review> {
    const archivo = await this.find(visit, id);
    const { merchant } = visit;
    const [{ guia: remembered }, places] = await Promise.all([
      this.ajustes.of(merchant.id),
      placesByKey(merchant.country),
    ]);
    const named = Object.values(archivo.columnas);
    const hasPickup = named.some((campo) => campo.startsWith('recogida.'));
    const pickup = hasPickup ? {} : pickupOf(remembered);
    const items: { item: CsvRow; texts: Texts }[] = [];
    for (const [n, row] of archivo.tabla.rows.entries()) {
      if (n % READ_TOGETHER === 0) await nextTurn();
      items.push(itemOf(archivo, row, pickup, remembered.departamento, places));
    }
    const checked = refusePlaceholderRefs(items.map(({ item }) => item));
    const references = checked.flatMap(({ input }) => referenceOf(input) ?? []);
    const found = await this.database.query<{ external_ref: string }>(
      findReferences(merchant.id, references),
    );
    const known = new Set(found.rows.map(({ external_ref }) => external_ref));
    const rows: Reviewed[] = [];
    for (const [n, item] of checked.entries()) {
      if (n % READ_TOGETHER === 0) await nextTurn();
      const { linea } = item.posicion;
      const done = archivo.resultados[linea];
      const faults = done?.guia === undefined ? [...faultsOf(item, visit), ...(done?.errores ?? [])] : [];
      const exists = known.has(referenceOf(item.input) ?? '');
      const isDone = done?.guia !== undefined;
      rows.push({
        linea,
        item,
        texts: items[n]!.texts,
        faults,
        isDone,
        exists,
        ...(done?.guia !== undefined && { guia: done.guia }),
      });
    }
    return { archivo, rows, needsPickup: !hasPickup && Object.keys(pickup).length === 0, pickup };
  }

  /** Says which field each column is, and remembers it. @throws AppError `validacion` */
  async map(visit: Visit, id: string, fields: Form): Promise<void> {
    const archivo = await this.find(visit, id);
    const { header } = archivo.tabla;
    const columnas: Texts = { ...archivo.columnas };
    const faults: FieldError[] = [];
    for (const i of header.keys()) {
      const campo = fields[`columna.${i}`];
      if (campo === undefined || (campo !== '' && !FIELDS.includes(campo))) continue;
      const other = Object.entries(columnas).find(([n, one]) => Number(n) < i && one === campo);
      if (campo !== '' && other)
        faults.push({
          campo: `columna.${i}`,
          codigo: 'formato',
          mensaje: `Ya es la columna «${header[Number(other[0])]}». Elija una sola.`,
        });
      columnas[i] = campo;
    }
    if (faults.length > 0) throw AppError.validation(faults);
    await this.database.query(updateTabla(visit.merchant.id, { ...archivo, columnas }));
    const chosen = header.map((heading, i) => [headingKey(heading), columnas[i] ?? ''] as const);
    await this.ajustes.rememberColumnas(visit.merchant.id, Object.fromEntries(chosen));
  }

  /** Writes what was corrected in place: fields named `17.telefono`, of the row of line 17. */
  async mend(visit: Visit, id: string, fields: Form): Promise<void> {
    const archivo = await this.find(visit, id);
    const { tabla, columnas } = archivo;
    const mended = new Set<string>();
    const byLine = new Map(tabla.rows.map((row) => [String(row.linea), row]));
    for (const [name, text = ''] of Object.entries(fields)) {
      const [, linea = '', campo = ''] = /^(\d{1,7})\.([\w.]{1,40})$/.exec(name) ?? [];
      const row = byLine.get(linea);
      if (!row || !FIELDS.includes(campo)) continue;
      let column = tabla.header.findIndex((_, i) => columnas[i] === campo);
      if (column < 0) {
        column = tabla.header.push(campo) - 1;
        columnas[column] = campo;
      }
      while (row.cells.length <= column) row.cells.push('');
      row.cells[column] = safe(text);
      mended.add(linea);
    }
    await this.database.query(updateTabla(visit.merchant.id, archivo, [...mended]));
  }

  /** Remembers where the guides are picked up. */
  async setPickup({ merchant }: Visit, fields: Form): Promise<void> {
    const { guia } = await this.ajustes.of(merchant.id);
    await this.ajustes.rememberGuia(merchant.id, { ...guia, ...pickupOf(fields) });
  }

  /** Makes the guides of all rows that are right; a row that has made one makes no other. @throws AppError `no_disponible` */
  async import(visit: Visit, id: string, deadline: number): Promise<void> {
    const { rows } = await this.review(visit, id);
    const ready = rows.filter(({ faults, isDone }) => faults.length === 0 && !isDone);
    if (ready.length === 0) return;
    const results = await this.lote.create(
      visit.merchant,
      ready.map(({ item }) => item),
      deadline,
    );
    const resultados: ArchivoRow['resultados'] = {};
    for (const [n, result] of results.entries()) {
      const { linea } = ready[n]!;
      if ('guia' in result) resultados[linea] = { guia: result.guia, duplicada: result.duplicada };
      else if (result.status < 500) resultados[linea] = { errores: faultsIn(result) };
    }
    await this.database.query(addResultados(visit.merchant.id, id, resultados));
  }

  /** The refused rows as a file: its own columns, and the reasons. */
  async refused(visit: Visit, id: string): Promise<{ columns: string[]; rows: string[][] }> {
    const { archivo, rows } = await this.review(visit, id);
    const { header } = archivo.tabla;
    const cells = new Map(archivo.tabla.rows.map((row) => [row.linea, row.cells]));
    return {
      columns: [...header, REASON],
      rows: rows
        .filter(({ faults }) => faults.length > 0)
        .map(({ linea, faults }) => [
          ...header.map((_, i) => cells.get(linea)![i] ?? ''),
          faults.map(({ campo, mensaje }) => `${campo}: ${mensaje.replaceAll('`', '')}`).join(' '),
        ]),
    };
  }
}

/** Of a row that was refused only when its guide was to be made: by its map link, say. */
function faultsIn({ errores, detail }: GuiaRechazadaDto): FieldError[] {
  const faults = errores ?? [{ campo: 'telefono', mensaje: detail }];
  return faults.map(({ campo, mensaje }) => ({ campo, codigo: 'formato', mensaje }));
}

/** Rows of a file; Shopify's export has several for an order. */
const MAX_ROWS = 5 * MAX_FILAS;

/** PostgreSQL's JSON takes neither NUL nor lone surrogates. */
const safe = (cell: string): string => cell.slice(0, MAX_CELL).replace(/[\0\p{Cs}]/gu, '');

const safeName = (name: string): string =>
  safe(name)
    .replace(/\p{Cc}/gu, '')
    .slice(0, 120) || 'archivo';

/** A row with what its file leaves out: pickup, department, and a reference by which a repeat is known. */
function itemOf(
  { tabla: { header, huella }, columnas, separador }: ArchivoRow,
  { linea, cells }: { linea: number; cells: string[] },
  pickup: Texts,
  departamento: string | undefined,
  places: PlacesByKey,
): { item: CsvRow; texts: Texts } {
  const columns = header.map((_, i) => columnas[i] || undefined);
  const texts: Texts = {};
  for (const [i, campo] of columns.entries()) if (campo && cells[i]?.trim()) texts[campo] = cells[i].trim();
  const more: Texts = { ...pickup };
  if (!texts.departamento && texts.municipio) {
    const found = departmentOf(places, texts.municipio, departamento);
    if (found !== undefined) more.departamento = found;
  }
  if (!texts.external_ref && !texts.guia) more.external_ref = `archivo-${huella}-${linea}`;
  // A row with more cells than the header is refused as that.
  const isLonger = cells.slice(header.length).some((cell) => cell.trim() !== '');
  const own = header.map((_, i) => cells[i] ?? '');
  const item = isLonger
    ? toRow(cells, linea, columns, separador as Separator)
    : toRow(
        // Of a column that is there, but empty, the text that is left out counts.
        [
          ...own.map((cell, i) => (columns[i] !== undefined && columns[i] in more ? '' : cell)),
          ...Object.values(more),
        ],
        linea,
        [...columns, ...Object.keys(more)],
        separador as Separator,
      );
  return { item, texts };
}

/** The one department with a municipality of this name; of several, the one that the merchant sent to last. */
function departmentOf(places: PlacesByKey, municipio: string, last: string | undefined): string | undefined {
  const named =
    places.get(placeKey(municipio.slice(0, 120)))?.filter(({ kind }) => kind !== 'departamento') ?? [];
  const departments = [...new Set(named.map(({ departamento }) => departamento))];
  if (departments.length === 1) return departments[0];
  const own = departments.find((one) => placeKey(one) === placeKey(last ?? ''));
  return own ?? (places.size === 0 ? last : undefined);
}

const pickupOf = (texts: Form): Texts =>
  Object.fromEntries(
    Object.entries(texts).filter(
      (entry): entry is [string, string] => entry[0].startsWith('recogida.') && (entry[1] ?? '') !== '',
    ),
  );

/** What the create of a row would answer. */
function faultsOf(item: CsvRow, { merchant }: Visit): FieldError[] {
  // A row of an exported list makes nothing.
  if (item.guia !== undefined) return [];
  const { value, errors } = readItem(item, merchant.country);
  if (errors.length > 0 || !value) return errors;
  try {
    toNewGuia(value);
    return [];
  } catch (error) {
    if (error instanceof AppError && error.errores) return error.errores;
    throw error;
  }
}
