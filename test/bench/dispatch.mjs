// A dispatcher's pages on a day with thousands of guides, and what is done with a hundred of them at once:
//
//   npm run bench -- --only dispatch [--guides 3000] [--drivers 40] [--times 10]
//
// Times are in ms, one request after another; each page is read to its end.
import { parseArgs } from 'node:util';
import { startCourier } from './courier.mjs';
import { fixed, printTable } from './report.mjs';
import { withTeardown } from './teardown.mjs';

const USER = 'despacho:password-of-the-bench';
const DISPATCH = '/admin/despacho';

/** Guides in one action. */
const AT_ONCE = 100;

const { values: options } = parseArgs({
  options: {
    guides: { type: 'string', default: '3000' },
    drivers: { type: 'string', default: '40' },
    times: { type: 'string', default: '10' },
  },
});

await withTeardown(async () => {
  const [guides, drivers] = [Number(options.guides), Number(options.drivers)];
  const { url, guias, driver } = await startCourier(guides, {
    BOARD_USERS: `${USER}:despacho`,
    TILE_URL: 'none',
  });
  const share = Math.floor(guides / 2 / drivers);
  const ids = [];
  for (let n = 0; n < drivers; n++)
    ids.push((await driver(`Piloto ${n}`, guias.slice(n * share, (n + 1) * share))).id);
  const free = guias.slice(drivers * share);
  const headers = { authorization: `Basic ${Buffer.from(USER).toString('base64')}` };

  async function ask(path, fields) {
    const began = performance.now();
    const response = await fetch(url + path, {
      headers,
      ...(fields && { method: 'POST', body: new URLSearchParams(fields) }),
    });
    const body = Buffer.from(await response.arrayBuffer());
    // The service gives up after 5 s.
    if (!response.ok && response.status !== 503) throw new Error(`${path}: ${response.status}`);
    return { ms: performance.now() - began, body, isRefused: !response.ok };
  }
  const claveIn = async (path) => /name="clave" value="([^"]+)"/.exec((await ask(path)).body)[1];
  const chosen = (n) =>
    Array.from({ length: AT_ONCE }, (_, i) => ['guias', free[(n * AT_ONCE + i) % free.length]]);

  const WHAT = {
    'page 1': () => ask(DISPATCH),
    'last page': () => ask(`${DISPATCH}?pagina=${Math.ceil(guides / 100)}`),
    'of a town': () => ask(`${DISPATCH}?municipio=Mixco`),
    'of nobody': () => ask(`${DISPATCH}?piloto=ninguno`),
    'of a driver': () => ask(`${DISPATCH}?piloto=${ids[0]}`),
    drivers: () => ask(`${DISPATCH}/pilotos`),
    "day's close": () => ask(`${DISPATCH}/cierre`),
    'choose 100': (n) => ask(`${DISPATCH}/elegir`, [...chosen(n), ['escaneo', free[n]]]),
    'assign 100': async (n) =>
      ask(`${DISPATCH}/asignar`, [
        ...chosen(n),
        ['clave', await claveIn(DISPATCH)],
        ['piloto', ids[n % drivers]],
      ]),
    'print 100': async (n) =>
      ask(`${DISPATCH}/etiquetas`, [...chosen(n), ['clave', await claveIn(DISPATCH)]]),
    'assign all': async (n) =>
      ask(`${DISPATCH}/asignar`, [
        ['todas', 'si'],
        ['confirmado', 'si'],
        ['clave', await claveIn(DISPATCH)],
        ['piloto', ids[n % drivers]],
      ]),
  };
  const rows = [];
  for (const [what, run] of Object.entries(WHAT)) {
    const all = [];
    for (let n = 0; n < Number(options.times); n++) all.push(await run(n));
    const times = all.map(({ ms }) => ms).sort((a, b) => a - b);
    const kilobytes = all.at(-1).body.length / 1_000;
    const refused = all.filter(({ isRefused }) => isRefused).length;
    rows.push([
      what,
      ...[times[times.length >> 1], times.at(-1), kilobytes, refused].map((n) => fixed(n, 0)),
    ]);
  }
  printTable(['what', 'median', 'slowest', 'kB', '503'], rows);
});
