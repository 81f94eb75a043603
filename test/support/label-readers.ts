import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import PDFDocument from 'pdfkit';
import { DOTS_PER_MM } from '../../src/etiquetas/sheets.js';
import { unlessMissing } from './skipping.js';

/** Debian's `zbar-tools` and `poppler-utils`. */
const TOOLS = ['zbarimg', 'pdftoppm', 'pdftotext'];

const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error);

export const describeWithReaders = unlessMissing(
  describe,
  missing.length === 0 ? undefined : `no ${missing.join(', ')} in PATH`,
);

const run = async (file: string, ...args: string[]) =>
  (await promisify(execFile)(file, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;

/** Runs with a folder that holds the files, by name. */
async function withFiles<T>(files: Record<string, Buffer>, use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'guias-labels-'));
  try {
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes);
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The codes on each image of a folder, in the order given, each as `CODE-128:931637862414`, sorted. */
async function readImages(folder: string, names: string[]): Promise<string[][]> {
  const paths = names.map((name) => join(folder, name));
  const xml = await run('zbarimg', '--quiet', '--nodbus', '--xml', ...paths);
  const found = new Map<string, string[]>();
  for (const [, path, symbols] of xml.matchAll(/<source href='([^']+)'>([^]*?)<\/source>/g)) {
    const codes = symbols!.matchAll(/<symbol type='([^']+)'[^]*?<!\[CDATA\[([^]*?)\]\]>/g);
    found.set(path!, [...codes].map(([, type, data]) => `${type}:${data}`).sort());
  }
  return paths.map((path) => found.get(path) ?? []);
}

/** The codes on each image, as `CODE-128:931637862414`, sorted. */
export function readCodes(pngs: Buffer[]): Promise<string[][]> {
  const files = Object.fromEntries(pngs.map((png, index) => [`${index}.png`, png]));
  return withFiles(files, (folder) => readImages(folder, Object.keys(files)));
}

/** The codes on each page of a PDF as a printer of 203 dpi prints it, sorted. */
export function readPages(pdf: Buffer): Promise<string[][]> {
  return withFiles({ document: pdf }, async (folder) => {
    await run('pdftoppm', '-r', '203', '-gray', join(folder, 'document'), join(folder, 'page'));
    const pages = (await readdir(folder)).filter((name) => name.startsWith('page')).sort();
    return readImages(folder, pages);
  });
}

/** A page as a printer of 203 dpi prints it, a byte a dot: 0 is black, 255 white. */
export interface Raster {
  width: number;
  height: number;
  dots: Buffer;
}

/** The pages of a PDF. */
export function rasterOf(pdf: Buffer): Promise<Raster[]> {
  return withFiles({ document: pdf }, async (folder) => {
    // Exactly 8 dots to a millimetre.
    await run('pdftoppm', '-r', '203.2', '-gray', join(folder, 'document'), join(folder, 'page'));
    const names = (await readdir(folder)).filter((name) => name.startsWith('page')).sort();
    return Promise.all(names.map(async (name) => readPgm(await readFile(join(folder, name)))));
  });
}

function readPgm(file: Buffer): Raster {
  const [head, width, height] = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(file.toString('latin1', 0, 64))!;
  return { width: Number(width), height: Number(height), dots: file.subarray(head.length) };
}

/** A PDF with a page for each image of a label. */
export function pdfOfPngs(pngs: Buffer[]): Promise<Buffer> {
  const pdf = new PDFDocument({ autoFirstPage: false });
  for (const png of pngs) {
    const size = [png.readUInt32BE(16), png.readUInt32BE(20)].map((dots) => (dots / DOTS_PER_MM / 25.4) * 72);
    pdf.addPage({ size: size as [number, number], margin: 0 }).image(png, 0, 0, { width: size[0] });
  }
  pdf.end();
  return buffer(pdf);
}

/** The text of each page of a PDF; line breaks are spaces. */
export function textsOf(pdf: Buffer): Promise<string[]> {
  return withFiles({ document: pdf }, async (folder) =>
    (await run('pdftotext', '-enc', 'UTF-8', '-raw', join(folder, 'document'), '-'))
      .split('\f')
      .slice(0, -1)
      .map((page) => page.trim().replace(/\s+/g, ' ')),
  );
}

/** A ZPL document and the size of its labels. */
export interface Zpl {
  zpl: string;
  tamano: '100x150' | '100x100';
}

/** The labels of each document as a printer of 203 dpi prints them: PNG. One process for all: its start is most of the cost. */
export async function printZpl(documents: Zpl[]): Promise<Buffer[][]> {
  const script = join(import.meta.dirname, 'zpl-to-png.mjs');
  // It runs too briefly to be worth optimizing.
  const printing = promisify(execFile)(process.execPath, ['--liftoff-only', script], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const jobs = documents.map(({ zpl, tamano }) => {
    const [width, height] = tamano.split('x').map(Number);
    return { zpl, width, height };
  });
  printing.child.stdin!.end(JSON.stringify(jobs));
  const printed = JSON.parse((await printing).stdout) as string[][];
  return printed.map((labels) => labels.map((png) => Buffer.from(png, 'base64')));
}
