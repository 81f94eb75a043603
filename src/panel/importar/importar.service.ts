import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CountryCode } from 'libphonenumber-js';
import { v7 } from 'uuid';
import type { Merchant } from '../../auth/merchants/merchant.js';
import { MIB } from '../../config/body-limit.js';
import { Database, type Run } from '../../database/database.js';
import { isUuid } from '../../database/row-id.js';
import { AppError, type FieldError } from '../../errors/app-error.js';
import { differingFields } from '../../guias/create/differing-fields.js';
import type { KeptGuia } from '../../guias/create/guia-inserts.queries.js';
import { CrearGuiaDto, toNewGuia } from '../../guias/dto/crear-guia.dto.js';
import type { GuiaDelComercioRow, NewGuia } from '../../guias/guia-row.js';
import { GuiasService } from '../../guias/guias.service.js';
import { linkError } from '../../guias/link-errors.js';
import { plainAmount } from '../../guias/lote/amount-text.js';
import { cellText } from '../../guias/lote/csv-cells.js';
import { allFaults, toFormInput } from '../../guias/lote/form-input.js';
import { MAX_FILAS, type GuiaRechazadaDto } from '../../guias/lote/lote.dto.js';
import {
  mostCells,
  readCsvTable,
  toRow,
  withoutRows,
  wrongCount,
  type CsvRow,
  type CsvTable,
} from '../../guias/lote/csv-rows.js';
import { referenceOf } from '../../guias/lote/lote-item.js';
import { mapInTurns } from '../../guias/lote/map-in-turns.js';
import { differingInRow, LoteService, readItem, unknownGuia } from '../../guias/lote/lote.service.js';
import { refusePlaceholderRefs } from '../../guias/lote/placeholder-refs.js';
import type { Form } from '../../http/form-texts.js';
import type { SentFile } from '../../http/multipart-body.js';
import { readMapLinkIn } from '../../locations/map-link.js';
import { placeKey } from '../../locations/places/place-key.js';
import { placesByKey, type PlacesByKey } from '../../locations/places/places.js';
import { inspect } from '../../validation/read-input.js';
import { AjustesService } from '../ajustes/ajustes.service.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import type { Visit } from '../visit.js';
import {
  FIELDS,
  groupOrders,
  guessColumns,
  headerAt,
  headingKey,
  isShopifyExport,
  MAX_COLUMNAS,
  MAX_TITLE_ROWS,
  nameOf,
  REASON,
} from './columns.js';
import { departmentOfCode } from './department-codes.js';
import {
  addResultados,
  findArchivo,
  findOfOtherFiles,
  findReferences,
  insertArchivo,
  updateTabla,
  type ArchivoRow,
} from './importar.queries.js';
import { isXlsx, readXlsx, type Sheet } from './read-xlsx.js';

/** Bytes. */
export const MAX_FILE = 5 * MIB;

/** Characters. */
const MAX_CELL = 5_000;
const MAX_HEADING = 200;
const MAX_FILE_NAME = 120;

/** A row as an item of a batch. */
interface FileItem extends CsvRow {
  /** The texts of its fields, as they are in the file. */
  texts: Texts;
}

/** A row, and what is wrong with it. */
export interface Reviewed {
  linea: number;
  item: FileItem;
  faults: FieldError[];
  /** The guide that was made of it. */
  guia: string | undefined;
  /** Why no guide is made of it, though nothing is wrong with it. */
  repeated: Repeated | undefined;
}

/** How the references of rows begin that have none of their own. */
const OWN_REFERENCE = 'archivo-';

/** ms in which another file with an equal row is taken for this one, saved again. */
const SAME_FILE_MS = 86_400_000;

