import * as fs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './postmaster-pid.js';

/** Environment of the server. Not ours: that may contain secrets, and PG* variables would change its settings. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };

/** ms; a starting server may be replaying its WAL after a crash, and a restart would begin that again. */
export const RECOVERY_MS = 600_000;

/** Part of the name of a folder that is still being created, before it is moved into place. */
export const DRAFT = '.new-';

/** The account that the server runs as if we are root, as which PostgreSQL refuses to run. */
export interface Account {
  uid: number;
  gid: number;
}

/** Moves a finished draft into place, or deletes it if another process was first. */
export function moveInto(place: string, draft: string): void {
  try {
    fs.renameSync(draft, place);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

export function giveTo(account: Account, folder: string): void {
  for (const path of [folder, ...listTree(folder)]) fs.lchownSync(path, account.uid, account.gid);
  fs.chmodSync(folder, 0o700);
}

export function listTree(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
