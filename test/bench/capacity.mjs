// What a guide costs, all the way to its message and its webhook, for the capacity model of docs/scaling.md:
//
//   npm run bench -- --only capacity [--redis redis://HOST:PORT] [--guides 3000] [--json]
//
// It starts a PostgreSQL and a Redis (whose database is emptied, where it is named), and one process with all roles.
// Merchants create guides on 16 connections: guides with coordinates, whose only consequence is their event; guides
// whose recipient is asked by a bridge that answers at once; guides of a merchant with one webhook. Each line is what a
// guide took until all was done: CPU of Node, PostgreSQL and Redis in milliseconds, without what they take in the same time
// with nothing to do; bytes of tables and indexes, bytes of the log (WAL). Then, with ROLE=api alone, the memory in Redis of a message that waits, and last the connections.
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { newMerchant, printRow, round, startService } from './pipeline-stage.mjs';
import { cpuSeconds } from './process-usage.mjs';
import { startRedis, untilCount, withPg, withRedis } from './stores.mjs';
import { atTheEnd, withTeardown } from './teardown.mjs';
import { migrate } from '../../dist/src/platform/database/migrate.js';

const { values: options } = parseArgs({
  options: {
    redis: { type: 'string' },
    guides: { type: 'string', default: '3000' },
    json: { type: 'boolean', default: false },
  },
});
const GUIDES = Number(options.guides);
const CONNECTIONS = 16;
const IDLE_MS = 5_000;

const PLACE = { lat: 14.64, lng: -90.51 };
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let made = 0;

/** Sends a request with a merchant's key. */
function post(service, key, path, body) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = request(`${service.url}/api/v1/${path}`, { agent, method: 'POST', headers }, (response) => {
      response.resume();
      if (response.statusCode === 201) response.once('end', resolve);
      else reject(new Error(`${path}: ${response.statusCode}`));
    });
    sent.once('error', reject);
    sent.end(JSON.stringify(body));
  });
}

/** Creates guides on all connections. */
async function create(service, key, count, place) {
  const end = made + count;
  const client = async () => {
    while (made < end) {
      const n = ++made;
      await post(service, key, 'guias', {
        ...{
          telefono: `+502${40_000_000 + n}`,
          nombre: 'Ana López',
          departamento: 'Guatemala',
          municipio: 'Mixco',
        },
        ...{
          direccion: '4a calle 5-10, zona 1',
          contenido: 'Ropa',
          cod_amount: 450.5,
          external_ref: `pedido-${n}`,
        },
        ...place,
        recogida: { lat: 14.6, lng: -90.5 },
      });
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
}

/** A bridge and a merchant's endpoint in one: it takes everything. */
async function startReceiver() {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.writeHead(200).end('{"id":"1"}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  atTheEnd(() => server.closeAllConnections() ?? server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

const BYTES = `select sum(pg_total_relation_size(oid))::float8 as bytes from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace`;

/** What has been used so far. */
async function used({ database, service, cluster, redis }) {
  const [tables, wal] = await withPg(database, async (client) => [
    (await client.query(BYTES)).rows[0].bytes,
    Number(
      (await client.query(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`)).rows[0].bytes,
    ),
  ]);
  const info = await withRedis(redis.url, (client) => client.info());
  const of = (name) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)[1]);
  return {
    node: service ? cpuSeconds(service.pid) * 1_000 : 0,
    postgres: cpuSeconds(cluster.pid) * 1_000,
    redis: (of('used_cpu_sys') + of('used_cpu_user')) * 1_000,
    tables,
    wal,
    memory: of('used_memory'),
  };
}

/** What was used meanwhile. */
async function usedDuring(stage, run) {
  const [before, began] = [await used(stage), performance.now()];
  await run();
  const after = await used(stage);
  const seconds = (performance.now() - began) / 1_000;
  const change = Object.entries(after).map(([name, value]) => [name, value - before[name]]);
  return { ...Object.fromEntries(change), seconds };
}

/** What each guide took, beside what is used with nothing to do. */
async function perGuide(stage, run) {
  const idle = await usedDuring(stage, () => sleep(IDLE_MS));
  const busy = await usedDuring(stage, run);
  const share = busy.seconds / idle.seconds;
  return Object.fromEntries(
    Object.entries(busy).map(([name, value]) => [name, (value - share * idle[name]) / GUIDES]),
  );
}

const WAITING = [
  'select count(*) from eventos_pendientes',
  `select count(*) from mensajes where estado <> 'aceptado'`,
  `select count(*) from webhook_entregas where estado <> 'entregada'`,
];

async function settled(stage) {
  for (const text of WAITING) await untilCount(stage, text, 0);
}

async function measure() {
  const cluster = await startCluster();
  const redis = options.redis ? { url: options.redis } : await startRedis();
  if (!redis) throw new Error('no redis-server in PATH');
  if (redis.stop) atTheEnd(redis.stop);
  await withRedis(redis.url, (client) => client.flushdb());
  const database = await cluster.database('capacity');
  await migrate(database);
  const receiver = await startReceiver();
  const env = {
    DATABASE_URL: database,
    REDIS_URL: redis.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    MESSAGING_PROVIDER: 'webhook',
    MESSAGING_WEBHOOK_URL: receiver,
    MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
  };
  const [plain, hooked] = [await newMerchant(env), await newMerchant(env)];
  const service = await startService(env);
  const stage = { database, service, cluster, redis };
  await post(service, hooked.key, 'webhooks', { url: receiver });
  const scenes = {
    guide: () => create(service, plain.key, GUIDES, PLACE),
    'guide and message': () => create(service, plain.key, GUIDES, {}),
    'guide and webhook': () => create(service, hooked.key, GUIDES, PLACE),
  };
  // Node compiles functions after some thousands of calls.
  for (const scene of Object.values(scenes)) await scene();
  await settled(stage);
  const results = {};
  for (const [name, scene] of Object.entries(scenes)) {
    results[name] = await perGuide(stage, async () => {
      await scene();
      await settled(stage);
    });
  }
  const connections = await connectionsOf(stage);
  await service.stop();
  const api = await startService({ ...env, ROLE: 'api' });
  const waiting = await perGuide({ ...stage, service: api }, async () => {
    await create(api, plain.key, GUIDES, {});
    await untilCount(stage, WAITING[0], 0);
  });
  await api.stop();
  return { results, waiting: waiting.memory, connections };
}

/** Connections of a process with all roles. */
async function connectionsOf({ database, redis }) {
  const text = `select count(*)::int from pg_stat_activity where datname = 'capacity' and application_name like 'guias%'`;
  const postgres = await withPg(database, async (client) => (await client.query(text)).rows[0].count);
  const clients = await withRedis(redis.url, (client) => client.client('LIST'));
  return { postgres, redis: clients.trim().split('\n').length - 1 };
}

await withTeardown(async () => {
  const { results, waiting, connections } = await measure();
  if (options.json) return console.log(JSON.stringify({ results, waiting, connections }, null, 2));
  printRow(`of ${GUIDES} guides, each`, 'Node ms', 'PG ms', 'Redis ms', 'tables B', 'WAL B');
  for (const [name, { node, postgres, redis, tables, wal }] of Object.entries(results))
    printRow(name, ...[node, postgres, redis].map((ms) => ms.toFixed(2)), ...[tables, wal].map(Math.round));
  printRow('memory of Redis for a message that waits, B', round(waiting));
  printRow('connections to PostgreSQL, to Redis', connections.postgres, connections.redis);
});
