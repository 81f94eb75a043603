import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, realpath, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import { CLUSTER } from '../platform/config/data-dir.js';
import { loadConfig, type Config } from '../platform/config/env.js';
import {
  copyCluster,
  syncFile,
  type BaseBackup,
} from '../platform/database/embedded-postgres/base-backup.js';
import { startEmbeddedPostgres } from '../platform/database/embedded-postgres/embedded-postgres.js';
import { LOG } from '../platform/database/embedded-postgres/postgres-home.js';
import { StartupError } from '../platform/errors/startup-error.js';
import { jsonCommand, SIGNALS, UsageError, type JsonOption } from './run-command.js';

/** Part of the name of a backup that is not complete. */
const INCOMPLETE = '.incomplete-';

export function addBackup(command: Command): void {
  jsonCommand(command)
    .argument('<FOLDER>', 'folder to create; a service can use it as its DATA_DIR')
    .action(async (path: string, options: JsonOption) => {
      const folder = resolve(path);
      const config = loadConfig();
      await refuse(config, folder);
      const { bytes, completeUntil } = await backUp(config.dataDir, folder);
      const withSecret = config.appSecret === undefined;
      const json = {
        folder,
        bytes,
        complete_until: completeUntil.toISOString(),
        with_app_secret: withSecret,
      };
      const text = [
        `${folder}: ${Math.ceil(bytes / 1e6)} MB, with all that was written before ${json.complete_until}`,
        withSecret ? [] : 'APP_SECRET comes from the environment and is not in it: keep that too',
      ];
      process.stdout.write(`${options.json ? JSON.stringify(json) : text.flat().join('\n')}\n`);
    });
}

/** @throws UsageError where no backup can be made. */
async function refuse({ databaseUrl, dataDir }: Config, folder: string): Promise<void> {
  if (databaseUrl !== undefined)
    throw new UsageError(
      'DATABASE_URL: only the embedded PostgreSQL is copied; use pg_dump or pg_basebackup (docs/backup.md)',
    );
  const cluster = await realpath(join(dataDir, CLUSTER)).catch(() => undefined);
  if (cluster === undefined)
    throw new UsageError(`DATA_DIR: no database is in ${dataDir}; set DATA_DIR to the service's folder`);
  if (existsSync(folder)) throw new UsageError(`${folder} already exists; name a new folder`);
  const parent = await realpath(dirname(folder)).catch(() => undefined);
  if (parent === undefined) throw new UsageError(`${dirname(folder)} does not exist; make it first`);
  if (`${parent}${sep}`.startsWith(`${cluster}${sep}`))
    throw new UsageError(`${folder} is inside the database; name a folder outside DATA_DIR`);
}

/** Copies DATA_DIR into a new folder, which gets its name once it is complete. */
async function backUp(dataDir: string, folder: string): Promise<BaseBackup> {
  const leaving = new AbortController();
  const abort = () => leaving.abort();
  for (const signal of SIGNALS) process.once(signal, abort);
  let draft: string | undefined;
  try {
    draft = await mkdtemp(folder + INCOMPLETE);
    const postgres = await startEmbeddedPostgres({ dataDir });
    let backup: BaseBackup;
    try {
      backup = await copyCluster(postgres.ownerUrl, join(draft, CLUSTER), leaving.signal);
    } finally {
      await postgres.stop();
    }
    await copySecrets(dataDir, draft);
    await rename(draft, folder);
    await syncFile(dirname(folder));
    return backup;
  } catch (error) {
    throw leaving.signal.aborted ? new UsageError('interrupted: no backup was made') : toUsageError(error);
  } finally {
    if (draft !== undefined) await rm(draft, { recursive: true, force: true });
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}

/** The files beside the database: its password, generated secrets, demo keys. */
async function copySecrets(dataDir: string, draft: string): Promise<void> {
  const entries = await readdir(dataDir, { withFileTypes: true });
  for (const { name } of entries.filter((entry) => entry.isFile() && entry.name !== LOG)) {
    await copyFile(join(dataDir, name), join(draft, name));
    await syncFile(join(draft, name));
  }
  await syncFile(draft);
}

function toUsageError(error: unknown): unknown {
  if (error instanceof StartupError || !(error instanceof Error)) return error;
  const { code, syscall } = error as NodeJS.ErrnoException;
  const isOfFiles = syscall !== undefined && code !== 'ECONNREFUSED';
  return new UsageError(
    isOfFiles
      ? `no backup was made (${code} at ${syscall}); name a FOLDER on a disk with room, where you may write`
      : `no backup was made, PostgreSQL ended it: ${error.message}; try again`,
  );
}
