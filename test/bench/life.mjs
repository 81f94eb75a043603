// What one guide's whole life costs, phase by phase, beside a plain server that does the same:
//
//   npm run bench -- --only life [--guides 2000] [--side postgres|redis|bare] [--top 10] [--json]
//
// Ten merchants, each with one endpoint that takes everything at once. Guides are created, their recipients are asked
// through a bridge and confirm, couriers move them four times, and merchants read and settle them; then the queues of
// webhooks, paused until here, deliver six messages of each guide. Each line is what a guide took in that phase, without
// what the same time takes with nothing to do: CPU ms of Node (the service's processes), PostgreSQL and Redis, WAL bytes,
// full pages apart, commits, HOT and other updates, index entries (from the WAL), and at the end bytes on disk after a vacuum.
// The plain server is bare-life.mjs. Statements are those of pg_stat_statements, per guide, by time.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { QueueStore } from '../../dist/src/platform/queues/queue-store.js';
import { startCluster } from './cluster.mjs';
import { ENV, newMerchant, startService } from './pipeline-stage.mjs';
import { cpuSeconds } from './process-usage.mjs';
import { fixed, printTable } from './report.mjs';
import { runCommand } from './servers.mjs';
import { startRedis, untilCount, withPg, withRedis } from './stores.mjs';
import { atTheEnd, withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    guides: { type: 'string', default: '2000' },
    side: { type: 'string' },
    top: { type: 'string', default: '10' },
    json: { type: 'boolean', default: false },
  },
});
const GUIDES = Number(options.guides);
const MERCHANTS = 10;
const CONNECTIONS = 32;
const IDLE_MS = 5_000;
const MOVES = ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'];
const SECRET = `whsec_${Buffer.alloc(32, 'k').toString('base64')}`;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });

/** Sends a request; the answer's JSON. */
function send(url, method, path, key, body) {
  return new Promise((resolve, reject) => {
    const headers = { ...(key && { authorization: `Bearer ${key}` }), 'content-type': 'application/json' };
    const sent = request(url + path, { agent, method, headers }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      if (response.statusCode < 300) resolve(text && JSON.parse(text));
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
    });
    sent.once('error', reject);
    sent.end(body && JSON.stringify(body));
  });
}

