import { access, open, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { clientFor } from '../connection.js';
import { makeFolder } from '../../config/data-dir.js';
import { StartupError } from '../../errors/startup-error.js';
import { codeOf } from './postmaster-pid.js';

/** Written last: PostgreSQL does not start without it, so it never starts on half a copy. */
const CONTROL_FILE = 'global/pg_control';

/** Folders whose content belongs to the running server. A part of `pg_wal` is copied at the end. */
const EMPTIED = [
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
];

/** Excluded: files of the running server, files that PostgreSQL recreates, and files of an earlier restore. */
const LEFT_OUT = /^(postmaster\.(pid|opts)|backup_label(\.old)?|pg_internal\.init.*|pgsql_tmp.*|.*\.tmp)$/;

/** A WAL segment. Segment names sort by age. */
const SEGMENT = /^[0-9A-F]{24}$/;

/** Bytes read at a time. */
const CHUNK = 262_144;

const ABOUT_SERVER = `select current_setting('data_directory') as cluster, current_setting('wal_level') as level,
  (select count(*)::int from pg_tablespace) as tablespaces`;

/** A temporary slot: until the connection ends, no WAL segment is removed. */
const KEEP_LOG = `select pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)`;

const START = `select pg_backup_start('guias', fast => true)`;

/** Read before the stop, in a statement of its own: everything committed by then is in the log. */
const NOW = 'select clock_timestamp() as now';
const STOP = 'select labelfile as label, pg_walfile_name(lsn) as last from pg_backup_stop(false)';

export interface BaseBackup {
  bytes: number;
  /** By the server's clock: everything committed before this time is in the copy. */
  completeUntil: Date;
}

/**
 * Copies a running server's cluster with PostgreSQL's low-level base backup API, while others write. A server started
 * on the copy replays its WAL and then has everything committed before the end of the copy.
 * @param url the superuser's, of a server on this machine.
 * @param copy a folder that is created here, with mode 0700; its parent exists.
 * @throws StartupError if the server cannot be copied; errors of the file system and of PostgreSQL.
 */
export async function copyCluster(url: string, copy: string, signal: AbortSignal): Promise<BaseBackup> {
  const client = clientFor(url, {
    application_name: 'guias-backup',
    connectionTimeoutMillis: 10_000,
  });
  try {
    await client.connect();
    const cluster = await startBackup(client);
    const copier = new Copier(signal);
    await copier.copyTree(cluster, copy);
    const control = await readFile(join(cluster, CONTROL_FILE));
    const { label, first, last, completeUntil } = await stopBackup(client);
    await copier.copyFiles(join(cluster, 'pg_wal'), join(copy, 'pg_wal'), (name) => {
      return SEGMENT.test(name) && name >= first && name <= last;
    });
    await Promise.all([first, last].map((name) => access(join(copy, 'pg_wal', name))));
    await writeFile(join(copy, 'backup_label'), label, { mode: 0o600, flush: true });
    await copier.syncFolders();
    await writeFile(join(copy, CONTROL_FILE), control, { mode: 0o600, flush: true });
    await syncFile(join(copy, 'global'));
    return { bytes: copier.bytes, completeUntil };
  } finally {
    await client.end();
  }
}

/** @returns the cluster's folder. */
async function startBackup(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ cluster: string; level: string; tablespaces: number }>(ABOUT_SERVER);
  const { cluster, level, tablespaces } = rows[0]!;
  if (level === 'minimal')
    throw new StartupError(
      'the embedded PostgreSQL was started by an older version; restart the service, and try again',
    );
  // Every cluster has two.
  if (tablespaces > 2)
    throw new StartupError(
      'the embedded PostgreSQL has tablespaces outside DATA_DIR; stop the service, and copy them with DATA_DIR',
    );
  await client.query(KEEP_LOG);
  await client.query(START);
  return cluster;
}

async function stopBackup(client: pg.Client) {
  const now = await client.query<{ now: Date }>(NOW);
  const { rows } = await client.query<{ label: string; last: string }>(STOP);
  const { label, last } = rows[0]!;
  const first = /^START WAL LOCATION: .*\(file ([0-9A-F]{24})\)$/m.exec(label)?.[1];
  if (first === undefined) throw new Error('pg_backup_stop returned no WAL start location');
  return { label, first, last, completeUntil: now.rows[0]!.now };
}

/** Copies files of a running server. They may grow, shrink or vanish meanwhile; replaying the log repairs the copy. */
class Copier {
  bytes = 0;
  private readonly folders: string[] = [];
  private readonly chunk = Buffer.allocUnsafe(CHUNK);

  constructor(private readonly signal: AbortSignal) {}

  async copyTree(cluster: string, copy: string, path = ''): Promise<void> {
    const from = join(cluster, path);
    const isKept = (name: string) =>
      !EMPTIED.includes(path) && !LEFT_OUT.test(name) && join(path, name) !== CONTROL_FILE;
    const folders = await this.copyFiles(from, join(copy, path), isKept);
    if (EMPTIED.includes(path)) return;
    for (const name of folders) await this.copyTree(cluster, copy, join(path, name));
  }

  /** Copies some files of a folder. @returns the names of the folders in it. */
  async copyFiles(from: string, to: string, isKept: (name: string) => boolean): Promise<string[]> {
    makeFolder(to, 0o700);
    this.folders.push(to);
    const entries = (await unlessGone(readdir(from, { withFileTypes: true }))) ?? [];
    for (const { name } of entries.filter((entry) => entry.isFile() && isKept(entry.name)))
      await unlessGone(this.copyFile(join(from, name), join(to, name)));
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  }

  /** Copies up to the current end of the file; `fs.copyFile` stops at the size that the file had at first. */
  private async copyFile(from: string, to: string): Promise<void> {
    await using source = await open(from);
    await using target = await open(to, 'wx', 0o600);
    for (;;) {
      this.signal.throwIfAborted();
      const { bytesRead } = await source.read(this.chunk);
      if (bytesRead === 0) break;
      await target.appendFile(this.chunk.subarray(0, bytesRead));
      this.bytes += bytesRead;
    }
    await target.sync();
  }

  /** Makes the names of the copied files survive a power cut. */
  async syncFolders(): Promise<void> {
    for (const folder of this.folders) await syncFile(folder);
  }
}

/** Makes a file, or the names in a folder, survive a power cut. */
export async function syncFile(path: string): Promise<void> {
  await using handle = await open(path);
  await handle.sync();
}

/** Undefined where a file does not exist any more. */
async function unlessGone<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
