import { AppError, type FieldError } from '../../../platform/errors/app-error.js';
import type { Merchant } from '../../../auth/merchants/merchant.js';
import type { Form } from '../../../platform/http/form-texts.js';
import { FIELDS } from './columns.js';
import { safe } from './file-table.js';
import { PARTS } from './headings.js';
import type { ArchivoRow } from './importar.queries.js';
import { chargeReader } from './order-charge.js';

/** Sets the field of each column as the form says. @throws AppError `validacion` for a field of two columns */
export function chooseColumns({ tabla: { header }, columnas }: ArchivoRow, fields: Form): void {
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

/** Characters of all cells. */
export const sizeOf = ({ rows }: ArchivoRow['tabla']): number =>
  rows.reduce((size, { cells }) => cells.reduce((sum, { length }) => sum + length, size), 0);

/** Writes the cells that the form corrects. @returns their lines. */
export function mendRows(archivo: ArchivoRow, fields: Form, merchant: Merchant): string[] {
  const { tabla, columnas } = archivo;
  const chargeOf = chargeReader({ ...archivo, header: tabla.header, merchant });
  const mended = new Set<string>();
  const byLine = new Map(tabla.rows.map((row) => [String(row.linea), row]));
  for (const [name, text = ''] of Object.entries(fields)) {
    const [, linea = '', campo = ''] = /^(\d{1,7})\.([\w.]{1,40})$/.exec(name) ?? [];
    const row = byLine.get(linea);
    if (!row || !FIELDS.includes(campo)) continue;
    // The field of an amount that is asked about is empty until somebody answers.
    if (campo === 'cod_amount') {
      const isAsked = !row.confirmado && chargeOf(row.cells).kind === 'preguntar';
      if (isAsked && text.trim() === '') continue;
      if (isAsked) row.confirmado = true;
    }
    let column = tabla.header.findIndex((_, i) => columnas[i] === campo);
    if (column < 0) {
      column = tabla.header.push(campo) - 1;
      columnas[column] = campo;
      // Surplus cells of a row stay beyond the header.
      for (const { cells } of tabla.rows) if (cells.length > column) cells.splice(column, 0, '');
    }
    while (row.cells.length <= column) row.cells.push('');
    row.cells[column] = safe(text);
    // What is written stands for the whole.
    for (const [i, part] of Object.entries(columnas))
      if (campo in PARTS && part.startsWith(`${campo}_`)) row.cells[Number(i)] = '';
    mended.add(linea);
  }
  return [...mended];
}
