import type { FieldError } from '../../platform/errors/app-error.js';
import { NUMBERS } from '../guia/guia-fields.js';

/** How a cell is written. Pure text in, values and faults out. */

/** Between the cells of a file. With a semicolon, numbers may have decimal commas. */
export type Separator = ',' | ';';

/** Separators that the panel reads besides; numbers are written as beside a semicolon. */
export type Delimiter = Separator | '\t' | '|';

/** Columns in which a number stands for its digits. */
const DIGITS = /^(telefono|external_ref|guia)$/;

/** Scientific notation, which Excel uses for numbers with too many digits. */
const SCIENTIFIC = /^[+-]?\d+([.,]\d+)?E\+\d+$/i;

/** In place of a formula that no program has calculated yet: its file has no value of it. */
export const NOT_CALCULATED = '#SIN CALCULAR';

const SHEET_ERROR =
  /^#(N\/[AD]|¡?REF!|¡?VALOR!|VALUE!|¿?NOMBRE\?|NAME\?|¡?DIV\/0!|¡?NUM!|NULL!|¡?NULO!|SPILL!|¡?DESBORDAMIENTO!|¡?C[AÁ]LC!|BLOCKED!|UNKNOWN!|FIELD!|CONNECT!|BUSY!|GETTING_DATA|SIN CALCULAR|#+)$/i;

/** Whether a cell shows an error of the spreadsheet. */
export const isSheetError = (cell: string): boolean => SHEET_ERROR.test(cell.trim());

/** `1.500` may be fifteen hundred, or one and a half. */
const AMBIGUOUS_AMOUNT = /^[+-]?[1-9]\d{0,2}[.,]\d{3}$/;

/** Whether an amount may be meant in two ways. */
export const isTwoAmounts = (text: string): boolean => AMBIGUOUS_AMOUNT.test(text);

const PLAIN = /^[+-]?\d+(\.\d+)?$/;
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;
/** With thousands separators and decimals, so that only one reading is possible. */
const GROUPED = /^[+-]?\d{1,3}(,\d{3})+\.\d+$/;
const GROUPED_WITH_COMMA = /^[+-]?\d{1,3}(\.\d{3})+,\d+$/;
/** As in Costa Rica; spreadsheets write a blank that breaks no line, or a narrow one. */
const GROUPED_WITH_BLANKS = /^[+-]?\d{1,3}([ \u00a0\u2009\u202f]\d{3})+[.,]\d+$/;

/** Characters without a width, which programs put before digits so that spreadsheets keep their zeros. */
const UNSEEN = /^[\s\p{Cc}\p{Cf}]+/u;

/** An apostrophe that makes a text of a formula or a number. */
const TEXT_MARK = /^'(?=[;\s]*[=+\-@\uff1d\uff0b\uff0d\uff20]|\d[\d .,-]*$)/;

/** End of a cell for some programs. Our own files have an apostrophe there where a sign follows. */
const END_OF_CELL = /[;\t][ \t;]*'?/g;
const MARKED_SIGN = /^'[=+\-@\uff1d\uff0b\uff0d\uff20]/;

/** As a whole run each time: one expression for all of it would take quadratic time. */
const withoutInnerMarks = (text: string): string =>
  text.replace(END_OF_CELL, (end, at: number) => {
    const last = at + end.length - 1;
    return MARKED_SIGN.test(text.slice(last, last + 2)) ? end.slice(0, -1) : end;
  });

/** A formula that is a text: `="0001042"`. */
const TEXT_FORMULA = /^="([^"]*)"$/;

/**
 * The text that a spreadsheet shows of a cell, trimmed; undefined if the cell is empty. What keeps a program from reading it
 * as a formula or a number is left out.
 */
export function cellText(cell: string): string | undefined {
  const trimmed = cell.trim();
  if (trimmed === '') return undefined;
  const text = withoutInnerMarks(trimmed.replace(UNSEEN, '').replace(TEXT_MARK, '')).trimStart();
  return text.replace(TEXT_FORMULA, (_, inner: string) => inner.trim()) || undefined;
}

