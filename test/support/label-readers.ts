import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Debian's `zbar-tools` and `poppler-utils`. */
const TOOLS = ['zbarimg', 'pdftoppm', 'pdftotext'];

const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error);

/** `describe` where the readers are; elsewhere the suite is skipped and says why (in CI it fails instead). */
export function describeWithReaders(name: string, suite: () => void): void {
  if (missing.length === 0 || process.env.CI) describe(name, suite);
  else describe['skip'](`${name} (skipped: no ${missing.join(', ')} in PATH)`, suite);
}

const run = async (file: string, ...args: string[]) =>
  (await promisify(execFile)(file, args, { maxBuffer: 64 * 1024 * 1024 })).stdout;

/** Runs with the path of a file that holds the bytes, in a folder of its own. */
async function withFile<T>(bytes: Buffer, use: (path: string, folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'guias-labels-'));
  try {
    const path = join(folder, 'document');
    await writeFile(path, bytes);
    return await use(path, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The codes on an image, as `CODE-128:931637862414`, sorted. */
export function readCodes(png: Buffer): Promise<string[]> {
  return withFile(png, async (path) =>
    (await run('zbarimg', '--quiet', '--nodbus', path)).trim().split('\n').sort(),
  );
}

/** The pages of a PDF as a printer of 203 dpi prints them: PNG. */
export function pagesOf(pdf: Buffer): Promise<Buffer[]> {
  return withFile(pdf, async (path, folder) => {
    await run('pdftoppm', '-r', '203', '-gray', '-png', path, join(folder, 'page'));
    const pages = (await readdir(folder)).filter((name) => name.startsWith('page')).sort();
    return Promise.all(pages.map((name) => readFile(join(folder, name))));
  });
}

/** The text of each page of a PDF; line breaks are spaces. */
export function textsOf(pdf: Buffer): Promise<string[]> {
  return withFile(pdf, async (path) =>
    (await run('pdftotext', '-enc', 'UTF-8', '-raw', path, '-'))
      .split('\f')
      .slice(0, -1)
      .map((page) => page.trim().replace(/\s+/g, ' ')),
  );
}

/** The labels of a ZPL document as a printer of 203 dpi prints them: PNG. */
export async function printZpl(zpl: string, size: '100x150' | '100x100'): Promise<Buffer[]> {
  const script = join(import.meta.dirname, 'zpl-to-png.mjs');
  const printing = promisify(execFile)(process.execPath, [script, ...size.split('x')], {
    maxBuffer: 64 * 1024 * 1024,
  });
  printing.child.stdin!.end(zpl);
  return (await printing).stdout.split('\n').map((png) => Buffer.from(png, 'base64'));
}
