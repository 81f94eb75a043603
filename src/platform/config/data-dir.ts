import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StartupError } from '../errors/startup-error.js';

/** Name of the embedded PostgreSQL's cluster in DATA_DIR. */
export const CLUSTER = 'postgres';

/**
 * Whether DATA_DIR has a cluster, for which secrets were made. Read it before a secret: a process that starts at the same
 * time writes the secrets before it makes the cluster.
 */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, CLUSTER, 'PG_VERSION'));
}

/**
 * A secret that outlives the process: read from `folder/name`, or created there on first use (mode 0600). Two processes
 * that start at once get the same value, because the file is created atomically.
 * @param make throws a StartupError where a new one is no substitute; called also for an empty file.
 * @throws StartupError when the folder cannot be read or written, or the file is empty.
 */
export function keepSecret(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  try {
    const kept = readSecret(file);
    if (kept) return kept;
    const made = make();
    if (kept === undefined) return writeSecret(folder, file, made);
    throw new StartupError(`DATA_DIR: ${file} is empty; delete it to generate a new one`);
  } catch (error) {
    throw dataDirFault(folder, error);
  }
}

export function replaceSecret(folder: string, name: string, value: string): void {
  try {
    rmSync(join(folder, name), { force: true });
    writeSecret(folder, join(folder, name), value);
  } catch (error) {
    throw dataDirFault(folder, error);
  }
}

function readSecret(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function writeSecret(folder: string, file: string, value: string): string {
  makeFolder(folder, 0o711);
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file);
    return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readSecret(file) ?? value;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Makes a folder and its missing parents. Node's `recursive` loops forever where there is no `mkdir`, as in /proc. */
export function makeFolder(folder: string, mode: number): void {
  if (isFolder(folder)) return;
  makeFolder(dirname(folder), mode);
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;

/** The StartupError for a file system error in DATA_DIR. */
export function dataDirFault(folder: string, error: unknown): StartupError {
  if (error instanceof StartupError) return error;
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown error';
  return new StartupError(
    `DATA_DIR: ${folder} cannot be used (${code}); make it readable and writable, or set DATA_DIR to another folder`,
  );
}
