// What ten pages of staff at once cost a merchant that creates guides, among many that are still to be delivered; and how
// large those pages are as sent:
//
//   npm run bench -- --only pages [--rows 200000] [--merchants 20] [--at-once 10] [--seconds 10]
//
// Milliseconds. The generator and PostgreSQL share the machine with the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'node:http';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { fillForLists } from './list-guides.mjs';
import { printRow, quantiles } from './pipeline-stage.mjs';
import { runCommand, startService } from './servers.mjs';
import { withPg } from './stores.mjs';
import { withTeardown } from './teardown.mjs';

const USER = 'despacho:password-of-the-bench';
const EVERY_MS = 50;
const PAGES = [
  '/admin/despacho',
  '/admin/despacho?piloto=ninguno',
  '/admin/despacho?municipio=Mixco',
  '/admin/despacho?departamento=Guatemala',
  '/admin/despacho/pilotos',
  '/admin/despacho/cierre',
  '/admin',
  '/admin/auditoria',
];
const GUIDE = {
  telefono: '+50255551235',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  lat: 14.64,
  lng: -90.51,
  recogida: { lat: 14.6, lng: -90.5 },
};

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '200000' },
    merchants: { type: 'string', default: '20' },
    'at-once': { type: 'string', default: '10' },
    seconds: { type: 'string', default: '10' },
  },
});

await withTeardown(async () => {
  const cluster = await startCluster(['shared_buffers=512MB', 'max_wal_size=4GB']);
  await fillForLists(cluster.url, Number(options.rows), Number(options.merchants));
  const env = { DATABASE_URL: cluster.url };
  const { api_key: operator } = await runCommand(['keys', 'create', '--operator', 'Mensajería'], env);
  await withPg(cluster.url, async (client) => {
    await client.query(`update guias set estado = 'aceptado' where estado = 'entregado' and not de_prueba`);
    await client.query(`insert into pilotos (id, nombre, creado_en, operador_id)
      select gen_random_uuid(), 'Piloto de la ruta ' || n, now(), o.id
      from generate_series(1, 300) n, (select id from operadores limit 1) o`);
    await client
      .query(
        `insert into liquidaciones (id, comercio_id, moneda, guias, cobrado, desde, hasta, creada_en, operador_id)
      select ('019aa' || lpad(to_hex(n), 3, '0') || '-0000-7000-8000-00000000000' || n % 10)::uuid, c.id, c.moneda, 10, 1000,
        now() - interval '2 days', now() - interval '1 day', now() - interval '1 day', o.id
      from generate_series(1, 400) n, (select id, moneda from comercios where prueba_de is null limit 1) c,
        (select id from operadores limit 1) o`,
      )
      .catch((error) => console.error(String(error)));
    await client.query('vacuum analyze guias');
  });
  const { merchant_id } = await runCommand(['merchants', 'create', '--name', 'Tienda Maya'], env);
  const { api_key: key } = await runCommand(['keys', 'create', '--merchant', merchant_id], env);
  const server = await startService(
    {
      ...env,
      ROLE: 'api',
      BOARD_USERS: `${USER}:despacho`,
      TILE_URL: 'none',
      RATE_LIMIT_PER_MINUTE: '1000000',
    },
    { folder: cluster.dataDir },
  );
  const url = `http://127.0.0.1:${server.port}`;
  const headers = { authorization: `Basic ${Buffer.from(USER).toString('base64')}`, accept: 'text/html' };

  /** Bytes as sent to a browser, and the time. */
  const open = (path) =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      request(url + path, { headers: { ...headers, 'accept-encoding': 'gzip' } }, (response) => {
        let bytes = 0;
        response.on('data', (chunk) => (bytes += chunk.length));
        response.on('end', () =>
          resolve({ status: response.statusCode, bytes, ms: performance.now() - began }),
        );
      })
        .on('error', reject)
        .end();
    });

  async function creates() {
    const times = [];
    const until = performance.now() + 1_000 * Number(options.seconds);
    while (performance.now() < until) {
      const began = performance.now();
      const response = await fetch(`${url}/api/v1/guias`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(GUIDE),
      });
      await response.arrayBuffer();
      if (response.status !== 201) throw new Error(`create: ${response.status}`);
      times.push(performance.now() - began);
      await sleep(Math.max(0, EVERY_MS - (performance.now() - began)));
    }
    return times;
  }

  printRow('a page alone', 'status', 'ms', 'KB sent');
  for (const path of PAGES) {
    await open(path);
    const { status, bytes, ms } = await open(path);
    printRow(`  ${path}`, status, ms.toFixed(1), (bytes / 1_000).toFixed(1));
  }
  await creates();
  printRow('creates of a merchant', 'p50', 'p99', 'max');
  printRow('  alone', ...Object.values(quantiles(await creates())));
  for (const paths of [['/admin/despacho'], PAGES]) {
    let isOver = false;
    let [read, refused] = [0, 0];
    const readers = Array.from({ length: Number(options['at-once']) }, async (_, n) => {
      while (!isOver) {
        const { status } = await open(paths[n % paths.length]);
        if (status === 200) read++;
        else refused++;
      }
    });
    const times = await creates();
    isOver = true;
    await Promise.all(readers);
    const what = paths.length === 1 ? 'of dispatch' : 'of all kinds';
    printRow(`  beside ${readers.length} pages ${what}`, ...Object.values(quantiles(times)));
    console.error(`${read} pages read, ${refused} refused`);
  }
  const pilot = await fetch(`${url}/api/v1/operaciones/pilotos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: '{"nombre":"Edgar"}',
  }).then((response) => response.json());
  const link = await fetch(`${url}/api/v1/operaciones/pilotos/${pilot.piloto.id}/enlace`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: '{}',
  }).then((response) => response.json());
  const searches = [];
  for (let n = 0; n < 12; n++) {
    const began = performance.now();
    const response = await fetch(`${url}${new URL(link.enlace).pathname}/buscar`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ numero: String(1234 + n) }),
    });
    await response.arrayBuffer();
    if (response.status !== 200) console.error(`search: ${response.status}`);
    searches.push(performance.now() - began);
  }
  printRow("a driver's search by four digits", ...Object.values(quantiles(searches)));
  await server.stop();
});
