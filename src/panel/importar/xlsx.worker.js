import { parentPort, workerData } from 'node:worker_threads';
import { unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';

// Reads the first sheet of an Excel file as texts. A thread of its own, so that a large file holds up nobody and can be ended.

const { bytes, maxUnpacked } = workerData;

/** What is read of a file: no macros, no pictures, nothing that leads elsewhere. */
const READ =
  /^(?:\[Content_Types\]\.xml|_rels\/\.rels|xl\/(?:workbook|styles|sharedStrings)\.xml|xl\/_rels\/workbook\.xml\.rels|xl\/worksheets\/[\w-]+\.xml)$/i;

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
const table = await readSheet(zipSync(files, { level: 0 }).buffer);

/** @param {string | number | boolean | Date | null | undefined} cell */
function textOf(cell) {
  if (cell instanceof Date) return cell.toISOString().replace(/T00:00:00\.000Z$/, '');
  return String(cell ?? '');
}

parentPort.postMessage(table.map((row) => row.map(textOf)));
