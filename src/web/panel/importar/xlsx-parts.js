import { attribute, exactly, named, plain, scan } from './xlsx-xml.js';

// What the parts of an Excel file say, each read from start to end once.

/** `what` is too large: `libro`, `filas`, `columnas`, `celda` or `texto`; `at` is the address of a cell. */
export class TooLarge extends Error {
  constructor(what, at) {
    super('too large');
    this.what = what;
    this.at = at;
  }
}

const NAME = exactly('name');
const STATE = exactly('state');
const LINK_ID = /\s[\w.-]+:id\s*=\s*(?:"([^"]*)"|'([^']*)')/;
const DATE_1904 = exactly('date1904');
const ID = named('Id');
const TARGET = exactly('Target');
const FORMAT_ID = exactly('numFmtId');
const FORMAT_CODE = exactly('formatCode');
const R = exactly('r');
const T = exactly('t');
const S = exactly('s');
const HIDDEN = exactly('hidden');
const REF = exactly('ref');

/** Characters of a link. */
const MAX_LINK = 4_096;

/** The sheets of a workbook in their order, and whether its dates count from 1904. */
export function sheetsOf(workbook) {
  const sheets = [];
  let is1904 = false;
  scan(workbook, {
    open: (name, attributes) => {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attribute(attributes, DATE_1904) ?? '');
      if (name !== 'sheet') return;
      sheets.push({
        name: plain(attribute(attributes, NAME) ?? ''),
        id: attribute(attributes, LINK_ID),
        isHidden: /^(?:hidden|veryHidden)$/.test(attribute(attributes, STATE) ?? ''),
      });
    },
  });
  return { sheets, is1904 };
}

/** The file that a workbook's link leads to. */
export function targetOf(links, id) {
  let target;
  scan(links, {
    open: (name, attributes) => {
      if (name !== 'Relationship' || attribute(attributes, ID) !== id) return;
      target = plain(attribute(attributes, TARGET) ?? '');
      return false;
    },
  });
  if (target === undefined) return undefined;
  return target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
}

/** Formats of dates and times that have numbers only. */
const isBuiltInDate = (id) =>
  (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);

/** Whether a format shows a number as a date: it has letters of one, beside texts, colours and currencies, and no digits. */
function isDateFormat(code) {
  const bare = code
    .replace(/"[^"]*"|\\.|_./g, '')
    .replace(/\[(?!(?:h+|m+|s+)\])[^\][]{0,99}\]/gi, '')
    .replace(/general/gi, '')
    .replace(/[.,]0+/g, '');
  return bare.split(';').some((part) => /[ymdhs]/i.test(part) && !/[0#?]/.test(part));
}

/** For each style of cells whether it shows a number as a date. */
export function dateStyles(styles) {
  const own = new Map();
  const dates = [];
  let isInCells = false;
  scan(styles, {
    open: (name, attributes) => {
      if (name === 'numFmt')
        own.set(
          attribute(attributes, FORMAT_ID),
          isDateFormat(plain(attribute(attributes, FORMAT_CODE) ?? '')),
        );
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) {
        const id = attribute(attributes, FORMAT_ID) ?? '0';
        dates.push(own.get(id) ?? isBuiltInDate(Number(id)));
      }
    },
    close: (name) => name !== 'cellXfs',
  });
  return dates;
}

/** Bytes that a character may take, as `&#x10ffff;` does; such a text is longer than a cell may be. */
const AS_WRITTEN = 12;

/** The texts that cells share. Of one that is longer than a cell may be, only that is kept: not all are of cells that are read. */
export function sharedStrings(xml, maxCell) {
  const strings = [];
  let text = '';
  let isText = false;
  let spoken = 0;
  scan(xml, {
    open: (name) => {
      if (name === 'si') text = '';
      else if (name === 'rPh') spoken++;
      else if (name === 't') isText = spoken === 0;
    },
    text: (part) => {
      if (isText && text.length <= AS_WRITTEN * maxCell) text += part.slice(0, AS_WRITTEN * maxCell);
    },
    close: (name) => {
      if (name === 't') isText = false;
      else if (name === 'rPh') spoken--;
      else if (name === 'si') strings.push(text);
    },
  });
  return strings;
}

const DAY_MS = 86_400_000;
/** Days from the first day that Excel counts to 1970, and from that of 1904. */
const TO_1970 = 25_569;
const TO_1904 = 1_462;

function dateOf(serial, is1904) {
  const date = new Date(Math.round((serial - TO_1970 + (is1904 ? TO_1904 : 0)) * DAY_MS));
  return Number.isNaN(date.getTime()) ? String(serial) : dateText(date);
}

const dateText = (date) => date.toISOString().replace(/T00:00:00\.000Z$/, '');

function shown({ type, style, value, hasFormula }, inline, { strings, dates, is1904, notCalculated }) {
  if (type === 'e') return plain(value || '#N/A');
  if (type === 'inlineStr') return plain(inline);
  // A formula may well make an empty text.
  if (hasFormula && (type === 'str' ? value === undefined : !value)) return notCalculated;
  if (!value) return '';
  if (type === 's') return plain(strings[Number(value)] ?? '');
  if (type === 'str') return plain(value);
  if (type === 'b') return value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false';
  if (type === 'd') {
    const date = new Date(value.trim());
    return Number.isNaN(date.getTime()) ? plain(value) : dateText(date);
  }
  const number = Number(value);
  if (value.trim() === '' || Number.isNaN(number)) return plain(value).trim();
  return dates[Number(style)] ? dateOf(number, is1904) : String(number);
}

