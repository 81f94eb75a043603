import { AppError, type FieldError } from '../../errors/app-error.js';
import { fieldsOf, type DtoFields } from '../../validation/dto-fields.js';
import { unknownField } from '../../validation/read-input.js';
import { CrearGuiaDto } from '../dto/crear-guia.dto.js';
import type { Separator } from './csv-cells.js';

/** The columns of a file of guides: the fields of create, nested ones with a dot. */
export const COLUMNS: readonly string[] = namesOf(fieldsOf(CrearGuiaDto));

function namesOf({ byName }: DtoFields, path = ''): string[] {
  return [...byName.values()].flatMap(({ name, nested }) =>
    nested ? namesOf(nested, `${path}${name}.`) : [`${path}${name}`],
  );
}

/** Columns of a file: those of a guide, and some without a name or to be ignored. */
const MAX_COLUMNS = COLUMNS.length + 20;

/** Characters of the header that tell how a file is separated. */
const SAMPLE = 4_096;

const KNOWN = `Las columnas son: ${COLUMNS.map((name) => `\`${name}\``).join(', ')}.`;

/** The path of a field; empty without a header, undefined where the cells are not read. */
export type Column = string | undefined;

/** Excel's own first line, which says how the file is separated. */
const EXCEL_SEPARATOR = /^sep=([,;])\n/i;

/** The separator of a file's cells, and where its header begins. @param text with `\n` between lines. */
export function readSeparator(text: string): { separator: Separator; start: number } {
  const said = EXCEL_SEPARATOR.exec(text);
  if (said) return { separator: said[1] as Separator, start: said[0].length };
  const [header = ''] = text.trimStart().slice(0, SAMPLE).split('\n', 1);
  const count = (separator: Separator) => header.split(separator).length;
  return { separator: count(';') > count(',') ? ';' : ',', start: 0 };
}

/**
 * The column of each cell of the header row; empty where the header is. Case and accents do not matter.
 * @param ignored more names, whose cells are not read; undefined among the columns.
 * @throws AppError `validacion` with each header that is unknown, and the nearest known one or else all, or that is there
 * twice; `validacion` of too many columns alone; `csv_invalido` for another separator.
 */
export function readHeader(cells: string[], ignored: readonly string[] = []): Column[] {
  if (cells.length === 1 && /[\t|]/.test(cells[0]!.trim()))
    throw new AppError('csv_invalido', { detail: 'Separe las columnas con coma o punto y coma.' });
  // Spreadsheets add columns without a name at the end.
  if (cells.findLastIndex((cell) => cell.trim() !== '') >= MAX_COLUMNS) throw tooManyColumns();
  const faults: FieldError[] = [];
  const counts = new Map<string, number>();
  const columns = cells.map((cell) => {
    const name = fold(cell);
    if (name === '') return name;
    if (ignored.includes(name)) return undefined;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    if (!COLUMNS.includes(name)) faults.push(unknownField(cell.trim(), '', COLUMNS, KNOWN));
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

function tooManyColumns(): AppError {
  const mensaje = `Puede tener hasta ${MAX_COLUMNS} columnas. Deje solo las de la plantilla.`;
  return AppError.validation([{ campo: 'columnas', codigo: 'fuera_de_rango', mensaje }]);
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
