// The console's search and pages, as a browser asks for them, among many guides:
//
//   npm run bench -- --only console [--rows 1000000] [--merchants 3000] [--times 40] [--url postgres://…]
//
// `--url` names a database that was filled before. Times are in ms, one request after another.
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { FREQUENT_PHONE } from './guides.mjs';
import { fillForLists } from './list-guides.mjs';
import { fixed, printTable } from './report.mjs';
import { startService } from './servers.mjs';
import { untilCount, withPg } from './stores.mjs';
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

const PAGES = {
  'what needs somebody': '/admin',
  'messages that failed': '/admin/mensajes',
  merchants: '/admin/comercios',
  'a merchant': '/admin/comercios/COMERCIO',
  'its account': '/admin/comercios/COMERCIO/cuenta',
  'a guide': '/admin/guias/GUIA',
  dispatch: '/admin/despacho',
  audit: '/admin/auditoria',
};

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    merchants: { type: 'string', default: '3000' },
    times: { type: 'string', default: '40' },
    url: { type: 'string' },
  },
});

await withTeardown(async () => {
  const cluster = options.url
    ? { url: options.url, dataDir: '/tmp' }
    : await startCluster(['shared_buffers=1GB', 'max_wal_size=8GB']);
  if (!options.url) await fillForLists(cluster.url, Number(options.rows), Number(options.merchants));
  const env = { DATABASE_URL: cluster.url, ROLE: 'api', BOARD_USERS: `${USER}:admin` };
  const server = await startService(env, { folder: cluster.dataDir });
  const left = 'select (select count(*) from guias) - (select count(*) from busqueda) as count';
  await untilCount({ database: cluster.url }, left, 0);
  const base = `http://127.0.0.1:${server.port}`;
  const headers = { authorization: `Basic ${Buffer.from(USER).toString('base64')}` };
  const searches = [];
  for (const [what, [q, comercio = '']] of Object.entries(SEARCHES)) {
    const sent = { method: 'POST', headers, body: new URLSearchParams({ q, comercio }), redirect: 'manual' };
    const { times, status, page } = await ask(`${base}/admin/buscar`, sent);
    // One that is named is opened.
    const found = status === 303 ? 1 : (page.match(/href="\/admin\/guias\/\d/g)?.length ?? 0);
    searches.push([what, String(found), ...times]);
  }
  printTable(['search for', 'found', 'median', 'p95', 'slowest'], searches);

  const [{ id, guia }] = await withPg(
    cluster.url,
    async (client) => (await client.query('select comercio_id as id, guia from guias limit 1')).rows,
  );
  const pages = [];
  for (const [what, path] of Object.entries(PAGES)) {
    const url = base + path.replace('COMERCIO', id).replace('GUIA', guia);
    const { times, page } = await ask(url, { headers });
    pages.push([what, fixed(Buffer.byteLength(page) / 1024, 0), ...times]);
  }
  printTable(['page', 'KiB', 'median', 'p95', 'slowest'], pages);
});

/** The last answer, and the median, the 95th percentile and the slowest time of all, in ms. */
async function ask(url, sent) {
  const times = [];
  let answer;
  for (let n = 0; n < Number(options.times); n++) {
    const began = performance.now();
    const response = await fetch(url, sent);
    answer = { status: response.status, page: await response.text() };
    times.push(performance.now() - began);
    if (answer.status !== 200 && answer.status !== 303) throw new Error(`${url}: ${answer.status}`);
  }
  times.sort((a, b) => a - b);
  const at = (share) => fixed(times[Math.ceil(share * times.length) - 1], 0);
  return { ...answer, times: [at(0.5), at(0.95), at(1)] };
}