/** What a row repeats: a guide, or an earlier row of its file. */
export interface Repeated {
  of: { guia: string } | { linea: number };
  /** Whether it is known by its data alone: neither has a reference, and the guide is of another file. */
  isByData?: true;
  /** Whether the guide is cancelled: nothing of the row is on its way. */
  isCancelled?: boolean;
  /** The fields of the row that are different there. */
  differing: string[];
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
    private readonly guias: GuiasService,
  ) {}

  /** @returns the id of the kept file. @throws AppError `csv_invalido`, `validacion` */
  async upload({ merchant }: Visit, file: SentFile | undefined): Promise<string> {
    if (!file || file.bytes.length === 0)
      throw new AppError('validacion', { detail: 'Elija un archivo CSV o de Excel (.xlsx).' });
    const { bytes, name } = file;
    if (bytes.length > MAX_FILE)
      throw new AppError('cuerpo_demasiado_grande', {
        detail: 'El archivo puede tener hasta 5 MiB. Divídalo en dos.',
      });
    const { columnas } = await this.ajustes.of(merchant.id);
    const { sheet, ...table } = await readTable(bytes, columnas);
    const header = table.header.map((one) => safe(one.trim(), MAX_HEADING));
    if (header.length > MAX_COLUMNAS)
      throw new AppError('validacion', { detail: `Puede tener hasta ${MAX_COLUMNAS} columnas.` });
    const rows = isShopifyExport(header) ? groupOrders(header, table.rows) : table.rows;
    if (rows.length === 0)
      throw new AppError('validacion', { detail: 'Todos los pedidos del archivo están cancelados.' });
    if (rows.length > MAX_FILAS) throw wrongCount(`Puede tener hasta ${MAX_FILAS} filas. Divida el archivo.`);
    const id = v7();
    const huella = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    await this.database.query(
      insertArchivo(merchant.id, {
        id,
        nombre: safeName(name),
        separador: table.separator,
        tabla: {
          huella,
          ...(sheet && { hoja: { nombre: safe(sheet.name, MAX_HEADING), de: sheet.of } }),
          encabezado: table.headerLine,
          header,
          rows: rows.map(({ linea, cells }) => ({ linea, cells: cells.map((cell) => safe(cell)) })),
        },
        columnas: guessColumns(header, columnas),
        resultados: {},
      }),
    );
    return id;
  }

  /** @throws AppError `no_encontrado`, also for another merchant's file */
  private async find({ merchant }: Visit, id: string, run?: Run): Promise<ArchivoRow> {
    const query = findArchivo(merchant.id, id, run !== undefined);
    const read = run ?? ((config) => this.database.query<ArchivoRow>(config));
    const { rows } = isUuid(id) ? await read<ArchivoRow>(query) : { rows: [] };
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
    const hasPickup = Object.values(archivo.columnas).some((campo) => campo.startsWith('recogida.'));
    const pickup = hasPickup ? {} : pickupOf(remembered);
    const most = mostCells(archivo.tabla.header, archivo.tabla.rows);
    const items = refusePlaceholderRefs(
      await mapInTurns(archivo.tabla.rows, (row) =>
        itemOf(archivo, row, most, merchant, pickup, remembered.departamento, places),
      ),
    );
    const reads = await mapInTurns(items, (item) => ({ item, read: readRow(item, visit) }));
    const repeats = await this.repeatsOf(merchant, archivo, reads);
    const rows = await mapInTurns(reads, ({ item, read }): Reviewed => {
      const { linea } = item.posicion;
      const { guia, errores = [] } = archivo.resultados[linea] ?? {};
      if (guia !== undefined) return { linea, item, faults: [], guia, repeated: undefined };
      // A row that was refused stands for none.
      const repeated = errores.length > 0 ? undefined : repeats(item, read);
      const isUnknown = item.guia !== undefined && repeated === undefined && errores.length === 0;
      const faults = [...read.faults, ...errores, ...(isUnknown ? [unknownGuia(item.guia!)] : [])];
      return { linea, item, faults, guia, repeated: faults.length > 0 ? undefined : repeated };
    });
    return { archivo, rows, needsPickup: !hasPickup && Object.keys(pickup).length === 0, pickup };
  }

  /** @returns what a row repeats; asked for each in their order. */
  private async repeatsOf(
    { id: comercioId, country }: Merchant,
    { tabla: { huella } }: ArchivoRow,
    reads: { item: FileItem; read: ReadRow }[],
  ): Promise<(item: FileItem, read: ReadRow) => Repeated | undefined> {
    const items = reads.map(({ item }) => item);
    const references = items.flatMap(({ input }) => referenceOf(input) ?? []);
    const phones = reads.flatMap(({ item, read: { row } }) =>
      row && !hasReference(item) ? row.nueva.telefono : [],
    );
    const prefixes = { all: OWN_REFERENCE, own: `${OWN_REFERENCE}${huella}-` };
    const since = Date.now() - SAME_FILE_MS;
    const [{ rows }, { rows: ofOtherFiles }, own] = await Promise.all([
      this.database.query<GuiaDelComercioRow>(findReferences(comercioId, references)),
      this.database.query<GuiaDelComercioRow>(
        findOfOtherFiles(comercioId, [...new Set(phones)], prefixes, since),
      ),
      this.guias.findOwn(
        comercioId,
        items.flatMap(({ guia }) => guia ?? []),
      ),
    ]);
    const existing = new Map(rows.map((row) => [row.external_ref, row]));
    const earlier = new Map<string | null, { linea: number; nueva: NewGuia }>();
    const unmatched = new Map<string, GuiaDelComercioRow[]>(phones.map((telefono) => [telefono, []]));
    for (const guia of ofOtherFiles) unmatched.get(guia.telefono)!.push(guia);
    return (item, { row }) => {
      // Of what the file says; a pickup that is remembered may be another one by now.
      const inFile = (campos: string[]) => campos.filter((campo) => item.texts[campo] !== undefined);
      if (item.guia !== undefined) {
        const guia = own.get(item.guia);
        return (
          guia && {
            of: { guia: guia.guia },
            differing: inFile(differingInRow(readItem(item, country), guia)),
          }
        );
      }
      if (row === undefined) return undefined;
      const { dto, nueva } = row;
      const differingFrom = (guia: KeptGuia | NewGuia) => inFile(differingFields(dto, nueva, guia));
      const guia = existing.get(nueva.external_ref);
      if (guia) {
        const isCancelled = guia.estado === 'cancelado';
        return { of: { guia: guia.guia }, isCancelled, differing: differingFrom(guia) };
      }
      const first = earlier.get(nueva.external_ref);
      if (first) return { of: { linea: first.linea }, differing: differingFrom(first.nueva) };
      earlier.set(nueva.external_ref, { linea: item.posicion.linea, nueva });
      if (hasReference(item)) return undefined;
      // Each guide is of one row: two equal rows of a file are two.
      const ofPhone = unmatched.get(nueva.telefono) ?? [];
      const at = ofPhone.findIndex(
        (one) => one.cod_amount === nueva.cod_amount && differingFrom(one).length === 0,
      );
      if (at < 0) return undefined;
      const [twin] = ofPhone.splice(at, 1);
      return { of: { guia: twin!.guia }, isByData: true, differing: [] };
    };
  }

  /** Says which field each column is, and remembers it. @throws AppError `validacion` */
  async map(visit: Visit, id: string, fields: Form): Promise<void> {
    const { tabla, columnas } = await this.change(visit, id, (archivo) => {
      chooseColumns(archivo, fields);
      return [];
    });
    const chosen = tabla.header.map((heading, i) => [headingKey(heading), columnas[i] ?? ''] as const);
    await this.ajustes.rememberColumnas(visit.merchant.id, Object.fromEntries(chosen));
  }

  /** Writes what was corrected in place: fields named `17.telefono`, of the row of line 17. */
  async mend(visit: Visit, id: string, fields: Form): Promise<void> {
    await this.change(visit, id, (archivo) => mendRows(archivo, fields));
  }

  /**
   * Changes a file. Pages of one file may be sent at once: each change sees the one before it.
   * @param edit returns the lines whose refusal no longer holds.
   */
  private change(visit: Visit, id: string, edit: (archivo: ArchivoRow) => string[]): Promise<ArchivoRow> {
    return this.database.transaction(async (run) => {
      const archivo = await this.find(visit, id, run);
      const mended = edit(archivo);
      await run(updateTabla(visit.merchant.id, archivo, mended));
      return archivo;
    });
  }

  /** Remembers where the guides are picked up. @throws AppError `no_encontrado`, `validacion` */
  async setPickup(visit: Visit, id: string, fields: Form): Promise<void> {
    await this.find(visit, id);
    const { merchant } = visit;
    const pickup = pickupOf(fields);
    const faults = pickupFaults(pickup, merchant.country);
    if (faults.length > 0) throw AppError.validation(faults);
    const { guia } = await this.ajustes.of(merchant.id);
    await this.ajustes.rememberGuia(merchant.id, { ...guia, ...pickup });
  }

  /** Makes the guides of all rows that are right; a row that has made one makes no other. @throws AppError `no_disponible` */
  async import(visit: Visit, id: string, deadline: number): Promise<void> {
    const { rows } = await this.review(visit, id);
    const ready = rows.filter(isReady);
    if (ready.length === 0) return;
    const results = await this.lote.create(
      visit.merchant,
      ready.map(({ item }) => item),
      deadline,
    );
    const resultados: ArchivoRow['resultados'] = {};
    for (const [n, result] of results.entries()) {
      const { linea } = ready[n]!;
      // A guide that was made meanwhile is found by its reference.
      if ('guia' in result) resultados[linea] = result.duplicada ? {} : { guia: result.guia };
      else if (result.status < 500) resultados[linea] = { errores: faultsIn(result) };
    }
    await this.database.query(addResultados(visit.merchant.id, id, resultados));
  }

  /** The refused rows as a file: its own columns, and the reasons. */
  async refused(visit: Visit, id: string): Promise<{ columns: string[]; rows: string[][] }> {
    const { archivo, rows } = await this.review(visit, id);
    const { header } = archivo.tabla;
    const headingOf = (campo: string) => {
      const column = header.findIndex((_, i) => archivo.columnas[i] === campo);
      return header[column] || nameOf(campo);
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

/** Whether a row says itself by what a repeat of it is known. */
const hasReference = ({ texts, guia }: FileItem): boolean =>
  texts.external_ref !== undefined || guia !== undefined;

/** Whether a guide is made of a row. */
export const isReady = ({ faults, guia, repeated }: Reviewed): boolean =>
  faults.length === 0 && guia === undefined && repeated === undefined;

/** Of a row that was refused only when its guide was to be made: by its map link, say. */
function faultsIn({ errores, detail }: GuiaRechazadaDto): FieldError[] {
  const faults = errores ?? [{ campo: 'telefono', mensaje: detail }];
  return faults.map(({ campo, mensaje }) => ({ campo, codigo: 'formato', mensaje }));
}

/** Rows of a file; Shopify's export has several for an order. */
const MAX_ROWS = 5 * MAX_FILAS;

/** A table whose first row is that of its headings. */
interface ReadTable extends CsvTable {
  sheet?: Sheet;
  /** Line of the headings; undefined where it is not certain that they are that. */
  headerLine: number | undefined;
}

/** Reads a file, and finds the row of its headings. @throws AppError `csv_invalido`, `validacion` */
async function readTable(bytes: Buffer, remembered: Texts): Promise<ReadTable> {
  if (isXlsx(bytes)) return fromHeader(await readXlsx(bytes, MAX_ROWS), remembered);
  const read = async (separator?: CsvTable['separator']) =>
    fromHeader(await readCsvTable(bytes, MAX_ROWS, { separator }), remembered);
  const likely = await read().catch((error: Error) => error);
  if ('header' in likely && likely.headerLine !== undefined) return likely;
  // A title has no separators, or others than the table below it.
  for (const separator of [',', ';'] as const) {
    const other = await read(separator).catch(() => undefined);
    if (other?.headerLine !== undefined) return other;
  }
  if ('header' in likely) return likely;
  throw likely;
}

/** The table from its headings on; as it is, where they are not certain. */
function fromHeader<T extends CsvTable>(table: T, remembered: Texts): T & ReadTable {
  const { header, rows } = table;
  const at = headerAt([header, ...rows.slice(0, MAX_TITLE_ROWS).map(({ cells }) => cells)], remembered);
  if (at <= 0) return { ...table, headerLine: at === 0 ? 1 : undefined };
  const { cells, linea } = rows[at - 1]!;
  if (at === rows.length) throw withoutRows();
  return { ...table, header: cells, rows: rows.slice(at), headerLine: linea };
}

/** PostgreSQL's JSON takes neither NUL nor lone surrogates. */
const safe = (text: string, max = MAX_CELL): string => text.slice(0, max).replace(/[\0\p{Cs}]/gu, '');

const safeName = (name: string): string => safe(name, MAX_FILE_NAME).replace(/\p{Cc}/gu, '') || 'archivo';

/** Fields of one line: in a cell, a line break stands for a blank. */
const IN_ONE_LINE = ['nombre', 'departamento', 'municipio', 'contenido', 'external_ref', 'recogida.nombre'];

const inOneLine = (text: string): string => text.replace(/ ?[\r\n]+ ?/g, ' ');

/** A row with what its file leaves out: pickup, department, and a reference by which a repeat is known. */
function itemOf(
  { tabla: { header, huella }, columnas, separador }: ArchivoRow,
  { linea, cells }: CsvTable['rows'][number],
  most: number,
  { currency, country }: Merchant,
  pickup: Texts,
  departamento: string | undefined,
  places: PlacesByKey,
): FileItem {
  const columns = header.map((_, i) => columnas[i] || undefined);
  const read = cells.map((cell, i) =>
    IN_ONE_LINE.includes(columns[i] ?? '') ? inOneLine(cell.trim()) : cell,
  );
  const texts: Texts = {};
  for (const [i, campo] of columns.entries()) if (campo && read[i]?.trim()) texts[campo] = read[i].trim();
  const more: Texts = { ...pickup };
  if (!texts.departamento && texts.municipio) {
    const found = departmentOf(places, texts.municipio, departamento);
    if (found !== undefined) more.departamento = found;
  }
  const named = departmentOfCode(texts.departamento ?? '', country);
  if (named !== undefined) more.departamento = named;
  if (!texts.external_ref && !texts.guia) more.external_ref = `${OWN_REFERENCE}${huella}-${linea}`;
  const written = read.map((cell, i) =>
    columns[i] === 'cod_amount' ? plainAmount(cellText(cell) ?? '', currency, country) : cell,
  );
  const item = toRow(written, linea, columns, separador, most);
  return { ...item, cells, input: { ...(item.input as object), ...toFormInput(more).input }, texts };
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

/** Sets the field of each column as the form says. @throws AppError `validacion` for a field of two columns */
function chooseColumns({ tabla: { header }, columnas }: ArchivoRow, fields: Form): void {
  const faults: FieldError[] = [];
  const sent = header.map((_, i) => {
    const campo = fields[`columna.${i}`];
    return campo !== undefined && ['', columnas[i], ...FIELDS].includes(campo) ? campo : undefined;
  });
  for (const [i, campo] of sent.entries()) {
    if (campo === undefined) {
      // The page shows no column that is empty.
      if (sent.includes(columnas[i])) columnas[i] = '';
      continue;
    }
    const first = sent.indexOf(campo);
    if (campo !== '' && first < i)
      faults.push({
        campo: `columna.${i}`,
        codigo: 'formato',
        mensaje: `Ya es la columna «${header[first]}». Elija una sola.`,
      });
    columnas[i] = campo;
  }
  if (faults.length > 0) throw AppError.validation(faults);
}

/** Writes the cells that the form corrects. @returns their lines. */
function mendRows({ tabla, columnas }: ArchivoRow, fields: Form): string[] {
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
  return [...mended];
}

/** What is wrong with a pickup, by the rules of the API. */
function pickupFaults(pickup: Texts, country: CountryCode): FieldError[] {
  const { input, faults } = toFormInput(pickup);
  const { errors } = inspect(CrearGuiaDto, input, { country });
  const own = allFaults(faults, errors).filter(({ campo }) => campo.startsWith('recogida'));
  const link = pickup['recogida.maps_url'];
  if (own.length > 0 || link === undefined || pickup['recogida.lat'] !== undefined) return own;
  const { kind } = readMapLinkIn(link);
  if (kind === 'coordinates' || kind === 'short') return [];
  const codigo = kind === 'unsupported' ? 'enlace_no_soportado' : 'enlace_sin_coordenadas';
  return [linkError('recogida.maps_url', codigo)];
}

const pickupOf = (texts: Form): Texts =>
  Object.fromEntries(
    Object.entries(texts).flatMap(([name, text]) =>
      name.startsWith('recogida.') && text ? [[name, text]] : [],
    ),
  );

/** A row as its create would read it. */
interface ReadRow {
  faults: FieldError[];
  row?: { dto: CrearGuiaDto; nueva: NewGuia };
}

function readRow(item: CsvRow, { merchant }: Visit): ReadRow {
  // A row of an exported list makes nothing.
  if (item.guia !== undefined) return { faults: [] };
  const { value: dto, errors } = readItem(item, merchant.country);
  if (errors.length > 0 || !dto) return { faults: errors };
  try {
    return { faults: [], row: { dto, nueva: toNewGuia(dto) } };
  } catch (error) {
    if (error instanceof AppError && error.errores) return { faults: error.errores };
    throw error;
  }
}
