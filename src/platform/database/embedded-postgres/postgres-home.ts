import { execFile, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { CLUSTER, dataDirFault, keepSecret, makeFolder } from '../../config/data-dir.js';
import { StartupError } from '../../errors/startup-error.js';
import { findNative, readyBinaries } from './postgres-binaries.js';
import { DRAFT, giveTo, moveInto, RECOVERY_MS, SERVER_ENV, type Account } from './postgres-files.js';
import { codeOf, readIfThere } from './postmaster-pid.js';

/** The server's superuser, who owns the tables. */
export const USER = 'app';
/** The role that the service connects as. */
export const SERVICE_USER = 'guias_servicio';
/** Names in DATA_DIR. */
export const PASSWORD = 'postgres-password';
export const LOG = 'postgres.log';
const VERSION = '18';
/** Where root's clusters are if the server's account may not enter DATA_DIR. */
const SHARED_BASE = '/var/lib/guias';

/** Everything a start needs. */
export interface Home {
  dataDir: string;
  cluster: string;
  native: string;
  log: string;
  password: string;
  account: Account | undefined;
}

/** Of the service's role. Derived from the superuser's password, so that no further file has to be kept. */
export function servicePassword({ password }: Home): string {
  return createHmac('sha256', password).update(SERVICE_USER).digest('base64url');
}

/**
 * Finds or creates everything a start needs in DATA_DIR.
 * @param native folder of the binaries, if not the package's.
 * @throws StartupError
 */
export async function prepareHome(dataDir: string, native?: string): Promise<Home> {
  try {
    return await prepare(dataDir, native);
  } catch (error) {
    throw codeOf(error) ? dataDirFault(dataDir, error) : error;
  }
}

async function prepare(folder: string, givenNative?: string): Promise<Home> {
  const isRoot = process.getuid?.() === 0;
  makeFolder(folder, isRoot ? 0o711 : 0o700);
  const dataDir = fs.realpathSync(folder);
  // Of another version's cluster the start says so below.
  const isNeeded = readVersion(join(dataDir, CLUSTER)) === VERSION;
  const password = keepSecret(dataDir, PASSWORD, () => {
    if (isNeeded) throw lostPassword(join(dataDir, PASSWORD), 'is missing or empty');
    return randomBytes(32).toString('base64url');
  });
  const account = isRoot ? findAccount(dataDir) : undefined;
  const cluster = findCluster(dataDir, account);
  removeDrafts(dirname(cluster));
  const native = readyBinaries(givenNative ?? findNative(), dirname(cluster), account);
  const home: Home = { dataDir, cluster, native, log: join(dataDir, LOG), password, account };
  if (readVersion(cluster) === undefined) await createCluster(home);
  const version = readVersion(cluster);
  if (version !== VERSION) {
    const fault = version
      ? `was made by PostgreSQL ${version}, not ${VERSION}`
      : 'is not a PostgreSQL cluster';
    throw new StartupError(`DATA_DIR: ${cluster} ${fault}; move it away, or set DATA_DIR to another folder`);
  }
  if (account && fs.statSync(cluster).uid === 0) giveTo(account, cluster);
  return home;
}

/** @param fault predicate of the sentence. */
export function lostPassword(file: string, fault: string): StartupError {
  return new StartupError(
    `DATA_DIR: ${file} ${fault}; put it back from the backup, or set a new one as docs/backup.md says`,
  );
}

function readVersion(cluster: string): string | undefined {
  return readIfThere(join(cluster, 'PG_VERSION'))?.trim();
}

/** The owner of the existing cluster, else a system account for PostgreSQL, else nobody. */
function findAccount(dataDir: string): Account {
  const owner = fs.statSync(join(dataDir, CLUSTER), { throwIfNoEntry: false });
  if (owner?.uid) return { uid: owner.uid, gid: owner.gid };
  const entries = (readIfThere('/etc/passwd') ?? '').split('\n').map((line) => line.split(':'));
  const named = ['postgres', '_postgres', 'nobody'].map((name) => entries.find((entry) => entry[0] === name));
  const [, , uid = 65_534, gid = 65_534] = named.find((entry) => entry) ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/**
 * Path of the cluster: DATA_DIR/postgres, or the folder in SHARED_BASE that it links to if the server's account may not
 * enter DATA_DIR. Either way, deleting DATA_DIR means a fresh start.
 */
function findCluster(dataDir: string, account: Account | undefined): string {
  const place = join(dataDir, CLUSTER);
  const found = fs.lstatSync(place, { throwIfNoEntry: false });
  if (found?.isSymbolicLink()) return followLink(place);
  if (!account || canEnter(account, dataDir)) return place;
  fs.chmodSync(dataDir, fs.statSync(dataDir).mode | 0o001);
  if (canEnter(account, dataDir)) return place;
  const fault = `DATA_DIR: PostgreSQL's account (uid ${account.uid}) may not enter ${dataDir}`;
  const fix = 'set DATA_DIR to a folder that other users may enter, or set DATABASE_URL';
  if (found) throw new StartupError(`${fault}; ${fix}`);
  try {
    makeFolder(SHARED_BASE, 0o711);
    fs.chmodSync(SHARED_BASE, 0o711);
    linkFresh(place);
  } catch (error) {
    throw new StartupError(`${fault}, and ${SHARED_BASE} cannot be used (${codeOf(error)}); ${fix}`);
  }
  return followLink(place);
}

function linkFresh(place: string): void {
  const folder = fs.mkdtempSync(`${SHARED_BASE}/`);
  try {
    fs.symlinkSync(folder, place);
  } catch (error) {
    fs.rmdirSync(folder);
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function followLink(place: string): string {
  const target = resolve(dirname(place), fs.readlinkSync(place));
  if (fs.existsSync(target)) return fs.realpathSync(target);
  throw new StartupError(
    `DATA_DIR: ${place} points to ${target}, which is gone; restore it, or delete ${place} to start afresh`,
  );
}

/** Tries to enter: modes do not show access lists and mount options. */
function canEnter(account: Account, folder: string): boolean {
  const args = ['-c', 'cd -- "$1"', 'sh', folder];
  return spawnSync('/bin/sh', args, { ...account, cwd: '/', env: SERVER_ENV }).status === 0;
}

/** Creates the cluster in a temporary folder and moves it into place, so that other processes never see half of it. */
async function createCluster({ cluster, native, password, account }: Home): Promise<void> {
  const draft = fs.mkdtempSync(cluster + DRAFT);
  const [data, secret] = [join(draft, 'data'), join(draft, 'password')];
  try {
    fs.writeFileSync(secret, password, { mode: 0o600 });
    if (account) giveTo(account, draft);
    const args = [`--pgdata=${data}`, `--username=${USER}`, '--auth=scram-sha-256', `--pwfile=${secret}`];
    args.push('--encoding=UTF8', '--locale=C');
    // One sync of the file system instead of a thousand syncs of files; only on Linux.
    if (process.platform === 'linux') args.push('--sync-method=syncfs');
    await promisify(execFile)(join(native, 'bin/initdb'), args, { ...account, cwd: draft, env: SERVER_ENV });
    moveInto(cluster, data);
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string };
    const uid = /could not look up effective user ID (\d+)/.exec(stderr)?.[1];
    if (uid !== undefined)
      throw new StartupError(
        `PostgreSQL does not run as uid ${uid}, which has no account: add it to /etc/passwd, run as a user who is there, or set DATABASE_URL`,
      );
    const reason = /(?:error|FATAL): *(.+)/.exec(stderr)?.[1] ?? message.split('\n', 1)[0];
    throw new StartupError(`DATA_DIR: a PostgreSQL cluster cannot be made in ${cluster}: ${reason}`);
  } finally {
    fs.rmSync(draft, { recursive: true, force: true });
  }
}

/** Deletes drafts that killed processes left. */
function removeDrafts(base: string): void {
  for (const name of fs.readdirSync(base).filter((entry) => entry.includes(DRAFT))) {
    const path = join(base, name);
    const made = fs.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (Date.now() - made > RECOVERY_MS) fs.rmSync(path, { recursive: true, force: true });
  }
}
