import { AppError } from '../../../platform/errors/app-error.js';
import type { CsvTable } from '../../../guias/lote/csv-rows.js';
import { grouped } from '../../kit/elements.js';

/** Limits of reading a file, whatever becomes of its rows: their number, the columns, and the characters of a cell and of all. */
export const FILE_LIMITS = { rows: 5_000, columns: 150, cell: 5_000, text: 5_000_000 };

export type Excess = 'libro' | 'filas' | 'columnas' | 'celda' | 'texto';

const { rows, columns, cell, text } = FILE_LIMITS;

const SAID: Record<Excess, string> = {
  libro: 'El libro de Excel es demasiado grande. Copie sus filas a un libro nuevo, y guárdelo.',
  filas: `El archivo tiene más de ${grouped(rows)} filas. Divídalo en varios.`,
  columnas: `El archivo tiene más de ${columns} columnas. Deje solo las que necesita.`,
  celda: `El archivo tiene una celda con más de ${grouped(cell)} caracteres. Acórtela.`,
  texto: `El archivo tiene más de ${grouped(text / 1_000_000)} MB de texto. Divídalo en varios, o quite columnas.`,
};

/** The refusal of a file that is too large. @param at the cell that is, or is beyond. */
export function tooLarge(excess: Excess, at?: string): AppError {
  const where = at === undefined ? '' : ` Es la celda ${at}.`;
  return AppError.validation([
    { campo: 'archivo', codigo: 'fuera_de_rango', mensaje: `${SAID[excess]}${where}` },
  ]);
}

/** @throws AppError `validacion` for a table that is larger than what is read */
export function checkTable({ header, rows }: Pick<CsvTable, 'header' | 'rows'>): void {
  if (rows.length > FILE_LIMITS.rows) throw tooLarge('filas');
  let characters = 0;
  for (const cells of [header, ...rows.map((row) => row.cells)])
    for (const [i, cell] of cells.entries()) {
      characters += cell.length;
      if (i >= FILE_LIMITS.columns && cell.trim() !== '') throw tooLarge('columnas');
      if (cell.length > FILE_LIMITS.cell) throw tooLarge('celda');
    }
  if (characters > FILE_LIMITS.text) throw tooLarge('texto');
}
