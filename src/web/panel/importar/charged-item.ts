import type { FieldError } from '../../../platform/errors/app-error.js';
import type { FileItem } from './file-item.js';
import { headingKey } from './headings.js';
import type { ArchivoRow } from './importar.queries.js';
import type { Charge } from './order-charge.js';

/**
 * An item as its file's words about the payment leave it, or what says that its order is cancelled.
 * @param isConfirmed whether the merchant wrote the amount on the page, which answers what the file leaves open.
 */
export function chargedItem(
  item: FileItem,
  charge: Charge,
  isConfirmed: boolean,
): { item: FileItem; cancelado?: string } {
  if (isConfirmed || item.guia !== undefined || charge.kind === 'cobrar') return { item };
  if (charge.kind === 'cancelado') return { item, cancelado: charge.valor };
  const { cod_amount } = item.texts;
  if (cod_amount === undefined || !/[1-9]/.test(cod_amount)) return { item };
  const others = (item.faults ?? []).filter(({ campo }) => campo !== 'cod_amount');
  if (charge.kind === 'pagado')
    return { item: { ...item, faults: others, input: { ...(item.input as object), cod_amount: 0 } } };
  const fault: FieldError = {
    campo: 'cod_amount',
    codigo: 'formato',
    mensaje: `${charge.motivo}, con ${cod_amount.slice(0, 40)}. Escriba cuánto se cobra al entregar, o 0 si ya está pagado.`,
  };
  return { item: { ...item, faults: [fault, ...others], texts: { ...item.texts, cod_amount: '' } } };
}

/** Headings that are of money. */
const OF_MONEY =
  /\b(?:total|subtotal|monto|valor|importe|precio|price|amount|costo|cobr\w*|pagar|saldo|efectivo|cash|recaudo|ingresos?|value|balance)\b/;

/** Headings whose numbers are no amount. */
const NO_AMOUNT =
  /\b(?:id|sku|codigo|code|zip|postal|cp|peso|weight|cantidad|quantity|qty|unidades|lat\w*|lng|lon\w*|fecha|date|hora|telefono|phone|celular|dpi|nit|dni|edad|descuento|discount|envio|shipping|tax|impuestos?|talla|fila|row)\b/;

const WITH_CENTS = /^\D{0,5}\d[\d., ]*[.,]\d{2}$/;

/**
 * Headings of the columns that could be the amount, where none is taken as that, or an empty one: it is asked before anything is
 * made. Undefined where one is the amount, also an empty one where nothing else looks like it.
 */
export function mayBeAmount({ tabla: { header, rows }, columnas }: ArchivoRow): string[] | undefined {
  const cellsOf = (i: number) => rows.slice(0, 200).flatMap(({ cells: { [i]: cell } }) => cell?.trim() || []);
  const at = header.findIndex((_, i) => columnas[i] === 'cod_amount');
  if (at >= 0 && cellsOf(at).length > 0) return undefined;
  const headings = header.filter((heading, i) => {
    if (columnas[i]) return false;
    const key = headingKey(heading);
    const cells = cellsOf(i);
    if (!cells.some((cell) => /[1-9]/.test(cell)) || NO_AMOUNT.test(key)) return false;
    return OF_MONEY.test(key) || cells.filter((cell) => WITH_CENTS.test(cell)).length >= cells.length / 2;
  });
  return at >= 0 && headings.length === 0 ? undefined : headings;
}
