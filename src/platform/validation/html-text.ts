import { WINDOWS_1252 } from './windows-1252.js';

/** Shops hand on texts as they stand in their pages: `L&oacute;pez`, `Zapatos &#8211; 38`, `<b>2 camisas</b>`. */

/** Names of the characters U+00A0 to U+00FF, in order. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para ' +
  'middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave ' +
  'Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc ' +
  'Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc ' +
  'iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';

const NAMED = new Map([
  ...LATIN_1.split(' ').map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
  // A blank like any other: people search and compare texts.
  ['nbsp', ' '],
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„' }),
  ...Object.entries({ ndash: '–', mdash: '—', hellip: '…', bull: '•', euro: '€', trade: '™' }),
  ...Object.entries({ OElig: 'Œ', oelig: 'œ', prime: '′', Prime: '″', minus: '−', rarr: '→' }),
  ...Object.entries({ ensp: ' ', emsp: ' ', thinsp: ' ', zwnj: '', zwj: '', lrm: '', rlm: '' }),
]);

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}\d{0,2}));/gi;

/** Times that a text may be escaped. */
const MAX_ESCAPES = 3;

/** Control characters but tab and line breaks: no text may have them, so a reference to one is none. */
const CONTROL = /(?![\t\n\r])\p{Cc}/u;

/**
 * The text without character references, also where it was escaped twice. An `&` that begins none stays: a person writes
 * `AT&T` and `R&D;`.
 * @param isOneLine whether a reference to a line break or a tab is read as a blank.
 */
export function unescapedText(text: string, isOneLine: boolean): string {
  let plain = text;
  for (let times = 0; times < MAX_ESCAPES && plain.includes('&'); times++) {
    const decoded = plain.replace(REFERENCE, (...[reference, decimal, hex, name]: (string | undefined)[]) => {
      const character = name === undefined ? ofCode(decimal ?? `0x${hex}`) : named(name);
      return (isOneLine ? character?.replace(/[\t\n\r]/, ' ') : character) ?? reference!;
    });
    if (decoded === plain) break;
    plain = decoded;
  }
  return plain;
}

/** Names in capitals are of a text that was written in capitals after it was escaped: `L&OACUTE;PEZ`. */
function named(name: string): string | undefined {
  const known = NAMED.get(name);
  return known ?? (name === name.toUpperCase() ? NAMED.get(name.toLowerCase())?.toUpperCase() : undefined);
}

/** As browsers read it: 128 to 159 are of Windows-1252. Undefined for a number that is no character. */
function ofCode(digits: string): string | undefined {
  const code = Number(digits);
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return undefined;
  if (code === 0xa0) return ' ';
  const character = WINDOWS_1252[code - 0x80] ?? String.fromCodePoint(code);
  return CONTROL.test(character) ? undefined : character;
}

const LINE_BREAK = /<br\s{0,3}\/?>/gi;
const CLOSING_TAG = /<\/([a-z][a-z0-9]*)>/gi;
const TAG = /<\/?([a-z][a-z0-9]*)(?:\s[^<>]*)?>/gi;

/** The text that a page shows where it has this HTML. A tag is removed only if the text closes it: a person writes `talla <S>`. */
export function textOfHtml(text: string): string {
  const plain = unescapedText(text, false);
  return plain.includes('<') ? withoutTags(plain) : plain;
}

function withoutTags(text: string): string {
  const lines = text.replace(LINE_BREAK, '\n');
  const closed = new Set(Array.from(lines.matchAll(CLOSING_TAG), ([, name]) => name!.toLowerCase()));
  return lines.replace(TAG, (tag, name: string) => (closed.has(name.toLowerCase()) ? '' : tag));
}
