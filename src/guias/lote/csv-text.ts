import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../platform/errors/app-error.js';
import { WINDOWS_1252 } from '../../platform/validation/windows-1252.js';
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

/** The letters of Spanish with accents as the second byte after `LEAD`, in UTF-8: read as Windows-1252, `Ã¡`, `Ã±`, … */
const AFTER_LEAD = new Set(Buffer.from('a1a9adb3bab1bc81898d939a91', 'hex'));
const LEAD = 0xc3;

/** Bytes that are read before other requests run: a few milliseconds. */
const PART = 32 * 1024;

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
 * The text of a CSV file, with `\n` between its lines: UTF-8, with or without a byte order mark, or Windows-1252. In turns.
 * @throws AppError `csv_invalido` for another kind of file.
 */
export async function decodeCsv(bytes: Buffer): Promise<string> {
  const start = bytes.toString('hex', 0, 4);
  const other = OTHER_FILES.find(([form]) => form.test(start));
  if (other) throw new AppError('csv_invalido', { detail: `El archivo no es CSV. ${other[1]}` });
  if (bytes.includes(0)) throw notCsv('No es un texto');
  const text = await decode(await withNewlines(bytes), BOM.test(start));
  if (MARKUP.test(text.slice(0, MARKUP_START))) throw notCsv('Es una página web o un XML');
  return text;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** With `\n` between lines. A loop over bytes: replacing millions of line ends in a text takes seconds. */
async function withNewlines(bytes: Buffer): Promise<Buffer> {
  if (!bytes.includes(RETURN)) return bytes;
  const written = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  for (let start = 0; start < bytes.length; start += PART) {
    length = copyLines(bytes, start, written, length);
    await nextTurn();
  }
  return written.subarray(0, length);
}

/** Copies a part. @returns the length of what is written */
function copyLines(bytes: Buffer, start: number, written: Buffer, from: number): number {
  let length = from;
  const end = Math.min(start + PART, bytes.length);
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte !== RETURN) written[length++] = byte;
    else if (bytes[i + 1] !== NEWLINE) written[length++] = NEWLINE;
  }
  return length;
}

async function decode(bytes: Buffer, hasBom: boolean): Promise<string> {
  if (isUtf8(bytes)) {
    const decoder = new StringDecoder('utf8');
    return inParts(hasBom ? bytes.subarray(3) : bytes, (part) => decoder.write(part));
  }
  const text = await inParts(bytes, (part, next) => {
    if (hasBom || hasUtf8(part, next))
      throw new AppError('csv_invalido', {
        detail: 'Una parte del archivo está en UTF-8 y otra no. Guárdelo otra vez como CSV UTF-8.',
      });
    return fromWindows1252(part);
  });
  const encoding = await guessEncoding(bytes);
  if (encoding !== 'Windows-1252') throw unreadable(`Parece estar en ${encoding}`);
  return text;
}

/** The text of all parts. @param read takes the byte after the part, too. */
async function inParts(
  bytes: Buffer,
  read: (part: Buffer, next: number | undefined) => string,
): Promise<string> {
  const texts: string[] = [];
  for (let start = 0; start < bytes.length; start += PART) {
    texts.push(read(bytes.subarray(start, start + PART), bytes[start + PART]));
    await nextTurn();
  }
  return texts.join('');
}

function hasUtf8(part: Buffer, next: number | undefined): boolean {
  for (let i = 0; i < part.length; i++) {
    if (part[i] === LEAD && AFTER_LEAD.has(part[i + 1] ?? next ?? 0)) return true;
  }
  return false;
}

/** A loop: `Uint16Array.from` takes a third of a second for a megabyte. */
function fromWindows1252(bytes: Buffer): string {
  const codes = new Uint16Array(bytes.length);
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
