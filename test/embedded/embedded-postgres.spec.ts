import { execFileSync, spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import { connect, createServer } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { loadConfig } from '../../src/platform/config/env.js';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../src/platform/database/embedded-postgres/embedded-postgres.js';
import { findNative } from '../../src/platform/database/embedded-postgres/postgres-binaries.js';
import { openDatabase } from '../../src/platform/database/open-database.js';
import { StartupError } from '../../src/platform/errors/startup-error.js';
import { copyDataDir } from '../support/data-dir.js';
import { eventually } from '../support/eventually.js';
import { unless } from '../support/skipping.js';

const ROOT = resolve(import.meta.dirname, '../..');
const CHILD = join(ROOT, 'test/support/embedded-postgres-child.mjs');
const NOBODY = { uid: 65_534, gid: 65_534 };

/** Contains all that the tests create; open to other users, as parents of DATA_DIR usually are. */
const base = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'guias-embedded-')));
fs.chmodSync(base, 0o755);

/** The build, for child processes: what users run, without Jest. */
const compiled = join(ROOT, 'dist/src/platform/database/embedded-postgres/embedded-postgres.js');
const isRoot = process.getuid?.() === 0;
const rootTest = unless(it, isRoot ? undefined : 'not root');
const canBeNobody = isRoot && spawnSync(process.execPath, [compiled], { ...NOBODY, cwd: '/' }).status === 0;
const userTest = unless(it, !isRoot || canBeNobody ? undefined : 'no normal user may read this folder');

const servers: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop()));
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

