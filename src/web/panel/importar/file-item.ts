import type { Merchant } from '../../../auth/merchants/merchant.js';
import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import { toNewGuia, type CrearGuiaDto } from '../../../guias/dto/crear-guia.dto.js';
import { TEXTOS, TEXTS } from '../../../guias/guia/guia-fields.js';
import type { NewGuia } from '../../../guias/guia/guia-row.js';
import { plainAmount } from '../../../guias/lote/amount-text.js';
import { cellText } from '../../../guias/lote/csv-cells.js';
import { toRow, type CsvRow, type CsvTable } from '../../../guias/lote/csv-rows.js';
import { toFormInput } from '../../../guias/lote/form-input.js';
import { readItem } from '../../../guias/lote/lote.service.js';
import { placeKey, wordsOf } from '../../../locations/places/place-key.js';
import type { Municipality, PlacesByKey } from '../../../locations/places/places.js';
import { spokenPlaces } from '../../../locations/places/spoken-places.js';
import { unescapedText } from '../../../platform/validation/html-text.js';
import { foldName } from '../../../platform/validation/text.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import type { PanelRecogida } from '../recogidas/panel-recogida.entity.js';
import { hasPickup, toPickup } from '../recogidas/recogidas.service.js';
import { departmentOfCode } from './department-codes.js';
import type { ArchivoRow } from './importar.queries.js';
import { PARTS } from './headings.js';

/** Prefix of the references that we give to rows without one. */
export const OWN_REFERENCE = 'archivo-';

export interface FileItem extends CsvRow {
  texts: Texts;
}

/** Whether the file gives the row an `external_ref` or a guide number. */
export const hasReference = ({ texts, guia }: FileItem): boolean =>
  texts.external_ref !== undefined || guia !== undefined;

/** Fields of one line: in a cell, a line break stands for a blank. */
const IN_ONE_LINE = [
  ...['nombre', 'departamento', 'municipio', 'external_ref', 'recogida.nombre'],
  ...TEXTOS.filter((texto) => !TEXTS[texto].isLong),
];

/** Kept as they were sent, as `CrearGuiaDto` keeps them. */
const EXACT = ['external_ref', 'maps_url', 'recogida.maps_url'];

const inOneLine = (text: string): string => text.replace(/ ?[\r\n]+ ?/g, ' ');

/** Columns and settings by which the rows of a file are read. */
export interface FileContext {
  archivo: ArchivoRow;
  merchant: Merchant;
  /** As `toRow` takes it. */
  most: number;
  /** The pickup points that a row may name; the first is that of rows that say nothing of theirs. */
  puntos: readonly PanelRecogida[];
  /** The department that the merchant sent to last. */
  departamento: string | undefined;
  places: PlacesByKey;
}

/** A row with what its file leaves out: pickup, department, and a reference by which a repeat is known. */
export function itemOf(
  { archivo, merchant, most, puntos, departamento, places }: FileContext,
  { linea, cells }: CsvTable['rows'][number],
): FileItem {
  const { tabla, columnas, separador } = archivo;
  const { header, huella } = tabla;
  const { currency, country } = merchant;
  const named = header.map((_, i) => columnas[i] || undefined);
  const decoded = cells.map((cell, i) => {
    const column = named[i] ?? '';
    const text = EXACT.includes(column) ? cell : unescapedText(cell, false);
    const whole = column.startsWith('direccion_') ? withItsWord(header[i] ?? '', text.trim()) : text;
    return IN_ONE_LINE.includes(column) ? inOneLine(whole.trim()) : whole;
  });
  const { columns, cells: read } = withParts(named, decoded);
  const texts: Texts = {};
  for (const [i, campo] of columns.entries()) if (campo && read[i]?.trim()) texts[campo] = read[i].trim();
  const punto = puntoOfRow(texts, puntos);
  const more: Texts = punto ? toPickup(punto) : {};
  const spoken = texts.municipio
    ? spokenTown(places, country, texts.municipio, texts.departamento)
    : undefined;
  if (spoken) {
    more.departamento = spoken.departamento;
    more.municipio = spoken.municipio;
  } else if (!texts.departamento && texts.municipio) {
    const found = departmentOf(places, texts.municipio, departamento);
    if (found !== undefined) more.departamento = found;
  }
  const ofCode = departmentOfCode(texts.departamento ?? '', country);
  if (ofCode !== undefined) more.departamento = ofCode;
  if (!texts.external_ref && !texts.guia) more.external_ref = `${OWN_REFERENCE}${huella}-${linea}`;
  const written = read.map((cell, i) =>
    columns[i] === 'cod_amount'
      ? plainAmount(NOTHING_DUE.test(foldName(cell)) ? '0' : (cellText(cell) ?? ''), currency, country)
      : cell,
  );
  const item = toRow(written, linea, columns, separador, most);
  const { input: added } = toFormInput(more);
  return { ...item, cells, input: { ...(item.input as object), ...added }, texts };
}