/** Does something for each of some things, on all connections. */
async function forEach(things, run) {
  let next = 0;
  const client = async () => {
    while (next < things.length) await run(things[next], next++);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

/** Bridge and endpoints: takes everything, and keeps the link of each message. */
async function startReceiver() {
  const links = new Map();
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += chunk;
    const { guia, enlace } = JSON.parse(text);
    if (enlace) links.set(guia, enlace.split('/').at(-1));
    response.writeHead(200).end('{"id":"1"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => server.closeAllConnections() ?? server.close());
  return { url: `http://127.0.0.1:${server.address().port}`, links };
}

const guideOf = (n) => ({
  telefono: `+502${40_000_000 + n}`,
  nombre: 'Ana López',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  direccion: '4a calle 5-10, zona 1',
  contenido: 'Ropa',
  cod_amount: 450.5,
  external_ref: `pedido-${n}`,
  recogida: { lat: 14.6, lng: -90.5 },
});

/** The phases of a life; `paused` are the queues that begin to work in one. */
function phases({ url, merchants, operator, links, resume, settled }) {
  const guides = [];
  const keyOf = (n) => merchants[n % MERCHANTS].key;
  const moves = MOVES.map((estado) => [
    `move: ${estado}`,
    async () => {
      const cod = estado === 'entregado' ? { cod_cobrado: 450.5 } : {};
      await forEach(guides, ({ id }) =>
        send(url, 'POST', `/api/v1/operaciones/guias/${id}/eventos`, operator, { estado, ...cod }),
      );
      await settled('eventos');
    },
  ]);
  return [
    [
      'create',
      async () => {
        await forEach(Array(GUIDES).fill(), async (_, n) => {
          guides[n] = { n, ...(await send(url, 'POST', '/api/v1/guias', keyOf(n), guideOf(n))) };
        });
        await settled('eventos');
      },
    ],
    [
      'message',
      async () => {
        await resume('notificaciones');
        await settled('mensajes');
      },
    ],
    [
      'confirmation',
      async () => {
        await forEach(guides, ({ guia }) =>
          send(url, 'POST', `/c/${links.get(guia)}`, undefined, { lat: 14.64, lng: -90.51 }),
        );
        await settled('eventos');
      },
    ],
    ...moves,
    ['detail', () => forEach(guides, ({ id, n }) => send(url, 'GET', `/api/v1/guias/${id}`, keyOf(n)))],
    ['list page', () => forEach(guides, ({ n }) => send(url, 'GET', '/api/v1/guias?limit=50', keyOf(n)))],
    [
      'settlement',
      () =>
        forEach(merchants, ({ id }) =>
          send(url, 'POST', '/api/v1/operaciones/liquidaciones', operator, { comercio: id, ref: 'a' }),
        ),
    ],
    [
      'webhooks',
      async () => {
        await resume('webhooks', 'webhooks-lentos');
        await settled('entregas');
      },
    ],
    ['vacuum', ({ sql }) => sql('vacuum (analyze)')],
  ];
}

const USED = `select pg_current_wal_lsn() as lsn, xact_commit::int as commits,
    (select sum(n_tup_hot_upd)::int from pg_stat_user_tables) as hot,
    (select sum(n_tup_upd - n_tup_hot_upd)::int from pg_stat_user_tables) as cold
  from pg_stat_database where datname = current_database()`;

const WAL = `select coalesce(sum(record_size), 0)::int as wal, coalesce(sum(fpi_size), 0)::int as pages,
    coalesce(sum(count) filter (where "resource_manager/record_type" ~ '^(Btree/INSERT|Gin/INSERT)'), 0)::int as entries
  from pg_get_wal_stats($1, $2, true)`;

/** Runs a phase; what it took. */
async function measure(side, run) {
  const { pids, cluster, redis, sql } = side;
  const used = async () => {
    const [row] = await sql(USED);
    const info = redis ? await withRedis(redis.url, (client) => client.info()) : '';
    const ms = (name) => Number(new RegExp(`^used_cpu_${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0) * 1_000;
    const node = pids.reduce((sum, pid) => sum + cpuSeconds(pid) * 1_000, 0);
    return { node, postgres: cpuSeconds(cluster.pid) * 1_000, redis: ms('sys') + ms('user'), ...row };
  };
  const before = await used();
  const began = performance.now();
  await run(side);
  const seconds = (performance.now() - began) / 1_000;
  // `pg_get_wal_stats` fails where a phase wrote nothing.
  await sql(`select pg_logical_emit_message(true, 'bench', '')`);
  const after = await used();
  const [wal] = await sql(WAL, [before.lsn, after.lsn]);
  const took = { seconds };
  for (const name of ['node', 'postgres', 'redis', 'commits', 'hot', 'cold'])
    took[name] = after[name] - before[name];
  return { ...took, ...wal };
}

async function life(name, open) {
  const cluster = await startCluster(['shared_preload_libraries=pg_stat_statements', 'max_wal_size=8GB']);
  const database = await cluster.database('life');
  const receiver = await startReceiver();
  const side = { cluster, ...(await open({ cluster, database, receiver })) };
  await withPg(database, async (client) => {
    side.sql = async (text, values) => (await client.query(text, values)).rows;
    for (const extension of ['pg_walinspect', 'pg_stat_statements'])
      await side.sql(`create extension ${extension}`);
    await sleep(IDLE_MS);
    const idle = await measure(side, () => sleep(IDLE_MS));
    await side.sql('select pg_stat_statements_reset()');
    await side.sql('checkpoint');
    side.results = {};
    const total = {};
    for (const [phase, run] of phases({ ...side, links: receiver.links })) {
      const took = await measure(side, run);
      for (const figure of ['node', 'postgres', 'redis'])
        took[figure] -= (idle[figure] * took.seconds) / idle.seconds;
      side.results[phase] = took;
      for (const [figure, value] of Object.entries(took)) total[figure] = (total[figure] ?? 0) + value;
      console.error(`${name}: ${phase}, ${fixed(took.seconds, 1)} s`);
    }
    side.results.life = total;
    side.statements = await side.sql(
      `select calls / $1::float8 as calls, total_exec_time / $1::float8 as ms, wal_bytes::float8 / $1 as wal,
         left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as text
       from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
       order by total_exec_time desc limit $2`,
      [GUIDES, Number(options.top)],
    );
    [side.disk] = await side.sql(
      `select sum(pg_total_relation_size(oid))::float8 / $1 as bytes from pg_class
       where relkind = 'r' and relnamespace in (select oid from pg_namespace where nspname in ('public', 'bullmq'))`,
      [GUIDES],
    );
  });
  await side.stop();
  await cluster.stop();
  const { results, statements, disk } = side;
  return { name, results, statements, disk: disk.bytes };
}

/** The service as two processes, with its queues on PostgreSQL or Redis. */
function service(redis) {
  return async ({ database, receiver }) => {
    await migrate(database);
    if (redis) await withRedis(redis.url, (client) => client.flushdb());
    const env = {
      DATABASE_URL: database,
      ...(redis && { REDIS_URL: redis.url }),
      WEBHOOK_ALLOW_PRIVATE: 'true',
      MESSAGING_PROVIDER: 'webhook',
      MESSAGING_WEBHOOK_URL: receiver.url,
      MESSAGING_WEBHOOK_SECRET: SECRET,
    };
    const merchants = [];
    for (let n = 0; n < MERCHANTS; n++) merchants.push(await newMerchant(env));
    const { api_key: operator } = await runCommand(
      ['keys', 'create', '--operator', 'Mensajería', '--scopes', 'operaciones'],
      { ...ENV, ...env },
    );
    const [api, worker] = [
      await startService({ ...env, ROLE: 'api' }),
      await startService({ ...env, ROLE: 'worker' }),
    ];
    for (const { key } of merchants) {
      const { webhook } = await send(api.url, 'POST', '/api/v1/webhooks', key, { url: receiver.url });
      await send(api.url, 'POST', `/api/v1/webhooks/${webhook.id}/probar`, key);
    }
    const store = new QueueStore(redis && { url: redis.url }, database, pino({ level: 'warn' }));
    const queues = ['notificaciones', 'webhooks', 'webhooks-lentos'].map(
      (name) => new Queue(name, { connection: store.producer() }, store.backend),
    );
    for (const queue of queues) await queue.pause();
    const WAITING = {
      eventos: 'select count(*) from eventos_pendientes',
      mensajes: `select count(*) from mensajes where estado <> 'aceptado'`,
      entregas: `select count(*) from webhook_entregas where estado <> 'entregada'`,
    };
    return {
      url: api.url,
      pids: [api.pid, worker.pid],
      redis,
      merchants,
      operator,
      resume: async (...names) => {
        for (const queue of queues) if (names.includes(queue.name)) await queue.resume();
      },
      settled: (what) => untilCount({ database }, WAITING[what], 0),
      stop: async () => {
        for (const part of [api, worker]) await part.stop();
        for (const queue of queues) await queue.close();
      },
    };
  };
}

/** The plain server: bare-life.mjs. */
async function bare({ database, receiver }) {
  const child = fork(fileURLToPath(new URL('bare-life.mjs', import.meta.url)), {
    env: { PATH: process.env.PATH, DATABASE_URL: database, RECEIVER_URL: receiver.url, MERCHANTS },
  });
  atTheEnd(() => child.kill());
  const [{ url, merchants }] = await once(child, 'message');
  const tell = async (message) => {
    child.send(message);
    await once(child, 'message');
  };
  return {
    url,
    pids: [child.pid],
    merchants,
    operator: 'operador',
    resume: (...names) => tell({ resume: names }),
    settled: (what) => (what === 'eventos' ? undefined : tell({ settled: what })),
    stop: () => child.kill(),
  };
}

function print({ name, results, statements, disk }) {
  console.log(`\n${name}: ${GUIDES} guides, ${Math.round(disk)} B on disk each`);
  const each = (value, digits) => fixed(value / GUIDES, digits);
  printTable(
    [
      'per guide',
      'guides/s',
      'Node ms',
      'PG ms',
      'Redis ms',
      'WAL B',
      'pages B',
      'commits',
      'HOT',
      'not HOT',
      'entries',
    ],
    Object.entries(results).map(([phase, took]) => [
      phase,
      fixed(GUIDES / took.seconds, 0),
      ...[took.node, took.postgres, took.redis].map((ms) => each(ms, 3)),
      ...[took.wal, took.pages].map((bytes) => each(bytes, 0)),
      ...[took.commits, took.hot, took.cold].map((count) => each(count, 2)),
      each(took.entries, 1),
    ]),
  );
  printTable(
    ['statement', 'calls', 'ms', 'WAL B'],
    statements.map(({ text, calls, ms, wal }) => [text, fixed(calls, 3), fixed(ms, 4), fixed(wal, 0)]),
  );
}

await withTeardown(async () => {
  const redis = await startRedis();
  if (redis) atTheEnd(redis.stop);
  else console.error('Redis: skipped, no redis-server in PATH');
  const sides = {
    postgres: ['the service, queues in PostgreSQL', service()],
    ...(redis && { redis: ['the service, queues in Redis', service(redis)] }),
    bare: ['a plain server', bare],
  };
  const found = [];
  for (const side of options.side ? [options.side] : Object.keys(sides)) {
    found.push(await life(...sides[side]));
    if (!options.json) print(found.at(-1));
  }
  if (options.json) console.log(JSON.stringify(found, null, 2));
});
