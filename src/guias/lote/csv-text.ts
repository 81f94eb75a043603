import { isUtf8 } from 'node:buffer';
import { AppError } from '../../errors/app-error.js';

/** Magic bytes of other file types, in hex, and what to do instead. */
const OTHER_FILES: [start: RegExp, advice: string][] = [
  [/^504b0304/, 'Es un libro de Excel (.xlsx). En Excel, use Guardar como → CSV UTF-8.'],
  [/^d0cf11e0/, 'Es un libro de Excel (.xls). En Excel, use Guardar como → CSV UTF-8.'],
  [/^(fffe|feff)/, 'Está en UTF-16. En Excel, use Guardar como → CSV UTF-8.'],
];

const BOM = /^efbbbf/;

/** The letters of Spanish with accents as two bytes in UTF-8, read as Windows-1252: `Ã¡`, `Ã±`, … */
const UTF8_AS_LATIN1 = /\xc3[\xa1\xa9\xad\xb3\xba\xb1\xbc\x81\x89\x8d\x93\x9a\x91]/;

/** What Windows-1252 has at 0x80 to 0x9F. Some releases of Node decode it as ISO 8859-1, which has control characters there. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/**
 * The text of a CSV file, with `\n` between its lines: UTF-8, with or without a byte order mark, or Windows-1252. The bytes
 * decide; the charset that came with them is often wrong.
 * @throws AppError `csv_invalido` for another kind of file.
 */
export function decodeCsv(bytes: Buffer): string {
  const start = bytes.toString('hex', 0, 4);
  const other = OTHER_FILES.find(([form]) => form.test(start));
  if (other) throw new AppError('csv_invalido', { detail: `El archivo no es CSV. ${other[1]}` });
  if (bytes.includes(0)) throw new AppError('csv_invalido');
  return decode(bytes, BOM.test(start)).replace(/\r\n?/g, '\n');
}

function decode(bytes: Buffer, hasBom: boolean): string {
  if (isUtf8(bytes)) return bytes.toString('utf8', hasBom ? 3 : 0);
  const latin1 = bytes.toString('latin1');
  if (hasBom || UTF8_AS_LATIN1.test(latin1))
    throw new AppError('csv_invalido', {
      detail: 'Una parte del archivo está en UTF-8 y otra no. Guárdelo otra vez como CSV UTF-8.',
    });
  return latin1.replace(/[\x80-\x9f]/g, (letter) => WINDOWS_1252[letter.charCodeAt(0) - 0x80]!);
}
