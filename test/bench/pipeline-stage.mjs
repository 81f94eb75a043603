// What the benches of the queues run on: a database, a queue store, and the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/platform/database/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../dist/src/platform/database/migrate.js';
import { NODE_FLAGS, ROOT, runCommand } from './servers.mjs';
import { query, startRedis, withRedis } from './stores.mjs';

/** Environment of the service, besides its database and queue store. */
export const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  PORT: '0',
  APP_SECRET: 'a secret for benchmarks, thirty-two bytes or more',
  RATE_LIMIT_PER_MINUTE: '1000000',
  PUBLIC_URL: 'https://guias.example.com',
  LOG_LEVEL: 'warn',
};

/** Starts the built service, as `npm start` does. @param flags additional flags of Node. */
export async function startService(env, flags = []) {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...flags, 'dist/src/main.js'], {
    cwd: ROOT,
    env: { ...ENV, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (data) => {
      output += data;
      if (/is ready[\s\S]*\n\n/.test(output)) resolve();
    });
    child.once('exit', () => reject(new Error(`the service ended: ${output}`)));
  });
  return {
    pid: child.pid,
    url: /(http:\/\/[^\s/]+)/.exec(output)[1],
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** Creates a merchant with a key. */
export async function newMerchant(env) {
  const { merchant_id: id } = await command(['merchants', 'create', '--name', 'Tienda'], env);
  const { api_key: key } = await command(['keys', 'create', '--merchant', id], env);
  return { id, key };
}

const command = (args, env) => runCommand(args, { ...ENV, ...env });

let made = 0;

/**
 * Runs something on a new, migrated database and, with Redis, an empty store. `env` tells the service where
 * they are.
 */
export async function onStage({ postgres, redis }, run) {
  const name = `bench_${Date.now().toString(36)}_${++made}`;
  await query(postgres.ownerUrl, `create database ${name}`);
  const database = postgres.ownerUrl.replace(/[^/]*$/, name);
  await migrate(database);
  if (redis) await withRedis(redis.url, (store) => store.flushdb());
  try {
    return await run({ database, env: { DATABASE_URL: database, ...(redis && { REDIS_URL: redis.url }) } });
  } finally {
    await query(postgres.ownerUrl, `drop database ${name} with (force)`);
  }
}

/**
 * Measures first with the queues in PostgreSQL, then in Redis.
 * @param redisUrl a Redis whose database is emptied; without it one is started, if there is a redis-server.
 */
export async function onBothStores(redisUrl, measure) {
  const folder = mkdtempSync(join(tmpdir(), 'guias-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const redis = redisUrl ? { url: redisUrl, stop: () => undefined } : await startRedis();
  try {
    const results = { postgres: await measure({ postgres }) };
    if (redis) results.redis = await measure({ postgres, redis });
    else console.error('Redis: skipped, no redis-server in PATH');
    return results;
  } finally {
    redis?.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const TITLES = { postgres: 'Queues in PostgreSQL', redis: 'Queues in Redis' };

export const round = (number) => Math.round(number * 10) / 10;

/** @param waits milliseconds */
export function quantiles(waits) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part) =>
    round(Math.max(0, sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function printRow(label, ...cells) {
  console.log(`  ${label.padEnd(34)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
}
