// What the benches of the pipelines behind the API run on: a database and a store of their own, and the service.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../dist/src/database/embedded-postgres/embedded-postgres.js';
import { migrate } from '../../dist/src/database/migrate.js';
import { ROOT, runCommand } from './servers.mjs';
import { query, startRedis, withRedis } from './stores.mjs';
import { START_FLAGS } from './servers.mjs';

/** What the service has in its environment, beside its database and store. */
export const ENV = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  PORT: '0',
  APP_SECRET: 'a secret for benchmarks, thirty-two bytes or more',
  RATE_LIMIT_PER_MINUTE: '1000000',
  PUBLIC_URL: 'https://guias.example.com',
  LOG_LEVEL: 'warn',
};

/** The built service in an environment. @param flags further ones for node. */
export async function startService(env, flags = []) {
  const child = spawn(process.execPath, [...START_FLAGS, ...flags, 'dist/src/main.js'], {
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
    url: /(http:\/\/[^\s/]+)/.exec(output)[1],
    stop: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
}

/** A merchant with a key. */
export async function newMerchant(env) {
  const { merchant_id: id } = await command(['merchants', 'create', '--name', 'Tienda'], env);
  const { api_key: key } = await command(['keys', 'create', '--merchant', id], env);
  return { id, key };
}

const command = (args, env) => runCommand(args, { ...ENV, ...env });

let made = 0;

/** Runs something on a migrated database and, with Redis, an empty store; `env` is what the service needs to find them. */
export async function onStage({ postgres, redis }, run) {
  const name = `bench_${Date.now().toString(36)}_${++made}`;
  await query(postgres.url, `create database ${name}`);
  const database = postgres.url.replace(/[^/]*$/, name);
  await migrate(database);
  if (redis) await withRedis(redis.url, (store) => store.flushdb());
  try {
    return await run({ database, env: { DATABASE_URL: database, ...(redis && { REDIS_URL: redis.url }) } });
  } finally {
    await query(postgres.url, `drop database ${name} with (force)`);
  }
}

/**
 * Measures first with the queues in a PostgreSQL of its own, then with them in Redis: its own where there is a
 * redis-server, or the one named, whose database is emptied.
 */
export async function onBothStores(redisUrl, measure) {
  const folder = mkdtempSync(join(tmpdir(), 'guias-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir: folder });
  const redis = redisUrl ? { url: redisUrl, stop: () => undefined } : await startRedis();
  try {
    const results = { postgres: await measure({ postgres }) };
    if (redis) results.redis = await measure({ postgres, redis });
    else console.error('Redis: skipped, there is no redis-server in PATH');
    return results;
  } finally {
    redis?.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const TITLES = { postgres: 'Queues in PostgreSQL', redis: 'Queues in Redis' };

export const round = (number) => Math.round(number * 10) / 10;

/** Of waits in milliseconds. */
export function quantiles(waits) {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (part) =>
    round(Math.max(0, sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]));
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export function printRow(label, ...cells) {
  console.log(`  ${label.padEnd(34)}${cells.map((cell) => String(cell).padStart(10)).join('')}`);
}
