// The console's search, as a browser asks for its page, among many guides:
//
//   npm run bench -- --only console [--rows 1000000] [--times 40] [--url postgres://…]
//
// `--url` names a database that was filled before. Times are in ms, one request after another.
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { FREQUENT_PHONE } from './guides.mjs';
import { fillForLists } from './list-guides.mjs';
import { fixed, printTable } from './report.mjs';
import { startService } from './servers.mjs';
import { untilCount } from './stores.mjs';
import { withTeardown } from './teardown.mjs';

const USER = 'soporte:password-of-the-bench';

/** What is typed, and a merchant where one is named. */
const SEARCHES = {
  'a name': ['Destinataria 77777'],
  'part of a name that all have': ['estin'],
  'a surname that few have, and part of another word': ['77777 dest'],
  'a name that nobody has': ['Zoraida'],
  'a phone': ['30007919'],
  'a phone that one guide in twenty has': [FREQUENT_PHONE],
  'the end of a phone, of a merchant': ['7919', 'Comercio 1'],
  'a reference': ['pedido-77777'],
};

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '40' },
    url: { type: 'string' },
  },
});

await withTeardown(async () => {
  const cluster = options.url
    ? { url: options.url, dataDir: '/tmp' }
    : await startCluster(['shared_buffers=1GB', 'max_wal_size=8GB']);
  if (!options.url) await fillForLists(cluster.url, Number(options.rows));
  const env = { DATABASE_URL: cluster.url, ROLE: 'api', BOARD_USERS: USER };
  const server = await startService(env, { folder: cluster.dataDir });
  const left = 'select (select count(*) from guias) - (select count(*) from busqueda) as count';
  await untilCount({ database: cluster.url }, left, 0);
  const headers = { authorization: `Basic ${Buffer.from(USER).toString('base64')}` };
  const rows = [];
  for (const [what, [q, comercio = '']] of Object.entries(SEARCHES)) {
    const url = `http://127.0.0.1:${server.port}/admin/buscar`;
    const sent = { method: 'POST', headers, body: new URLSearchParams({ q, comercio }), redirect: 'manual' };
    const times = [];
    let found;
    for (let n = 0; n < Number(options.times); n++) {
      const began = performance.now();
      const response = await fetch(url, sent);
      const page = await response.text();
      times.push(performance.now() - began);
      if (response.status !== 200 && response.status !== 303) throw new Error(`${url}: ${response.status}`);
      // One that is named is opened.
      found = response.status === 303 ? 1 : (page.match(/href="\/admin\/guias\/\d/g)?.length ?? 0);
    }
    times.sort((a, b) => a - b);
    rows.push([what, String(found), fixed(times[times.length >> 1], 0), fixed(times.at(-1), 0)]);
  }
  printTable(['search for', 'found', 'median', 'slowest'], rows);
});