/** Characters of an address. */
const MAX_ADDRESS = 20;

/**
 * The rows of a sheet that have a text, each as its number and its cells, without empty ones at its end, and how many of them are
 * hidden. Rows at the end whose formulas show errors alone are left out: they were copied further down than the orders go. The
 * links of formulas are added to `links`.
 * @throws TooLarge
 */
export function sheetRows(xml, context) {
  const { limits, links } = context;
  const hidden = new Set();
  const rows = new Map();
  const withText = new Set();
  let characters = 0;
  let row = 0;
  let column = 0;
  let cell;
  let inline = '';
  let reading = '';
  let spoken = 0;

  const put = () => {
    const text = shown(cell, inline, context);
    if (text.trim() === '') return;
    const at = `${lettersOf(column)}${row}`;
    if (column > limits.columns) throw new TooLarge('columnas', at);
    if (text.length > limits.cell) throw new TooLarge('celda', at);
    characters += text.length;
    if (characters > limits.text) throw new TooLarge('texto');
    const isError = cell.type === 'e' || text === context.notCalculated;
    if (!isError) withText.add(row);
    // Of errors alone no more are kept than of others.
    if (withText.size > limits.rows || (rows.size > 2 * limits.rows && !rows.has(row) && !isError))
      throw new TooLarge('filas');
    if (!rows.has(row) && rows.size > 2 * limits.rows) return;
    const cells = rows.get(row) ?? [];
    rows.set(row, cells);
    while (cells.length < column) cells.push('');
    cells[column - 1] = text;
  };

  scan(xml, {
    open: (name, attributes) => {
      if (name === 'row') {
        row = Number(attribute(attributes, R) ?? row + 1);
        column = 0;
        if (/^(?:1|true)$/.test(attribute(attributes, HIDDEN) ?? '')) hidden.add(row);
      } else if (name === 'c') {
        const [, letters, number] =
          /^([A-Z]{1,3})(\d{1,7})$/.exec((attribute(attributes, R) ?? '').slice(0, MAX_ADDRESS)) ?? [];
        column = letters === undefined ? column + 1 : numberOf(letters);
        if (number !== undefined) row = Number(number);
        cell = {
          type: attribute(attributes, T) ?? 'n',
          style: attribute(attributes, S),
          value: undefined,
          hasFormula: false,
        };
        inline = '';
      } else if (cell === undefined) return;
      else if (name === 'f') {
        cell.hasFormula = true;
        reading = 'f';
      } else if (name === 'v') {
        cell.value = '';
        reading = 'v';
      } else if (name === 'rPh') spoken++;
      else if (name === 't' && spoken === 0) reading = 't';
    },
    text: (text) => {
      if (reading === '' || cell === undefined) return;
      if (text.length > AS_WRITTEN * limits.cell || inline.length > AS_WRITTEN * limits.cell)
        throw new TooLarge('celda', `${lettersOf(column)}${row}`);
      if (reading === 'f') {
        // Of a formula, the link that it shows.
        const [, link] = /^\s*HYPERLINK\(\s*(?:"|&quot;)(https?:[^"]{1,4096}?)(?:"|&quot;)/i.exec(text) ?? [];
        if (link !== undefined) links.set(`${lettersOf(column)}${row}`, plain(link));
      } else if (reading === 'v') cell.value += text;
      else inline += text;
    },
    close: (name) => {
      if (name === 'sheetData') return false;
      if (name === 'rPh') spoken--;
      if (name === 'v' || name === 't' || name === 'f') reading = '';
      if (name !== 'c' || cell === undefined) return;
      put();
      cell = undefined;
    },
  });
  const last = Math.max(0, ...withText);
  const kept = [...rows].filter(([number]) => number <= last).sort(([a], [b]) => a - b);
  return { rows: kept, hidden: kept.filter(([number]) => hidden.has(number)).length };
}

/** The links of a sheet's cells, by the cell's address. @param targets the sheet's own links. */
export function cellLinks(xml, targets, max) {
  const links = new Map();
  const from = xml.lastIndexOf('<hyperlinks');
  const byId = new Map();
  scan(targets, {
    open: (name, attributes) => {
      if (name === 'Relationship')
        byId.set(attribute(attributes, ID), plain(attribute(attributes, TARGET) ?? ''));
      return byId.size <= max;
    },
  });
  scan(from < 0 ? '' : xml.slice(from), {
    open: (name, attributes) => {
      if (name !== 'hyperlink') return undefined;
      const link = byId.get(attribute(attributes, LINK_ID));
      const at = attribute(attributes, REF) ?? '';
      if (link !== undefined && link.length <= MAX_LINK && at.length <= MAX_ADDRESS) links.set(at, link);
      return links.size <= max;
    },
  });
  return links;
}

function numberOf(letters) {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

function lettersOf(number) {
  const last = String.fromCharCode(65 + ((number - 1) % 26));
  return number > 26 ? lettersOf(Math.floor((number - 1) / 26)) + last : last;
}