afterAll(() => {
  const left = execFileSync('ps', ['-eo', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(base));
  fs.rmSync(base, { recursive: true, force: true });
  expect(left).toEqual([]);
});

function newFolder(): string {
  return fs.mkdtempSync(join(base, 'data-'));
}

async function start(dataDir: string, more: { onTrouble?: (message: string) => void; native?: string } = {}) {
  const server = await startEmbeddedPostgres({ dataDir, ...more });
  servers.push(server);
  return server;
}

async function fault(starting: Promise<unknown>): Promise<string> {
  const error: unknown = await starting.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(StartupError);
  const { message } = error as StartupError;
  expect(message).not.toContain('\n');
  return message;
}

interface Child {
  process: ChildProcess;
  /** What it printed: a URL, or its error. */
  answer: { ownerUrl?: string; name?: string; message?: string };
  stop(): Promise<void>;
}

async function startChild(dataDir: string, options: SpawnOptions = {}): Promise<Child> {
  const child = spawn(process.execPath, [CHILD, compiled, dataDir], {
    ...options,
    cwd: '/',
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const stop = async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { process: child, answer: JSON.parse(line.toString()), stop };
}

async function query(url: string | undefined, text: string): Promise<any[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function postmaster(dataDir: string): number {
  return Number(fs.readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
}

/** Whether a process exists; a zombie does not count. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' });
  return stdout.trim() !== '' && !stdout.includes('Z');
}

/** A process that was killed is still listed for a moment, after it has given its memory back. */
async function hasGone(pid: number): Promise<void> {
  await eventually(() => expect(isAlive(pid)).toBe(false));
}

/** Leaves a `postmaster.pid` as a killed server would, with the pid of another process. */
function leavePidFile(dataDir: string, pid: number): void {
  const lines = [pid, join(dataDir, 'postgres'), 1_700_000_000, 5432, '', '127.0.0.1', '', 'ready   '];
  fs.writeFileSync(join(dataDir, 'postgres/postmaster.pid'), `${lines.join('\n')}\n`);
}

/** The owner of a cluster. */
function account(dataDir: string) {
  const { uid, gid } = fs.statSync(join(dataDir, 'postgres'));
  return { uid, gid };
}

let used: string | undefined;

/** A folder that was used before, shared by the tests; its table `kept` contains 7. */
async function usedFolder(): Promise<string> {
  if (used) return used;
  used = copyDataDir(newFolder());
  const server = await start(used);
  await query(server.ownerUrl, 'create table kept as select 7 as number');
  await server.stop();
  return used;
}

/** A copy of it, for a test that damages it or needs two. */
async function copyOfUsedFolder(): Promise<string> {
  const dataDir = newFolder();
  execFileSync('cp', ['-a', `${await usedFolder()}/.`, dataDir]);
  return dataDir;
}

async function readKept(server: { ownerUrl?: string }): Promise<unknown> {
  return (await query(server.ownerUrl, 'select number from kept'))[0]?.number;
}

function uidOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'uid=', '-p', String(pid)], { encoding: 'utf8' }));
}

describe('starting and stopping', () => {
  it('keeps the data and the URL from one start to the next', async () => {
    const dataDir = newFolder();
    const first = await start(dataDir);
    expect(first.ownerUrl).toMatch(
      /^postgres:\/\/app:[\w-]{43}@127\.0\.0\.1:\d+\/guias\?require_auth=scram-sha-256$/,
    );
    await query(first.ownerUrl, 'create table kept as select 7 as number');
    const pid = postmaster(dataDir);
    await Promise.all([first.stop(), first.stop()]);
    await hasGone(pid);
    const second = await start(dataDir);
    expect(second.ownerUrl).toBe(first.ownerUrl);
    expect(await readKept(second)).toBe(7);
  });

  it('runs durably, on loopback only, with a password that only its user can read', async () => {
    const dataDir = await usedFolder();
    const { ownerUrl: url } = await start(dataDir);
    const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'unix_socket_directories', 'TimeZone'];
    const settings = await query(
      url,
      `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join()}`,
    );
    expect(settings).toEqual([
      {
        fsync: 'on',
        synchronous_commit: 'on',
        full_page_writes: 'on',
        unix_socket_directories: '',
        TimeZone: 'UTC',
      },
    ]);

    const { password, port } = new URL(url);
    await expect(query(url.replace(password, 'wrong'), 'select')).rejects.toMatchObject({ code: '28P01' });
    await expect(query(url.replace(`:${password}`, ''), 'select')).rejects.toThrow();
    expect(fs.statSync(join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    expect(fs.statSync(join(dataDir, 'postgres.log')).mode & 0o777).toBe(0o600);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(password);

    const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    for (const { address, scopeid } of others.filter((each) => each.address !== '127.0.0.1')) {
      const host = scopeid ? `${address}%${scopeid}` : address;
      const socket = connect({ host, port: Number(port), timeout: 1_000 });
      await expect(once(socket, 'connect')).rejects.toThrow();
    }
  });

  it('logs no data, and truncates a large log at start', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const { password } = new URL(server.ownerUrl);
    await expect(query(server.ownerUrl, `select 'a name and a telephone'::int`)).rejects.toThrow('telephone');
    await server.stop();
    const log = fs.readFileSync(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toContain('ready to accept connections');
    expect(log).not.toContain('telephone');
    expect(log).not.toContain(password);
    fs.appendFileSync(join(dataDir, 'postgres.log'), 'x'.repeat(1_100_000));
    await start(dataDir);
    expect(fs.statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
  });

  it('chooses another port if the last one is taken', async () => {
    const [one, two] = [await start(await usedFolder()), await start(await copyOfUsedFolder())];
    expect(new URL(one.ownerUrl).port).not.toBe(new URL(two.ownerUrl).port);
    expect(await readKept(two)).toBe(7);
  });

  it('kill() stops the server without waiting, and it is not restarted', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const pid = postmaster(dataDir);
    server.kill();
    await eventually(() => expect(isAlive(pid)).toBe(false));
    // Time in which a restart would begin.
    await sleep(300);
    expect(fs.existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });
});

describe('several processes', () => {
  it('that start at once on an empty folder share one server, which the last one stops', async () => {
    const dataDir = newFolder();
    const [server, child, other] = await Promise.all([
      start(dataDir),
      startChild(dataDir),
      startChild(dataDir),
    ]);
    expect(child.answer.ownerUrl).toBe(server.ownerUrl);
    expect(other.answer.ownerUrl).toBe(server.ownerUrl);
    await query(child.answer.ownerUrl, 'create table shared as select 1 as number');
    expect(await query(server.ownerUrl, 'select number from shared')).toEqual([{ number: 1 }]);
    const pid = postmaster(dataDir);
    await server.stop();
    await child.stop();
    expect(await query(other.answer.ownerUrl, 'select number from shared')).toEqual([{ number: 1 }]);
    expect(postmaster(dataDir)).toBe(pid);
    await other.stop();
    await hasGone(pid);
    expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password', 'postgres.log']);
  });

  it('that join keep the server when one calls kill() or is killed, and leave none when they stop at once', async () => {
    const dataDir = await usedFolder();
    const child = await startChild(dataDir);
    const pid = postmaster(dataDir);
    const joined = await start(dataDir);
    joined.kill();
    // Time in which the server would stop.
    await sleep(300);
    await query(child.answer.ownerUrl, 'select');
    await joined.stop();
    child.process.kill('SIGKILL');
    await once(child.process, 'exit');
    const [server, last] = await Promise.all([start(dataDir), startChild(dataDir)]);
    expect(postmaster(dataDir)).toBe(pid);
    expect(server.ownerUrl).toBe(child.answer.ownerUrl);
    expect(await readKept(server)).toBe(7);
    await Promise.all([server.stop(), last.stop()]);
    await hasGone(pid);
  });
});

describe('a server that goes away', () => {
  it('is restarted on the same port, with its data', async () => {
    const dataDir = await usedFolder();
    const troubles: string[] = [];
    const server = await start(dataDir, { onTrouble: (message) => troubles.push(message) });
    const child = await startChild(dataDir);
    for (const outages of [1, 2]) {
      const pid = postmaster(dataDir);
      process.kill(pid, 'SIGKILL');
      expect(await eventually(() => readKept(server))).toBe(7);
      expect(postmaster(dataDir)).not.toBe(pid);
      expect(troubles).toHaveLength(outages);
      // Both have joined it again before the next outage.
      const locks = `select from pg_locks where locktype = 'advisory'`;
      await eventually(async () => expect(await query(server.ownerUrl, locks)).toHaveLength(2));
    }
    const pid = postmaster(dataDir);
    await server.stop();
    expect(isAlive(pid)).toBe(true);
    await child.stop();
    await hasGone(pid);
  });

  it('is restarted as soon as possible; why that fails is reported once', async () => {
    const dataDir = await usedFolder();
    const troubles: string[] = [];
    const server = await start(dataDir, { onTrouble: (message) => troubles.push(message) });
    const pid = postmaster(dataDir);
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'away'));
    process.kill(pid, 'SIGKILL');
    // Time for several attempts.
    await sleep(500);
    await expect(query(server.ownerUrl, 'select')).rejects.toThrow();
    fs.renameSync(join(dataDir, 'away'), join(dataDir, 'postgres'));
    await eventually(() => query(server.ownerUrl, 'select'));
    expect(troubles).toEqual([
      'the embedded PostgreSQL went away; starting it again',
      expect.stringMatching(/^the embedded PostgreSQL did not start: DATA_DIR: .+ was removed while /),
    ]);
  });

  it('is not waited for where its data folder was removed: that is reported', async () => {
    const dataDir = await usedFolder();
    const troubles: string[] = [];
    await start(dataDir, { onTrouble: (message) => troubles.push(message) });
    const pid = postmaster(dataDir);
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'away'));
    await eventually(() =>
      expect(troubles).toEqual([
        `DATA_DIR: ${join(dataDir, 'postgres')} was removed while the service runs; stop it, and restore a backup`,
      ]),
    );
    expect(isAlive(pid)).toBe(true);
    fs.renameSync(join(dataDir, 'away'), join(dataDir, 'postgres'));
  });

  it('is reported when it came back on another port, which this process cannot use', async () => {
    const dataDir = await usedFolder();
    const troubles: string[] = [];
    const server = await start(dataDir, { onTrouble: (message) => troubles.push(message) });
    const pid = postmaster(dataDir);
    const { port } = new URL(server.ownerUrl);
    // Nobody restarts the server before its port is taken.
    fs.renameSync(join(dataDir, 'postgres'), join(dataDir, 'away'));
    process.kill(pid, 'SIGKILL');
    await hasGone(pid);
    const other = createServer().listen(Number(port), '127.0.0.1');
    await once(other, 'listening');
    fs.renameSync(join(dataDir, 'away'), join(dataDir, 'postgres'));
    const child = await startChild(dataDir);
    const { port: newPort } = new URL(child.answer.ownerUrl!);
    await eventually(() =>
      expect(troubles.at(-1)).toContain(
        `it restarted on port ${newPort} instead of ${port}; restart this process`,
      ),
    );
    other.close();
    await child.stop();
  });

  it.each([0, 100])('leaves no process behind when stopped %i ms after the outage began', async (pause) => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const pid = postmaster(dataDir);
    process.kill(pid, 'SIGKILL');
    await sleep(pause);
    await server.stop();
    await eventually(() => {
      const running = execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).split('\n');
      expect(running.filter((line) => line.includes(dataDir) && !line.startsWith('Z'))).toEqual([]);
    });
  });

  it('is stopped even if it does not respond', async () => {
    const dataDir = await usedFolder();
    const server = await start(dataDir);
    const pid = postmaster(dataDir);
    process.kill(pid, 'SIGSTOP');
    await server.stop();
    await hasGone(pid);
  });
});

