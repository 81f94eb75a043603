import * as fs from 'node:fs';
import { join } from 'node:path';
import { codeOf } from './postmaster-pid.js';

/** Nothing of ours: it may hold secrets, and PG* variables would change what the server does. */
export const SERVER_ENV = { LC_ALL: 'C', TZ: 'UTC' };

/** A server that is starting is replaying its log after a crash; giving up would only make it begin again. */
export const RECOVERY_MS = 600_000;

/** In the name of what is being made, until it is moved to its place. */
export const DRAFT = '.new-';

/** What the server runs as when we are root, which PostgreSQL refuses. */
export interface Account {
  uid: number;
  gid: number;
}

/** Puts a finished draft in its place, unless another process was faster. */
export function moveInto(place: string, draft: string): void {
  try {
    fs.renameSync(draft, place);
  } catch (error) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(codeOf(error) ?? '')) throw error;
  }
}

/** Makes a tree the account's own. */
export function giveTo(account: Account, folder: string): void {
  for (const path of [folder, ...listTree(folder)]) fs.lchownSync(path, account.uid, account.gid);
  fs.chmodSync(folder, 0o700);
}

/** Everything below a folder. */
export function listTree(folder: string): string[] {
  return fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
}
