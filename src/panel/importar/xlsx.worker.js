import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync, zipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/universal';

// Reads the first visible sheet of an Excel file as texts. A thread of its own, so that a large file holds up nobody and can be ended.

const { bytes, maxUnpacked, notCalculated } = workerData;

/** What is read of a file: no macros, no pictures, nothing that leads elsewhere. */
const READ =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[\w-]+\.xml)$/i;

const WORKBOOK = 'xl/workbook.xml';
const SHEET_FILE = /^xl\/worksheets\//i;

// No text of XML contains `<`: these expressions stop at it, and so take linear time.
const SHEET = /<(?:\w+:)?sheet\s(?:[^"'<>]|"[^"<]*"|'[^'<]*')*>/g;
const NAME = /\sname(?=\s*=)/;
const HIDDEN = /\sstate\s*=\s*["'](?:hidden|veryHidden)["']/;

/** The start of a row or a cell: its prefix, which it is, and its attributes. */
const ROW_OR_CELL = /<(\w+:)?(row|c)(\s[^<>]*|\/)?>/g;
const TYPE = /\st\s*=\s*["'](\w*)["']/;
const ROW_NUMBER = /\sr\s*=\s*["'](\d+)["']/;
const ADDRESS = /\sr\s*=\s*["']([A-Z]+)(\d+)["']/;
const FORMULA = /<(?:\w+:)?f[\s/>]/;
const VALUE = /<(?:\w+:)?v(?:\s[^<>]*)?>([^<]*)</;
const EMPTY_VALUE = /<(?:\w+:)?v(?:\s[^<>]*|)\/>/;

/** One character for each byte: whatever a text says is kept, and takes half the memory. */
const BYTES = 'latin1';

/** Characters that are written at a time: all parts of a large sheet together take more memory than a worker has. */
const CHUNK = 1024 * 1024;

let unpacked = 0;
/** As much as an entry says is reserved for it, and not more is written: what it says is true, or it is no file. */
const files = unzipSync(bytes, {
  filter: ({ name, originalSize }) => {
    if (!READ.test(name)) return false;
    unpacked += originalSize;
    if (unpacked > maxUnpacked) throw new Error('too large');
    return true;
  },
});
for (const name of Object.keys(files)) if (SHEET_FILE.test(name)) files[name] = readable(textOfFile(name));
const workbook = textOfFile(WORKBOOK);
const sheets = workbook.match(SHEET) ?? [];
const visible = sheets.filter((sheet) => !HIDDEN.test(sheet));
for (const wanted of visible) {
  // The reader passes over a sheet without a name.
  const only = workbook.replace(SHEET, (sheet) => (sheet === wanted ? sheet : sheet.replace(NAME, ' of')));
  const contents = zipSync({ ...files, [WORKBOOK]: Buffer.from(only, BYTES) }, { level: 0 });
  const [{ sheet, data }] = await readXlsxFile(contents.buffer);
  // A sheet that is a chart has none.
  if (data === undefined) continue;
  parentPort.postMessage({
    table: data.map((row) => row.map(textOf)),
    sheet,
    sheets: sheets.length,
  });
  break;
}

/**
 * The XML of a sheet with what the reader would leave out. It takes errors, and formulas that no program has calculated, for empty
 * cells: here they become texts. It needs the address of each cell, which the format lets a program leave out.
 */
function readable(xml) {
  const chunks = [];
  let written = '';
  const write = (text, most) => {
    written += text;
    if (written.length < most) return;
    chunks.push(Buffer.from(written, BYTES));
    unpacked += written.length;
    written = '';
  };
  unpacked -= xml.length;
  let done = 0;
  let row = 0;
  let column = 0;
  ROW_OR_CELL.lastIndex = 0;
  for (let tag = ROW_OR_CELL.exec(xml); tag; tag = ROW_OR_CELL.exec(xml)) {
    const [, prefix = '', name, attributes = ''] = tag;
    if (name === 'row') {
      row = Number(ROW_NUMBER.exec(attributes)?.[1] ?? row + 1);
      column = 0;
      continue;
    }
    const [, letters, number] = ADDRESS.exec(attributes) ?? [];
    column = letters === undefined ? column + 1 : columnNumber(letters);
    if (number !== undefined) row = Number(number);
    const start = ROW_OR_CELL.lastIndex;
    const close = `</${prefix}c>`;
    const end = attributes.endsWith('/') ? start : xml.indexOf(close, start);
    if (end < 0) break;
    const inside = xml.slice(start, end);
    const text = textInPlaceOf(attributes, inside);
    ROW_OR_CELL.lastIndex = attributes.endsWith('/') ? start : end + close.length;
    if (text === undefined && letters !== undefined) continue;
    const others = attributes.replace(/\/$/, '');
    const addressed = letters === undefined ? `${others} r="${columnLetters(column)}${row}"` : others;
    const cell =
      text === undefined
        ? `<${prefix}c${addressed}>${inside}${close}`
        : `<${prefix}c${addressed.replace(TYPE, '')} t="str"><${prefix}v>${text}</${prefix}v>${close}`;
    write(xml.slice(done, tag.index) + cell, CHUNK);
    // With the addresses, too.
    if (unpacked > maxUnpacked) throw new Error('too large');
    done = ROW_OR_CELL.lastIndex;
  }
  write(xml.slice(done), 0);
  return Buffer.concat(chunks);
}

function textOfFile(name) {
  const { buffer, byteOffset, byteLength } = files[name];
  return Buffer.from(buffer, byteOffset, byteLength).toString(BYTES);
}

/** The text of a cell that the reader would take for an empty one; undefined for every other. */
function textInPlaceOf(attributes, inside) {
  const type = TYPE.exec(attributes)?.[1] ?? 'n';
  const value = VALUE.exec(inside)?.[1] ?? (EMPTY_VALUE.test(inside) ? '' : undefined);
  if (type === 'e') return value || '#N/A';
  if (type === 'inlineStr' || !FORMULA.test(inside)) return undefined;
  // A formula may well make an empty text.
  const isCalculated = type === 'str' ? value !== undefined : Boolean(value);
  return isCalculated ? undefined : notCalculated;
}

/** @param {string} letters */
function columnNumber(letters) {
  let number = 0;
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64;
  return number;
}

/** @param {number} number */
function columnLetters(number) {
  const last = String.fromCharCode(65 + ((number - 1) % 26));
  return number > 26 ? columnLetters(Math.floor((number - 1) / 26)) + last : last;
}

/** @param {string | number | boolean | Date | null | undefined} cell */
function textOf(cell) {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell ?? '');
}