describe('a postmaster.pid', () => {
  it('with the pid of a zombie does not prevent the start', async () => {
    const dataDir = await usedFolder();
    // After exec, `sleep` is the parent of a process that it never waits for.
    const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 30'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    children.push(parent);
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const zombie = Number(line.toString());
    await eventually(() =>
      expect(execFileSync('ps', ['-o', 'stat=', '-p', `${zombie}`], { encoding: 'utf8' })).toContain('Z'),
    );
    leavePidFile(dataDir, zombie);
    const server = await start(dataDir);
    expect(await readKept(server)).toBe(7);
  });

  it.each([
    ['this process', process.pid],
    ['a process of another user', 1],
  ])('with the pid of %s does not prevent the start', async (_, pid) => {
    const dataDir = await usedFolder();
    leavePidFile(dataDir, pid);
    const server = await start(dataDir);
    expect(await readKept(server)).toBe(7);
  });

  it('with the pid of another folder’s server does not prevent the start', async () => {
    const dataDir = await usedFolder();
    const other = await copyOfUsedFolder();
    const neighbour = await start(other);
    leavePidFile(dataDir, postmaster(other));
    const server = await start(dataDir);
    expect(await readKept(server)).toBe(7);
    expect(postmaster(dataDir)).not.toBe(postmaster(other));
    await query(neighbour.ownerUrl, 'select');
  });

  it('that stayed empty does not prevent the start', async () => {
    const dataDir = await usedFolder();
    fs.writeFileSync(join(dataDir, 'postgres/postmaster.pid'), '');
    fs.utimesSync(join(dataDir, 'postgres/postmaster.pid'), 1_700_000_000, 1_700_000_000);
    await start(dataDir);
  });

  it('of a folder that was moved while its server runs leads to that server', async () => {
    const dataDir = await usedFolder();
    const first = await start(dataDir);
    const pid = postmaster(dataDir);
    fs.renameSync(dataDir, `${dataDir}-moved`);
    const second = await start(`${dataDir}-moved`);
    expect(postmaster(`${dataDir}-moved`)).toBe(pid);
    await second.stop();
    await query(first.ownerUrl, 'select');
    fs.renameSync(`${dataDir}-moved`, dataDir);
  });
});

