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

const KNOWN = `Las columnas son: ${COLUMNS.map((name) => `\`${name}\``).join(', ')}.`;

/** The path of a field; empty without a header, undefined where the cells are not read. */
export type Column = string | undefined;

/** Excel's own first line, which says how the file is separated. */
const EXCEL_SEPARATOR = /^sep=([,;])\n/i;

/** The separator of a file's cells, and where its header begins. @param text with `\n` between lines. */
export function readSeparator(text: string): { separator: Separator; start: number } {
  const said = EXCEL_SEPARATOR.exec(text);
  if (said) return { separator: said[1] as Separator, start: said[0].length };
  const [header = ''] = text.trimStart().split('\n', 1);
  const count = (separator: Separator) => header.split(separator).length;
  return { separator: count(';') > count(',') ? ';' : ',', start: 0 };
}

/**
 * The column of each cell of the header row; empty where the header is. Case and accents do not matter.
 * @param ignored more names, whose cells are not read; undefined among the columns.
 * @throws AppError `validacion` with each header that is unknown, and the nearest known one or else all, or that is there
 * twice; `csv_invalido` for another separator.
 */
export function readHeader(cells: string[], ignored: readonly string[] = []): Column[] {
  if (cells.length === 1 && /[\t|]/.test(cells[0]!.trim()))
    throw new AppError('csv_invalido', { detail: 'Separe las columnas con coma o punto y coma.' });
  const faults: FieldError[] = [];
  const columns = cells.map((cell) => {
    const name = fold(cell);
    if (ignored.includes(name)) return undefined;
    if (name !== '' && !COLUMNS.includes(name)) faults.push(unknownField(cell.trim(), '', COLUMNS, KNOWN));
    return name;
  });
  for (const [i, campo] of columns.entries())
    if (campo !== undefined && COLUMNS.includes(campo) && columns.indexOf(campo) < i)
      faults.push({ campo, codigo: 'formato', mensaje: 'La columna está dos veces. Deje una sola.' });
  if (faults.length > 0) throw AppError.validation(faults);
  return columns;
}

const fold = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').trim().toLowerCase();
