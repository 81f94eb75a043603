// A temporary PostgreSQL: the service's embedded one, with its settings.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres/embedded-postgres.js';
import { findNative } from '../../dist/src/platform/database/embedded-postgres/postgres-binaries.js';
import { findServer } from '../../dist/src/platform/database/embedded-postgres/postmaster-pid.js';
import { query } from './stores.mjs';
import { atTheEnd } from './teardown.mjs';

/** Starts it in a temporary folder, which the teardown removes. @param settings like `shared_buffers=1GB`. */
export async function startCluster(settings = []) {
  const dataDir = mkdtempSync(join(tmpdir(), 'guias-bench-'));
  atTheEnd(() => rmSync(dataDir, { recursive: true, force: true }));
  const native = settings.length > 0 ? nativeWith(settings, dataDir) : undefined;
  const postgres = await startEmbeddedPostgres({ dataDir, native });
  atTheEnd(() => postgres.stop());
  return {
    dataDir,
    /** URL of the database that the service uses when it starts in this folder. */
    url: postgres.ownerUrl,
    pid: findServer(join(dataDir, 'postgres')).pid,
    stop: () => postgres.stop(),
    /** Creates a database if it does not exist; returns its URL. */
    async database(name) {
      const [found] = await query(postgres.ownerUrl, `select from pg_database where datname = '${name}'`);
      if (!found) await query(postgres.ownerUrl, `create database ${name}`);
      return postgres.ownerUrl.replace(/[^/]*$/, name);
    },
  };
}

/** Binaries whose server gets additional settings; for each name the last one counts. */
function nativeWith(settings, folder) {
  const [real, native] = [findNative(), join(folder, 'native')];
  mkdirSync(join(native, 'bin'), { recursive: true, mode: 0o755 });
  chmodSync(folder, 0o711);
  symlinkSync(join(real, 'bin/initdb'), join(native, 'bin/initdb'));
  const extra = settings.map((setting) => `-c '${setting}'`).join(' ');
  const server = `#!/bin/sh\nexec '${join(real, 'bin/postgres')}' "$@" ${extra}\n`;
  writeFileSync(join(native, 'bin/postgres'), server, { mode: 0o755 });
  return native;
}