describe('the binaries', () => {
  function copyPackage(folder: string): string {
    const native = join(folder, 'native');
    fs.cpSync(findNative(), native, { recursive: true, verbatimSymlinks: true });
    fs.copyFileSync(join(findNative(), '../package.json'), join(folder, 'package.json'));
    return native;
  }

  it('get the links that `npm ci --ignore-scripts` leaves out, also from two starts at once', async () => {
    const native = copyPackage(fs.mkdtempSync(join(base, 'package-')));
    fs.chmodSync(dirname(native), 0o755);
    const links = fs.readdirSync(join(native, 'lib')).map((name) => join(native, 'lib', name));
    const removed = links.filter((path) => fs.lstatSync(path).isSymbolicLink());
    for (const path of removed) fs.unlinkSync(path);
    const [one, two] = [await copyOfUsedFolder(), await copyOfUsedFolder()];
    await Promise.all([start(one, { native }), start(two, { native })]);
    expect(removed.length).toBeGreaterThan(10);
    for (const path of removed) expect(fs.readlinkSync(path)).not.toContain('/');
    expect(fs.readdirSync(one).filter((name) => name.startsWith('postgres-binaries-'))).toEqual([]);
  });

  rootTest('are copied when PostgreSQL’s account may not enter their folder', async () => {
    const native = copyPackage(fs.mkdtempSync(join(base, 'package-')));
    const dataDir = await copyOfUsedFolder();
    const first = await start(dataDir, { native });
    const copy = fs.readdirSync(dataDir).find((name) => name.startsWith('postgres-binaries-'))!;
    const made = fs.statSync(join(dataDir, copy)).ctimeMs;
    await first.stop();
    await start(dataDir, { native });
    expect(fs.statSync(join(dataDir, copy)).ctimeMs).toBe(made);
  });

  it('for an unsupported platform: the error says so and what to do', () => {
    expect(() => findNative('win32', 'x64')).toThrow(StartupError);
    expect(() => findNative('win32', 'x64')).toThrow(
      /^there is no embedded PostgreSQL for win32-x64; set DATABASE_URL.+$/,
    );
    const missing = process.arch === 'arm64' ? 'x64' : 'arm64';
    expect(() => findNative(process.platform, missing)).toThrow(
      /is missing; run npm ci without --omit=optional, or set DATABASE_URL$/,
    );
  });

  it('that do not run: the error says so and what to do', async () => {
    const native = join(fs.mkdtempSync(join(base, 'package-')), 'native');
    fs.mkdirSync(join(native, 'bin'), { recursive: true });
    fs.chmodSync(dirname(native), 0o755);
    fs.writeFileSync(join(native, 'bin/postgres'), '#!/no/such/loader\n', { mode: 0o755 });
    const message = await fault(start(newFolder(), { native }));
    expect(message).toMatch(/^the embedded PostgreSQL does not run here \(ENOENT\); set DATABASE_URL/);
  });
});

