// PostgreSQL and Redis for the benches, and the events that messages.mjs puts into them.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';

/** Inserts guides whose message is still to be made, with their events, as the service does. */
const SEED = `with nuevas as (
    insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
      recogida_lat, recogida_lng, creada_en, actualizada_en)
    select $1, uuidv(n, 'a'), (100000000000 + n)::text, 'aceptado', '+502' || 40000000 + n, 'Guatemala', 'Mixco', false,
      14.6, -90.5, now(), now()
    from generate_series($2::bigint + 1, $2::bigint + $3::bigint) n
    returning comercio_id, id, guia
  ), eventos_nuevos as (
    insert into eventos (comercio_id, guia_id, id, tipo, creado_en)
    select comercio_id, id, uuidv(guia::bigint - 100000000000, 'b'), 'guia.creada', now() from nuevas
    returning comercio_id, guia_id, id
  )
  insert into eventos_pendientes (comercio_id, guia_id, id) select * from eventos_nuevos`;

const UUIDV = `create or replace function uuidv(n bigint, kind text) returns uuid language sql as $$
  select (lpad(to_hex((extract(epoch from now()) * 1000)::bigint), 12, '0') || '7000800' || kind || lpad(to_hex(n), 12, '0'))::uuid
$$`;

/** Inserts `count` guides, numbered after `from`, in one transaction. */
export async function seed(url, merchant, from, count) {
  await withPg(url, async (client) => {
    await client.query(UUIDV);
    await client.query('begin');
    await client.query(SEED, [merchant, from, count]);
    await client.query('analyze guias, eventos');
    await client.query('commit');
  });
}

/** Waits until a `select count(*)` returns `count`. */
export async function untilCount({ database }, text, count) {
  await withPg(database, async (client) => {
    while (Number((await client.query(text)).rows[0].count) !== count) await sleep(100);
  });
}

export async function withPg(connectionString, run) {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

export const query = (url, text) => withPg(url, async (client) => (await client.query(text)).rows);

export async function withRedis(url, run) {
  const redis = new Redis(url);
  // The server may be starting; ioredis retries.
  redis.on('error', () => undefined);
  try {
    return await run(redis);
  } finally {
    redis.disconnect();
  }
}

/** Starts a Redis without persistence; undefined if there is no redis-server. */
export async function startRedis() {
  const binary = process.env.PATH.split(delimiter)
    .map((folder) => join(folder, 'redis-server'))
    .find(existsSync);
  if (!binary) return undefined;
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const args = [
    '--port',
    port,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--maxmemory-policy',
    'noeviction',
  ];
  const child = spawn(binary, args.map(String), { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  await withRedis(url, (redis) => redis.ping());
  return { url, stop: () => child.kill() };
}
