import { AppError, type FieldError } from '../../platform/errors/app-error.js';
import { fieldsOf, type DtoFields } from '../../platform/validation/dto-fields.js';
import { AcceptedNames, UnknownFields } from '../../platform/validation/unknown-fields.js';
import { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import { EXPORTED } from '../list/guia-csv.js';
import { cellText, type Separator } from './csv-cells.js';

/** The columns of a file of guides: the fields of create, nested ones with a dot. */
export const COLUMNS: readonly string[] = namesOf(fieldsOf(CrearGuiaDto));

function namesOf({ byName }: DtoFields, path = ''): string[] {
  return [...byName.values()].flatMap(({ name, nested }) =>
    nested ? namesOf(nested, `${path}${name}.`) : [`${path}${name}`],
  );
}

/** Header of an exported list, whose other columns that a create has not are known beside it. */
export const GUIA = 'guia';

/** Columns of a file: those of a guide, and some without a name or to be ignored. */
export const MAX_COLUMNS = COLUMNS.length + 20;

/** Columns of a spreadsheet: no more are empty ones that it added. */
const MAX_SHEET_COLUMNS = 16_384;

/** Characters of the header that tell how a file is separated. */
const SAMPLE = 4_096;

/** Characters in which it begins: what a blank file has before it is not passed over without an end. */
const BEGINNING = 64 * 1024;

const ACCEPTED = new AcceptedNames('Las columnas son', COLUMNS, [], fieldsOf(CrearGuiaDto).refused);

/** A longer name is none of ours, and not compared. */
const MAX_NAME = 100;

/** The path of a field; empty without a header, undefined where the cells are not read. */
export type Column = string | undefined;

/** Excel's own first line, which says how the file is separated. */
const EXCEL_SEPARATOR = /^sep=([,;])\n/i;

/** The separator of a file's cells, and where its header begins. @param text with `\n` between lines. */
export function readSeparator(text: string): { separator: Separator; start: number } {
  const said = EXCEL_SEPARATOR.exec(text);
  if (said) return { separator: said[1] as Separator, start: said[0].length };
  const [header = ''] = text.slice(0, BEGINNING).trimStart().slice(0, SAMPLE).split('\n', 1);
  const count = (separator: Separator) => header.split(separator).length;
  return { separator: count(';') > count(',') ? ';' : ',', start: 0 };
}

/**
 * The column of each cell of the header row; empty where the header is. Case and accents do not matter. An exported list is
 * known by its column `guia`.
 * @param ignored more names, whose cells are not read; undefined among the columns.
 * @throws AppError `validacion` with each header that is unknown, and the known one that is meant or else, once, all, or that is
 * there twice; `validacion` of too many columns alone; `csv_invalido` for another separator.
 */
export function readHeader(cells: string[], ignored: readonly string[] = []): Column[] {
  if (cells.length === 1 && /[\t|]/.test(cells[0]!.trim()))
    throw new AppError('csv_invalido', { detail: 'Separe las columnas con coma o punto y coma.' });
  // Spreadsheets add columns without a name at the end.
  if (cells.length > MAX_SHEET_COLUMNS || cells.findLastIndex((cell) => cell.trim() !== '') >= MAX_COLUMNS)
    throw tooManyColumns();
  const faults: FieldError[] = [];
  const unknown = new UnknownFields(faults);
  const counts = new Map<string, number>();
  const names = cells.map(nameIn);
  const isExported = names.includes(GUIA);
  const unread: readonly string[] = isExported ? [...ignored, ...EXPORTED] : ignored;
  const columns = names.map((name, i) => {
    if (name === '') return name;
    if (unread.includes(name)) return undefined;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (!COLUMNS.includes(name) && name !== GUIA) unknown.add(cellText(cells[i]!)!, '', ACCEPTED);
    else if (count === 2)
      faults.push({
        campo: name,
        codigo: 'formato',
        mensaje: 'La columna está dos veces. Deje una sola.',
      });
    return name;
  });
  if (faults.length > 0) throw AppError.validation(faults);
  return columns;
}

export function tooManyColumns(): AppError {
  const mensaje = `Puede tener hasta ${MAX_COLUMNS} columnas. Deje solo las de la plantilla.`;
  return AppError.validation([{ campo: 'columnas', codigo: 'fuera_de_rango', mensaje }]);
}

/** Whether a text is a header row and nothing else. @param line without line breaks. */
export function isHeader(line: string, separator: Separator, ignored: readonly string[]): boolean {
  const names = ['', GUIA, ...EXPORTED, ...COLUMNS, ...ignored];
  return line
    .replaceAll('"', '')
    .split(separator, MAX_SHEET_COLUMNS)
    .every((cell) => names.includes(nameIn(cell)));
}

/** The name of a column, without the accents and the case that a header writes it with; empty where it has none. */
function nameIn(cell: string): string {
  const text = cellText(cell) ?? '';
  return text.length > MAX_NAME ? text : text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