describe('users and folders', () => {
  userTest('a normal user can run it', async () => {
    const folder = newFolder();
    if (isRoot) fs.chownSync(folder, NOBODY.uid, NOBODY.gid);
    const dataDir = join(folder, 'data');
    const child = await startChild(dataDir, isRoot ? NOBODY : {});
    expect(await query(child.answer.ownerUrl, 'select current_database()')).toEqual([
      { current_database: 'guias' },
    ]);
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700);
    expect(uidOf(postmaster(dataDir))).toBe(fs.statSync(dataDir).uid);
    await child.stop();
    // As root with the same data, the server still runs as their owner.
    const server = await start(dataDir);
    expect(uidOf(postmaster(dataDir))).toBe(fs.statSync(dataDir).uid);
    await server.stop();
  });

  userTest('a folder that a normal user cannot write is named in the error', async () => {
    const dataDir = newFolder();
    fs.chmodSync(dataDir, 0o555);
    const { answer } = await startChild(dataDir, isRoot ? NOBODY : {});
    expect(answer.name).toBe('StartupError');
    expect(answer.message).toMatch(
      /^DATA_DIR: .+ cannot be used \(EACCES\); make it readable and writable, or .+$/,
    );
    expect(answer.message).toContain(dataDir);
  });

  rootTest('root does not run PostgreSQL as root, and hides the secrets from it', async () => {
    const folder = newFolder();
    fs.chmodSync(folder, 0o755);
    const dataDir = join(folder, 'a/b');
    await start(dataDir);
    const { uid, gid } = fs.statSync(join(dataDir, 'postgres'));
    expect(uidOf(postmaster(dataDir))).toBe(uid);
    expect(uid).not.toBe(0);
    expect(fs.statSync(dataDir).mode & 0o777).toBe(0o711);
    expect(spawnSync('cat', [join(dataDir, 'postgres-password')], { uid, gid, cwd: '/' }).status).not.toBe(0);
    const environment = execFileSync('ps', ['eww', '-p', `${postmaster(dataDir)}`], { encoding: 'utf8' });
    expect(environment).toContain('LC_ALL=C');
    expect(environment).not.toContain('HOME=');
  });

  rootTest('in a folder that only root may enter, the cluster is elsewhere', async () => {
    const dataDir = join(newFolder(), 'data');
    const [server, child] = await Promise.all([start(dataDir), startChild(dataDir)]);
    const place = fs.readlinkSync(join(dataDir, 'postgres'));
    try {
      expect(place).toMatch(/^\/var\/lib\/guias\/\w{6}$/);
      expect(fs.statSync('/var/lib/guias')).toMatchObject({ uid: 0, mode: 0o40711 });
      expect(fs.statSync(place).mode & 0o777).toBe(0o700);
      expect(child.answer.ownerUrl).toBe(server.ownerUrl);
      await query(server.ownerUrl, 'create table kept as select 7 as number');
      await server.stop();
      await child.stop();
      const again = await start(dataDir);
      expect(await readKept(again)).toBe(7);
      await again.stop();
    } finally {
      fs.rmSync(place, { recursive: true, force: true });
    }
    const message = await fault(start(dataDir));
    expect(message).toMatch(/points to .+, which is gone; restore it, or delete .+ to start afresh$/);
    fs.rmSync(dataDir, { recursive: true });
    if (fs.readdirSync('/var/lib/guias').length === 0) fs.rmdirSync('/var/lib/guias');
  });

  rootTest('a cluster that root restored works again', async () => {
    const dataDir = await usedFolder();
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')]);
    const server = await start(dataDir);
    expect(await readKept(server)).toBe(7);
  });

  it('a folder with another version’s cluster, or none: the error says so and what to do', async () => {
    const dataDir = newFolder();
    fs.mkdirSync(join(dataDir, 'postgres'));
    fs.writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
    expect(await fault(start(dataDir))).toMatch(
      /postgres was made by PostgreSQL 17, not 18; move it away, or set DATA_DIR/,
    );
    fs.renameSync(join(dataDir, 'postgres/PG_VERSION'), join(dataDir, 'postgres/letter.txt'));
    expect(await fault(start(dataDir))).toMatch(/postgres is not a PostgreSQL cluster; move it away/);
    expect(fs.readFileSync(join(dataDir, 'postgres/letter.txt'), 'utf8')).toBe('17\n');
    expect(fs.readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password']);
  });

  it('a file in place of the folder is named in the error', async () => {
    const dataDir = join(newFolder(), 'file');
    fs.writeFileSync(dataDir, '');
    expect(await fault(start(dataDir))).toMatch(/^DATA_DIR: .+file cannot be used \(EEXIST\)/);
  });

  it('a cluster that PostgreSQL cannot start: the error has its reason, and no process is left', async () => {
    const dataDir = await copyOfUsedFolder();
    fs.rmSync(join(dataDir, 'postgres/global/pg_control'));
    const message = await fault(start(dataDir));
    expect(message).toMatch(
      /^the embedded PostgreSQL did not start: could not find the database system; see .+postgres\.log$/,
    );
  });

  it('a password that is not the cluster’s: the error says so, and no process is left', async () => {
    const dataDir = await copyOfUsedFolder();
    fs.writeFileSync(join(dataDir, 'postgres-password'), 'otra');
    expect(await fault(start(dataDir))).toMatch(
      /postgres-password is not the password of .+; put it back from the backup, or set a new one /,
    );
    expect(fs.existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  });

  it.each([
    ['missing', (file: string) => fs.rmSync(file)],
    ['empty', (file: string) => fs.truncateSync(file)],
  ])(
    'a password that is %s beside its cluster: the error says so, and makes no other',
    async (_what, lose) => {
      const dataDir = await copyOfUsedFolder();
      const file = join(dataDir, 'postgres-password');
      lose(file);
      expect(await fault(start(dataDir))).toMatch(
        /^DATA_DIR: .+postgres-password is missing or empty; put it back from the backup, or set a new one /,
      );
      expect(fs.existsSync(file) && fs.readFileSync(file, 'utf8')).toBeFalsy();
    },
  );

  it('a new password, set as docs/backup.md says, is taken, and the service gets a new one, too', async () => {
    const dataDir = copyDataDir(newFolder());
    const config = loadConfig({ DATA_DIR: dataDir, REDIS_URL: 'redis://redis' });
    const input = "alter role app password 'otra'";
    const options = { ...(isRoot && account(dataDir)), input, cwd: '/' };
    const { status } = spawnSync(
      join(findNative(), 'bin/postgres'),
      ['--single', '-D', join(dataDir, 'postgres'), 'postgres'],
      options,
    );
    expect(status).toBe(0);
    fs.writeFileSync(join(dataDir, 'postgres-password'), 'otra\n');
    const again = await openDatabase(config);
    expect(await query(again.url.split('?')[0], 'select current_user as name')).toEqual([
      { name: 'guias_servicio' },
    ]);
    await again.close();
  });
});
