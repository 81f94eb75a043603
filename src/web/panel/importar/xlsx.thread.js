import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync } from 'fflate';
import {
  cellLinks,
  dateStyles,
  sharedStrings,
  sheetRows,
  sheetsOf,
  targetOf,
  TooLarge,
} from './xlsx-parts.js';

// Reads the first visible sheet of an Excel file as texts. A thread of its own, so that a large file holds up nobody and can be
// ended. What is too large is refused here, while it is read: beyond a thread's memory nothing holds it back.

const { bytes, maxUnpacked, limits, notCalculated } = workerData;

const WORKBOOK = 'xl/workbook.xml';
const LINKS = 'xl/_rels/workbook.xml.rels';
const SHEET_FILE = /^xl\/worksheets\/[\w-]+\.xml$/i;

/** The files of a workbook that are read: no macros, no pictures, nothing that leads elsewhere. */
const PARTS =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[\w-]+\.xml|xl\/worksheets\/_rels\/[\w-]+\.xml\.rels)$/i;

try {
  checkSize();
  const workbook = textOfFile(WORKBOOK);
  if (workbook === undefined) throw new Error('no workbook');
  const { sheets, is1904 } = sheetsOf(workbook);
  const links = textOfFile(LINKS) ?? '';
  for (const { name, id, isHidden } of sheets) {
    if (isHidden) continue;
    const file = targetOf(links, id);
    // A sheet that is a chart has no cells.
    if (file === undefined || !SHEET_FILE.test(file)) continue;
    const dates = dateStyles(textOfFile('xl/styles.xml') ?? '');
    const strings = sharedStrings(textOfFile('xl/sharedStrings.xml') ?? '', limits.cell);
    const xml = textOfFile(file);
    if (xml === undefined) continue;
    const from = file.lastIndexOf('/') + 1;
    const own = textOfFile(`${file.slice(0, from)}_rels/${file.slice(from)}.rels`) ?? '';
    const cells = cellLinks(xml, own, limits.rows);
    const { rows, hidden } = sheetRows(xml, { strings, dates, is1904, limits, notCalculated, links: cells });
    const lines = new TextEncoder().encode(rows.map((row) => JSON.stringify(row)).join('\n'));
    const linked = [...cells].slice(0, 2 * limits.rows);
    parentPort.postMessage({ lines, sheet: name, sheets: sheets.length, hidden, linked }, [lines.buffer]);
    break;
  }
} catch (error) {
  if (!(error instanceof TooLarge)) throw error;
  parentPort.postMessage({ tooLarge: error.what, at: error.at });
}

/** Before anything is unpacked. As much as an entry says is reserved for it, and not more is written; a stored one is copied. */
function checkSize() {
  let unpacked = 0;
  unzipSync(bytes, {
    filter: ({ name, size, originalSize }) => {
      if (PARTS.test(name)) unpacked += Math.max(size, originalSize);
      return false;
    },
  });
  if (unpacked > maxUnpacked) throw new TooLarge('libro');
}

/**
 * A file of the zip; one character for each byte: whatever a text says is kept, and takes half the memory. Only those that are
 * read are unpacked, each when its turn comes.
 * @param {string} wanted
 */
function textOfFile(wanted) {
  let found = false;
  const files = unzipSync(bytes, {
    filter: ({ name }) => {
      if (found || name.toLowerCase() !== wanted.toLowerCase()) return false;
      found = true;
      return true;
    },
  });
  const [file] = Object.values(files);
  return file && Buffer.from(file.buffer, file.byteOffset, file.byteLength).toString('latin1');
}
