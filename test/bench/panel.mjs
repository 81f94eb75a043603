// The panel's pages, as a browser asks for them, with a merchant that has many guides:
//
//   npm run bench -- --only panel [--rows 1000000] [--times 40] [--url postgres://…]
//
// `--url` names a database that was filled before. Times are in ms, one request after another; KiB those of the page alone, as read.
// Fails where the 95th percentile is above 200 ms.
import { parseArgs } from 'node:util';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { bulkLoad } from './bulk-load.mjs';
import { startCluster } from './cluster.mjs';
import { FREQUENT_PHONE, guides, MERCHANT, merchantId } from './guides.mjs';
import { fixed, printTable } from './report.mjs';
import { runCommand, startService } from './servers.mjs';
import { untilCount, withPg } from './stores.mjs';
import { withTeardown } from './teardown.mjs';

const MAX_P95 = 200;

const PAGES = {
  'the first page': '/panel',
  'all guides': '/panel/guias',
  'guides of a state': '/panel/guias?estado=aceptado',
  'those that came to it today': '/panel/guias?estado=entregado&hoy=si',
  'the tenth page of them': '/panel/guias?estado=entregado&hoy=si&pagina=10',
  'labels to print': '/panel/guias?impresa=no',
  'printed labels': '/panel/guias?impresa=si',
  'a search for a name': '/panel/guias?q=Destinataria+77777',
  'for a part of all names': '/panel/guias?q=estin',
  'for nobody': '/panel/guias?q=Zoraida',
  'for a phone of many': `/panel/guias?q=${encodeURIComponent(FREQUENT_PHONE)}`,
  'for the end of a phone': '/panel/guias?q=7919',
  'for a reference': '/panel/guias?q=pedido-77777',
  'a guide': undefined,
  cash: '/panel/cobros',
  'cash that is due': '/panel/cobros?estado=por_cobrar',
  'cash of a day': '/panel/cobros?desde=DAY&hasta=DAY',
  settlements: '/panel/liquidaciones',
  keys: '/panel/claves',
  'a new guide': '/panel/guias/nueva',
};

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    times: { type: 'string', default: '40' },
    url: { type: 'string' },
  },
});

const COPIED = `id, guia, external_ref, destinatario, telefono, direccion, departamento, municipio, referencia, contenido, notas,
  cod_amount, direccion_confirmada, destino_lat, destino_lng, recogida_lat, recogida_lng, recogida_nombre, recogida_direccion,
  creada_en, actualizada_en`;

/** All guides are of one merchant: most have ended, one in fifty has a warning, one in a hundred a failed attempt. */
async function fill(url, rows) {
  await migrate(url);
  await withPg(url, async (client) => {
    await client.query(
      `insert into comercios (id, nombre, pais) values (${merchantId(MERCHANT)}, 'Tienda', 'GT')`,
    );
    await bulkLoad(client, ['guias', 'cobros', 'eventos'], async () => {
      await client.query(`insert into guias (comercio_id, ${COPIED}, estado, estado_en, advertencias)
        select ${merchantId(MERCHANT)}, ${COPIED},
          case when n % 100 = 3 then 'intento_fallido' when n % 100 = 4 then 'en_ruta' else estado end, actualizada_en,
          case when n % 50 = 14 then '{mensaje_fallido}'::text[] else '{}' end
        from (${guides(rows)}) g`);
      await client.query(`insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, estado)
        select comercio_id, id, cod_amount, cod_amount, actualizada_en, 'cobrado' from guias
        where estado = 'entregado' and cod_amount > 0`);
      await client.query(`insert into eventos (comercio_id, guia_id, id, tipo, secuencia, actor, creado_en, datos)
        select comercio_id, id, gen_random_uuid(), 'guia.estado_cambiado', 5, 'operador', actualizada_en,
          '{"estado":"intento_fallido","motivo":"ausente"}' from guias where estado = 'intento_fallido'`);
    });
  });
}

await withTeardown(async () => {
  const cluster = options.url
    ? { url: options.url, dataDir: '/tmp' }
    : await startCluster(['shared_buffers=1GB', 'max_wal_size=8GB']);
  if (!options.url) await fill(cluster.url, Number(options.rows));
  const env = { DATABASE_URL: cluster.url };
  const server = await startService({ ...env, ROLE: 'api' }, { folder: cluster.dataDir });
  const left = 'select (select count(*) from guias) - (select count(*) from busqueda) as count';
  await untilCount({ database: cluster.url }, left, 0);
  const { id, guia } = await withPg(cluster.url, async (client) => {
    const { rows } = await client.query(`select comercio_id as id, guia from guias limit 1`);
    return rows[0];
  });
  const { api_key } = await runCommand(['keys', 'create', '--merchant', id], env);
  const base = `http://127.0.0.1:${server.port}`;
  const signedIn = await fetch(`${base}/panel`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ api_key }),
  });
  const cookie = signedIn.headers.get('set-cookie').split(';')[0];
  const day = new Date(Date.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  const rows = [];
  for (const [what, path = `/panel/guias/${guia}`] of Object.entries(PAGES)) {
    const url = base + path.replaceAll('DAY', day);
    const times = [];
    let size = 0;
    for (let n = 0; n < Number(options.times); n++) {
      const began = performance.now();
      const response = await fetch(url, { headers: { cookie } });
      const page = await response.text();
      times.push(performance.now() - began);
      size = Buffer.byteLength(page);
      if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    }
    times.sort((a, b) => a - b);
    const p95 = times[Math.ceil(0.95 * times.length) - 1];
    if (p95 > MAX_P95) process.exitCode = 1;
    rows.push([
      what,
      fixed(size / 1024, 0),
      fixed(times[times.length >> 1], 0),
      fixed(p95, 0),
      fixed(times.at(-1), 0),
    ]);
  }
  printTable(['page', 'KiB', 'median', 'p95', 'slowest'], rows);
});
