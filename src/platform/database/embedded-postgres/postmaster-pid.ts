import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running PostgreSQL server, as its `postmaster.pid` describes it. */
interface RunningServer {
  pid: number;
  port: number;
  /** `starting`, `ready` or `stopping`. */
  status: string;
}

/** Signals of a stop and the share of the time to wait after each: fast shutdown, immediate shutdown, kill. */
const ESCALATION = [
  ['SIGINT', 0.6],
  ['SIGQUIT', 0.25],
  ['SIGKILL', 0.15],
] as const;

/**
 * The server that runs on this cluster, if any. PostgreSQL refuses to start while the process in `postmaster.pid`
 * exists, whatever that process is. So this removes a file with the pid of a zombie or an unrelated process. A file
 * whose process does not exist is left to PostgreSQL.
 */
export function findServer(cluster: string): RunningServer | undefined {
  const file = join(cluster, 'postmaster.pid');
  const text = readIfThere(file);
  if (text === undefined) return undefined;
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Math.abs(Number(lines[0]));
  const verdict = pid > 0 ? judge(pid, cluster) : judgeUnfinished(file);
  if (verdict === 'ours') return { pid, port: Number(lines[3]), status: lines[7] || 'starting' };
  // Read again: another process may have replaced it and started a server meanwhile. (If that still happens,
  // PostgreSQL's shared memory check prevents a second server on the cluster.)
  if (verdict === 'other' && readIfThere(file) === text) rmSync(file, { force: true });
  return undefined;
}

/** The port of the last server on this cluster: PostgreSQL keeps its command line in `postmaster.opts`. */
export function lastPort(cluster: string): number | undefined {
  const port = /"-p" "(\d+)"/.exec(readIfThere(join(cluster, 'postmaster.opts')) ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

/** Stops the server and waits until its process is gone; escalates if it does not stop. */
export async function stopServer(pid: number, cluster: string, limitMs: number): Promise<void> {
  for (const [signal, share] of ESCALATION) {
    signalServer(pid, signal);
    for (const until = Date.now() + share * limitMs; Date.now() < until; await sleep(20)) {
      if (judge(pid, cluster) !== 'ours') return;
    }
  }
}

/** Sends a signal; does nothing if the process is gone. */
export function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

/** The text of a file; undefined if it does not exist. */
export function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

export function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

type Verdict = 'ours' | 'other' | 'gone';

function judge(pid: number, cluster: string): Verdict {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM' ? 'other' : 'gone';
  }
  const command = commandOf(pid);
  if (command === undefined) return 'gone';
  const [folder = '', port] = (command.split('postgres -D ')[1] ?? '').split(/ -p (\d+) /);
  return port !== undefined && isSameFolder(folder, cluster) ? 'ours' : 'other';
}

/** PostgreSQL creates the file and fills it immediately: an empty file was left by a crash. */
function judgeUnfinished(file: string): Verdict {
  const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
  return Date.now() - written > 2_000 ? 'other' : 'gone';
}

/** The command line of a process; a zombie's contains no `postgres -D …`. */
function commandOf(pid: number): string | undefined {
  if (process.platform === 'linux') {
    return readIfThere(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
  }
  const ps = spawnSync('ps', ['-ww', '-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout : undefined;
}

function isSameFolder(folder: string, cluster: string): boolean {
  const [one, other] = [folder, cluster].map((path) => statSync(path, { throwIfNoEntry: false }));
  // A folder that was moved while its server runs has another name. It is safer to mistake a foreign server for ours
  // than to start a second one on the same files.
  return !one || !other || (one.ino === other.ino && one.dev === other.dev);
}
