// XML of an Excel file, one character for each byte (Latin-1).

const LESS = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const QUOTES = [0x22, 0x27];

/**
 * Calls `open(name, attributes, isEmpty)`, `close(name)` and `text(text)`, whose names have no prefix; stops where one returns
 * false.
 */
export function scan(xml, { open, close, text }) {
  for (let at = xml.indexOf('<'), from = 0; at >= 0; at = xml.indexOf('<', from)) {
    if (at > from && text?.(xml.slice(from, at)) === false) return;
    if (xml.startsWith('<!--', at)) from = after(xml, '-->', at);
    else if (xml.startsWith('<![CDATA[', at)) {
      from = after(xml, ']]>', at);
      if (text?.(xml.slice(at + 9, from - 3).replaceAll('&', '&amp;')) === false) return;
    } else if (xml.startsWith('<?', at)) from = after(xml, '?>', at);
    else {
      const end = endOfTag(xml, at + 1);
      from = end + 1;
      const isClose = xml.charCodeAt(at + 1) === SLASH;
      const isEmpty = xml.charCodeAt(end - 1) === SLASH;
      const start = isClose ? at + 2 : at + 1;
      const nameEnd = endOfName(xml, start, isEmpty ? end - 1 : end);
      const colon = xml.slice(start, nameEnd).indexOf(':');
      const name = xml.slice(start + colon + 1, nameEnd);
      if (isClose) {
        if (close?.(name) === false) return;
      } else {
        if (open(name, xml.slice(nameEnd, end), isEmpty) === false) return;
        if (isEmpty && close?.(name) === false) return;
      }
    }
  }
}

function after(xml, mark, from) {
  const at = xml.indexOf(mark, from);
  return at < 0 ? xml.length : at + mark.length;
}

function endOfTag(xml, from) {
  let quote = 0;
  for (let at = from; at < xml.length; at++) {
    const code = xml.charCodeAt(at);
    if (quote !== 0) quote = code === quote ? 0 : quote;
    else if (code === GREATER) return at;
    else if (QUOTES.includes(code)) quote = code;
    else if (code === LESS) break;
  }
  throw new Error('broken XML');
}

function endOfName(xml, from, end) {
  let at = from;
  while (at < end && xml.charCodeAt(at) > 0x20) at++;
  return at;
}

const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Text as it is meant: UTF-8, with entities, and `_x000D_` of Excel. */
export function plain(latin1) {
  let text = /[\x80-\xff]/.test(latin1) ? Buffer.from(latin1, 'latin1').toString('utf8') : latin1;
  if (text.includes('&'))
    text = text.replace(
      /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
      (all, hex, digits, name) => {
        if (name) return NAMED[name.toLowerCase()];
        const code = hex ? Number.parseInt(hex, 16) : Number(digits);
        return code <= 0x10ffff ? String.fromCodePoint(code) : all;
      },
    );
  return text.includes('_x')
    ? text.replace(/_x([\dA-F]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;
}

/** The value of an attribute as it is written; undefined where it is not there. */
export function attribute(attributes, pattern) {
  const found = pattern.exec(attributes);
  return found ? (found[1] ?? found[2]) : undefined;
}

/** How the value of an attribute is found, whose name may have a prefix. */
export const named = (name) =>
  new RegExp(`\\s(?:[\\w.-]{1,99}:)?${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)')`);
/** The same, for a name without one. */
export const exactly = (name) => new RegExp(`\\s${name}\\s{0,9}=\\s{0,9}(?:"([^"]*)"|'([^']*)')`);