/** `="0001042"` without quotes around it, as some programs write it. By separator. */
const BARE_TEXT_FORMULA: Record<Delimiter, RegExp> = {
  ',': /(^|[,\n]) *="([^",\n]+)" *(?=[,\n]|$)/g,
  ';': /(^|[;\n]) *="([^";\n]+)" *(?=[;\n]|$)/g,
  '\t': /(^|[\t\n]) *="([^"\t\n]+)" *(?=[\t\n]|$)/g,
  '|': /(^|[|\n]) *="([^"|\n]+)" *(?=[|\n]|$)/g,
};

/** A file's text in which such cells are quoted as in RFC 4180. Other text is CSV, or not, as before. */
export function quoteTextFormulas(text: string, separator: Delimiter): string {
  return text.includes('="') ? text.replace(BARE_TEXT_FORMULA[separator], '$1"=""$2"""') : text;
}

/** The number that a cell shows; undefined if it is none, or could be two. */
export function toNumber(cell: string, separator: Separator): number | undefined {
  const text = GROUPED_WITH_BLANKS.test(cell) ? cell.replace(/\s/g, '') : cell;
  if (PLAIN.test(text)) return Number(text);
  if (GROUPED.test(text)) return Number(text.replaceAll(',', ''));
  if (separator !== ';' || !(DECIMAL_COMMA.test(text) || GROUPED_WITH_COMMA.test(text))) return undefined;
  return Number(text.replaceAll('.', '').replace(',', '.'));
}

/** A cell as its field is sent in JSON; a text where a number is due and it is none, which the field's rules refuse. */
export function cellValue(campo: string, text: string, separator: Separator): string | number {
  return NUMBERS.has(campo) ? (toNumber(text, separator) ?? text) : text;
}

/**
 * Letters with accents that were lost (`L\ufffdpez`), or are the two bytes of UTF-8 that a spreadsheet read as Windows-1252
 * (`LÃ³pez`, `7Âª`, `â€“`), once or twice. In no word do these characters follow each other.
 */
const DAMAGED =
  /\ufffd|\u00c3[\u0081\u008d\u00a1\u00a9\u00ad\u00b1\u00b3\u00ba\u00bc\u0153\u0161\u0192\u2018\u201c\u2030]|\u00c2[\u00a1\u00aa\u00b0\u00ba\u00bf]|\u00e2\u20ac/;

/** Fault of the accents of a cell of a file. */
export function damageIn(campo: string, text: string): FieldError | undefined {
  if (!DAMAGED.test(text)) return undefined;
  const word = text
    .split(/\s/)
    .find((one) => DAMAGED.test(one))!
    .slice(0, 40);
  const mensaje = `Los acentos de «${word}» se dañaron al abrir o guardar el archivo. Escríbalos de nuevo, o abra el archivo original como UTF-8 (en Excel: Datos → Desde texto/CSV).`;
  return { campo, codigo: 'formato', mensaje };
}

/** Fault of a cell's form, where the rules of its field would not say it as well. */
export function cellFault(campo: string, text: string, separator: Separator): FieldError | undefined {
  const fault = (mensaje: string): FieldError => ({ campo, codigo: 'formato', mensaje });
  const isNumber = NUMBERS.has(campo);
  if (SHEET_ERROR.test(text)) return fault(`La celda tiene un error de la hoja de cálculo: «${text}».`);
  if ((isNumber || DIGITS.test(campo)) && SCIENTIFIC.test(text))
    return fault(
      `La hoja de cálculo convirtió el número en «${text.slice(0, 30)}» y se perdieron cifras. Dé a la columna el formato Texto, escríbalo de nuevo y guarde el archivo otra vez.`,
    );
  if (!isNumber) return undefined;
  if (campo === 'cod_amount' && isTwoAmounts(text))
    return fault(
      `«${text}» puede leerse de dos maneras. Escríbalo sin separador de miles y con dos decimales.`,
    );
  return toNumber(text, separator) === undefined
    ? fault(
        `No es un número. Escríbalo solo con cifras y ${separator === ';' ? 'una coma o un punto' : 'un punto'} para los decimales, sin moneda ni separador de miles.`,
      )
    : undefined;
}