/** The point of a row: the one that it names, where it says no place, or the first where it says nothing. */
function puntoOfRow(texts: Texts, puntos: readonly PanelRecogida[]): PanelRecogida | undefined {
  if (!hasPickup(texts)) return puntos[0];
  const { 'recogida.nombre': nombre, ...rest } = texts;
  if (nombre === undefined || hasPickup(rest)) return undefined;
  return puntos.find((one) => foldName(one.nombre) === foldName(nombre));
}

/** A number of an address with the word that heads its column: `4` of `Zona` is `zona 4`. */
function withItsWord(heading: string, text: string): string {
  const [word] =
    /^(?:zona|lote|manzana|apto|apartamento|casa|piso|nivel|bloque|torre|sector|local)$/.exec(
      foldName(heading),
    ) ?? [];
  return word !== undefined && /^\d{1,4}[a-z]?$/i.test(text) ? `${word} ${text}` : text;
}

/** In place of an amount: nothing is to be collected. */
export const NOTHING_DUE =
  /^(?:ya )?(?:pagad[oa]s?|pago|esta pagad[oa]|todo pagado|pre ?pagad[oa]|paid|pre ?paid|gratis|free|cortesia|regalo|sin cobro|no cobrar|no se cobra|nada|cero|-+|–|—)[.!]?$/;

/** The town that a text names in two parts, `Mixco, Guatemala`, or as people speak, where only one is called so. */
function spokenTown(
  places: PlacesByKey,
  country: string,
  text: string,
  departamento = '',
): Municipality | undefined {
  const short = text.slice(0, 120);
  if (places.size === 0 || places.has(placeKey(short))) return undefined;
  const own = placeKey(departamento.slice(0, 120));
  const [, town = '', of = ''] = /^([^,/(-]{2,60})\s?[,/(-]\s?([^,/()]{2,60})\)?$/.exec(short) ?? [];
  const inside = [
    [town, of],
    [of, town],
  ].flatMap(([name = '', whose = '']) =>
    (places.get(placeKey(name)) ?? []).filter(
      (one) => one.kind === 'municipio' && placeKey(one.departamento) === placeKey(whose),
    ),
  );
  const said = spokenPlaces(country).get(wordsOf(short).join(' ')) ?? [];
  const all = [...inside, ...said].filter((one) => own === '' || placeKey(one.departamento) === own);
  return all.length === 1 ? all[0] : undefined;
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

/** A row as its create would read it. */
export interface ReadRow {
  faults: FieldError[];
  row?: { dto: CrearGuiaDto; nueva: NewGuia };
}

export function readRow(item: CsvRow, merchant: Merchant): ReadRow {
  // A row of an exported list makes nothing.
  if (item.guia !== undefined) return { faults: [] };
  const { value: dto, errors } = readItem(item, merchant);
  if (errors.length > 0 || !dto) return { faults: errors };
  try {
    return { faults: [], row: { dto, nueva: toNewGuia(dto) } };
  } catch (error) {
    if (error instanceof AppError && error.errores) return { faults: error.errores };
    throw error;
  }
}

/** Shops write their own empty house numbers. */
const NONE = /^(?:-+|n\/?a|s\/?n|null|ninguno|ninguna|0)$/i;

/** The cells of a row in which names and addresses of several columns are one, in the first of their columns. */
function withParts(
  columns: readonly (string | undefined)[],
  cells: readonly string[],
): { columns: (string | undefined)[]; cells: string[] } {
  const joined = { columns: [...columns], cells: [...cells] };
  for (const [campo, parts] of Object.entries(PARTS)) {
    const at = [campo, ...parts].map((name) => columns.indexOf(name)).filter((i) => i >= 0);
    const [first] = at;
    if (first === undefined) continue;
    const text = at.reduce((whole, i) => joinPart(whole, cells[i]?.trim() ?? ''), '');
    for (const i of at) joined.columns[i] = undefined;
    joined.columns[first] = campo;
    // Cells that a row leaves out at its end.
    while (joined.cells.length <= first) joined.cells.push('');
    joined.cells[first] = text;
  }
  return joined;
}

/** A text with its next part, which may already be its end: `4a calle 5-10` and `5-10`. */
export function joinPart(whole: string, part: string): string {
  if (part === '' || (whole !== '' && NONE.test(part))) return whole;
  if (whole === '') return part;
  return foldName(` ${whole}`).endsWith(` ${foldName(part)}`) ? whole : `${whole} ${part}`;
}
