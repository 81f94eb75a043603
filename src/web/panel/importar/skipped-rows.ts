import type { CsvTable } from '../../../guias/lote/csv-rows.js';
import type { Texts } from '../ajustes/panel-ajuste.entity.js';
import { headingKey } from './headings.js';

type Row = CsvTable['rows'][number];

/** A row of a file that is no order, and what it says. */
export interface SkippedRow {
  linea: number;
  texto: string;
}

/** Rows that are named of those that are skipped, and the characters that are shown of each. */
const MAX_NAMED = 50;
const MAX_TEXT = 60;

/** The word of a row of sums. */
const SUM = /^(?:(?:gran |sub ?)?total(?:es)?|suma|sumas|resumen)\b.{0,30}$/;

/** Heads of a part of the sheet: a day, a month, a route. */
const HEADS =
  /^(?:(?:pedidos|entregas|ruta|rutas|zona|semana|hoja|pagina|dia|fecha|ordenes|lista|listado|reporte|notas?|observacion(?:es)?)\b.{0,60}|(?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)\b.{0,40}|[-=_*. ]+)$/;

/** Fields whose text alone is an order that lacks the rest. */
const OF_ORDER: readonly (string | undefined)[] = [
  'nombre',
  'telefono',
  'direccion',
  'maps_url',
  'contenido',
];

/**
 * Leaves out the rows of a file that are no orders: sums, what heads a part of it, and its headings over again. A row with a phone is
 * an order, whatever else it says.
 */
export function skipRows(
  header: readonly string[],
  columnas: Texts,
  rows: readonly Row[],
): { rows: Row[]; skipped: SkippedRow[]; count: number } {
  const columns = header.map((_, i) => columnas[i]);
  const phoneAt = columns.indexOf('telefono');
  const headings = header.map(headingKey);
  const isOrder = ({ cells }: Row) => {
    if (phoneAt < 0) return true;
    const filled = cells.flatMap((cell, i) => (cell.trim() === '' ? [] : [{ key: headingKey(cell), i }]));
    if (filled.length > 1 && filled.every(({ key, i }) => key === headings[i])) return false;
    if ((cells[phoneAt] ?? '').replace(/\D/g, '').length >= 4) return true;
    if (filled.some(({ key }) => SUM.test(key)) && filled.length <= header.length / 2 + 1) return false;
    // A sum without a word: nothing but numbers, and none of them in a text's column.
    if (
      filled.every(({ key, i }) => /^[a-z]{0,3}[$.]?[\d.,\s]+$/.test(key) && !OF_ORDER.includes(columns[i]))
    )
      return false;
    const [only, other] = filled;
    return other !== undefined || (OF_ORDER.includes(columns[only!.i]) && !HEADS.test(only!.key));
  };
  const orders = new Set(rows.filter(isOrder));
  const out = rows.filter((row) => !orders.has(row));
  const skipped = out.slice(0, MAX_NAMED).map(({ linea, cells }) => ({
    linea,
    texto: cells
      .filter((cell) => cell.trim() !== '')
      .join(' ')
      .slice(0, MAX_TEXT),
  }));
  return { rows: [...orders], skipped, count: out.length };
}
