// Clients that ask for a large answer and never read it:
//
//   npm run bench -- --only unread [--connections 4000] [--minutes 0] [--path /api/docs-json]
//
// The service must answer `/livez` beside them, on a connection kept open, keep its memory, and get rid of them. With
// --minutes, each connection that is closed is opened again until then. Connections above the maximum of a process are
// refused at once.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent, request } from 'node:http';
import { once } from 'node:events';
import { startCluster } from './cluster.mjs';
import { memory } from './process-usage.mjs';
import { fixed, printTable } from './report.mjs';
import { startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    connections: { type: 'string', default: '4000' },
    minutes: { type: 'string', default: '0' },
    path: { type: 'string', default: '/api/docs-json' },
  },
});

/** ms of a connection, before it is given up for a new one. */
const REOPEN_MS = 20_000;
const GIVE_UP_MS = 120_000;

/** ms for which `/livez` is asked at least: all connections should be gone within them. */
const WATCHED_MS = 60_000;

/** The connection that asks `/livez`. */
const MINE = 1;

/** Connections to a port that a process holds open; those whose data only the kernel still holds are not among them. */
function acceptedConnections(pid, port) {
  const held = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((row) => row[1]?.endsWith(local) && row[3] !== LISTEN && held.has(`socket:[${row[9]}]`)).length;
}

/** The state of a listening socket in `/proc/net/tcp`. */
const LISTEN = '0A';

/** Where a link leads; undefined if it is gone. */
function linkOf(path) {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

await withTeardown(async () => {
  const cluster = await startCluster();
  const { port, pid } = await startService({ DATABASE_URL: cluster.url }, { folder: cluster.dataDir });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async () => {
    const began = performance.now();
    const [answer] = await once(request({ port, path: '/livez', agent }).end(), 'response');
    answer.resume();
    await once(answer, 'end');
    return performance.now() - began;
  };
  await ask();
  const before = memory(pid).now;

  const until = performance.now() + Number(options.minutes) * 60_000;
  let opened = 0;
  const open = () => {
    opened++;
    const socket = connect(port, '127.0.0.1').pause();
    socket.on('error', () => undefined);
    socket.write(`GET ${options.path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    setTimeout(() => {
      if (performance.now() >= until) return;
      socket.destroy();
      open();
    }, REOPEN_MS).unref();
  };
  // A paused socket does not notice its end, so the server's side is counted.
  const isOpen = () => acceptedConnections(pid, port);
  const began = performance.now();
  for (let n = 0; n < Number(options.connections); n++) open();

  const times = [];
  let peak = 0;
  let gone;
  do {
    times.push(await ask());
    peak = Math.max(peak, memory(pid).now);
    await sleep(20);
    const since = performance.now() - Math.max(until, began);
    if (since >= 0 && (isOpen() <= MINE || since > GIVE_UP_MS)) gone ??= since;
  } while (gone === undefined || performance.now() < began + WATCHED_MS);
  times.sort((a, b) => a - b);
  printTable(
    ['figure', 'value'],
    [
      ['connections opened', String(opened)],
      ['still open', String(isOpen() - MINE)],
      ['all gone after, s', fixed(gone / 1_000, 1)],
      ['memory before, MB', fixed(before, 0)],
      ['memory at most, MB', fixed(peak, 0)],
      ['/livez p50, ms', fixed(times[Math.floor(times.length * 0.5)], 1)],
      ['/livez p95, ms', fixed(times[Math.floor(times.length * 0.95)], 1)],
      ['/livez slowest, ms', fixed(times.at(-1), 1)],
    ],
  );
});
