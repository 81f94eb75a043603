import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors/app-error.js';
import { WINDOWS_1252 } from '../../validation/windows-1252.js';
import { guessEncoding } from './csv-encoding.js';

/** Magic bytes of other file types, in hex, and what to do instead. */
const OTHER_FILES: [start: RegExp, advice: string][] = [
  [/^504b0304/, 'Es un libro de Excel (.xlsx). En Excel, use Guardar como → CSV UTF-8.'],
  [/^d0cf11e0/, 'Es un libro de Excel (.xls). En Excel, use Guardar como → CSV UTF-8.'],
  // Or, without a byte order mark, ASCII of which every other byte is 0.
  [
    /^(fffe|feff|00[2-7].00[2-7].|[2-7].00[2-7].00)/,
    'Está en UTF-16. En Excel, use Guardar como → CSV UTF-8.',
  ],
  [/^1f8b/, 'Está comprimido (gzip). Descomprímalo.'],
  [/^25504446/, 'Es un PDF. Exporte la hoja de cálculo como CSV UTF-8.'],
  [/^(ffd8ff|89504e47|47494638)/, 'Es una imagen. Escriba las guías en una hoja de cálculo.'],
];

/** A page, which shops export as `.xls`, or a workbook of 2003. */
const MARKUP = /^\s*<(?:!doctype|html|head|body|table|\?xml)\b/i;

/** Names of the charsets that are read, in lower case. ISO 8859-1 and ASCII are parts of Windows-1252. */
const CHARSETS = /^(utf-?8|windows-1252|cp-?1252|x-cp1252|ansi|iso-?8859-1|latin-?1|l1|us-ascii|ascii|)$/;

/** Characters that are looked at. */
const MARKUP_START = 1_000;

const BOM = /^efbbbf/;

/** The character of each byte of Windows-1252. */
const CODES = Uint16Array.from({ length: 256 }, (_, byte) => WINDOWS_1252.charCodeAt(byte - 0x80) || byte);

/** The letters of Spanish with accents as two bytes in UTF-8, read as Windows-1252: `Ã¡`, `Ã±`, … */
const UTF8_AS_LATIN1 = /\xc3[\xa1\xa9\xad\xb3\xba\xb1\xbc\x81\x89\x8d\x93\x9a\x91]/;

/**
 * Refuses a file that is said to be in a charset that is not read. Of those that are, the bytes decide, because what came
 * with them is often wrong.
 * @throws AppError `csv_invalido`
 */
export function checkCharset(contentType: string | undefined): void {
  const [, charset = ''] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType ?? '') ?? [];
  if (!CHARSETS.test(charset.toLowerCase())) throw unreadable(`Se envió como «${charset.slice(0, 40)}»`);
}

/**
 * The text of a CSV file, with `\n` between its lines: UTF-8, with or without a byte order mark, or Windows-1252.
 * @throws AppError `csv_invalido` for another kind of file.
 */
export function decodeCsv(bytes: Buffer): string {
  const start = bytes.toString('hex', 0, 4);
  const other = OTHER_FILES.find(([form]) => form.test(start));
  if (other) throw new AppError('csv_invalido', { detail: `El archivo no es CSV. ${other[1]}` });
  if (bytes.includes(0)) throw notCsv('No es un texto');
  const text = decode(withNewlines(bytes), BOM.test(start));
  if (MARKUP.test(text.slice(0, MARKUP_START))) throw notCsv('Es una página web o un XML');
  return text;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** With `\n` between lines. A loop over bytes: replacing millions of line ends in a text takes seconds. */
function withNewlines(bytes: Buffer): Buffer {
  if (!bytes.includes(RETURN)) return bytes;
  const written = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte !== RETURN) written[length++] = byte;
    else if (bytes[i + 1] !== NEWLINE) written[length++] = NEWLINE;
  }
  return written.subarray(0, length);
}

function decode(bytes: Buffer, hasBom: boolean): string {
  if (isUtf8(bytes)) return bytes.toString('utf8', hasBom ? 3 : 0);
  const latin1 = bytes.toString('latin1');
  if (hasBom || UTF8_AS_LATIN1.test(latin1))
    throw new AppError('csv_invalido', {
      detail: 'Una parte del archivo está en UTF-8 y otra no. Guárdelo otra vez como CSV UTF-8.',
    });
  const encoding = guessEncoding(bytes);
  if (encoding !== 'Windows-1252') throw unreadable(`Parece estar en ${encoding}`);
  const codes = new Uint16Array(bytes.length);
  // A loop: `Uint16Array.from` takes a third of a second for a megabyte.
  for (let i = 0; i < bytes.length; i++) codes[i] = CODES[bytes[i]!]!;
  return Buffer.from(codes.buffer).toString('utf16le');
}

function notCsv(what: string): AppError {
  return new AppError('csv_invalido', {
    detail: `El archivo no es CSV. ${what}: ábralo con la hoja de cálculo y use Guardar como → CSV UTF-8.`,
  });
}

function unreadable(what: string): AppError {
  return new AppError('csv_invalido', {
    detail: `${what}, y el archivo debe estar en UTF-8 o Windows-1252. Guárdelo otra vez como CSV UTF-8.`,
  });
}
