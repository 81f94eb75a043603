// Memory of the service under a steady load:
//
//   npm run bench -- --only soak [--minutes 60] [--warm-up 10] [--rate 200]
//
// It runs as `npm start` runs it: both roles, the queues in the embedded PostgreSQL, the sandbox as messaging app. Every
// second it gets `--rate` requests: of ten, four create a guide (one of them without coordinates, whose recipient is asked
// and answers), one repeats a create, one edits a guide, two read one and two list. A line is printed for each twelfth of the time;
// the slope after the warm-up is by least squares. The least heap of such a twelfth is what a garbage
// collection leaves.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { fixed, printTable } from './report.mjs';
import { runCommand, startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    'warm-up': { type: 'string', default: '10' },
    rate: { type: 'string', default: '200' },
  },
});
const MINUTES = Number(options.minutes);
const WARM_UP = Number(options['warm-up']);
const RATE = Number(options.rate);

/** Milliseconds between two bursts of requests. */
const TICK_MS = 50;

const SAMPLE_MS = 5_000;

/** Pages per run: enough for a line. */
const PAGES = 12;

const place = { departamento: 'Guatemala', municipio: 'Mixco', recogida: { lat: 14.6, lng: -90.5 } };

await withTeardown(async () => {
  const cluster = await startCluster();
  const server = await startService({ DATA_DIR: cluster.dataDir }, { folder: cluster.dataDir });
  const database = { DATA_DIR: cluster.dataDir };
  const { merchant_id: merchant } = await runCommand(['merchants', 'create', '--name', 'Remojo'], database);
  const { api_key: key } = await runCommand(['keys', 'create', '--merchant', merchant], database);

  const url = `http://127.0.0.1:${server.port}`;
  const guias = [];
  const refused = {};
  let sent = 0;

  async function send(method, path, body, headers = {}) {
    const response = await fetch(`${url}/api/v1/guias${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    }).catch(() => undefined);
    const answer = await response?.json();
    if (!response?.ok) refused[response?.status ?? 'none'] = (refused[response?.status ?? 'none'] ?? 0) + 1;
    return answer;
  }

  const newGuia = (n, confirmed) => ({
    external_ref: `remojo-${n}`,
    telefono: `+502${30_000_000 + (n % 30_000_000)}`,
    ...place,
    ...(confirmed && { lat: 14.61, lng: -90.51 }),
  });
  const known = () => guias[Math.floor(Math.random() * guias.length)];
  async function create(n, confirmed) {
    const { guia } = (await send('POST', '', newGuia(n, confirmed))) ?? {};
    if (guia === undefined) return;
    // A bounded choice, so that this process stays as it is.
    if (guias.length < 1_000) guias.push(guia);
    else guias[n % guias.length] = guia;
  }
  function request(n) {
    if (guias.length === 0) return create(n, true);
    switch (n % 10) {
      case 0:
        return create(n, false);
      case 1:
      case 2:
      case 3:
        return create(n, true);
      case 4:
        return send('POST', '', newGuia(n - 1, true));
      case 5:
        return send('PATCH', `/${known()}`, { notas: `nota ${n}` }, { 'if-match': '*' });
      case 6:
      case 7:
        return send('GET', `/${known()}`);
      default:
        return send('GET', '?limit=50');
    }
  }

  const began = performance.now();
  const minutes = () => (performance.now() - began) / 60_000;
  const samples = [];
  const sampling = (async () => {
    while (minutes() < MINUTES) {
      await sleep(SAMPLE_MS);
      const text = await fetch(`${url}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      const megabytes = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]) / 1e6;
      const rss = megabytes('process_resident_memory_bytes');
      // On a machine that is busy with other things a sample may be missing.
      if (!Number.isNaN(rss))
        samples.push({ at: minutes(), rss, heap: megabytes('nodejs_heap_size_used_bytes') });
    }
  })();
  const open = new Set();
  while (minutes() < MINUTES) {
    const due = Math.floor((minutes() * 60_000 * RATE) / 1_000);
    // A service that cannot follow is not asked for more.
    for (; sent < due && open.size < RATE; sent++) {
      const one = request(sent).finally(() => open.delete(one));
      open.add(one);
    }
    sent = due;
    await sleep(TICK_MS);
  }
  await Promise.all([sampling, ...open]);

  const page = MINUTES / PAGES;
  const pages = Array.from({ length: PAGES }, (_, n) => {
    const within = samples.filter(({ at }) => at >= n * page && at < (n + 1) * page);
    const rss = within.map((sample) => sample.rss).sort((a, b) => a - b);
    return {
      at: (n + 0.5) * page,
      rss: rss[Math.floor(rss.length / 2)],
      heap: Math.min(...within.map((sample) => sample.heap)),
    };
  });
  printTable(
    ['minute', 'RSS, MB', 'least heap, MB'],
    pages.map(({ at, rss, heap }) => [fixed(at, 0), fixed(rss, 1), fixed(heap, 1)]),
  );
  const warm = pages.filter(({ at }) => at > WARM_UP);
  for (const name of ['rss', 'heap'])
    console.log(`${name}: ${fixed(60 * slope(warm, name), 2)} MB/h after ${WARM_UP} minutes`);
  console.log(`${sent} requests, refused: ${JSON.stringify(refused)}`);
});

/** By least squares, in units of `name` per minute. */
function slope(points, name) {
  const mean = (value) => points.reduce((sum, point) => sum + value(point), 0) / points.length;
  const [atMean, mid] = [mean(({ at }) => at), mean((point) => point[name])];
  return mean((point) => (point.at - atMean) * (point[name] - mid)) / mean(({ at }) => (at - atMean) ** 2);
}
