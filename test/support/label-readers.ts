import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
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
