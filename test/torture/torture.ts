import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { QueueStore } from '../../src/queues/queue-store.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { APP_SECRET } from '../support/guia-body.js';
import { startHttpStub } from '../support/http-stub.js';
import { insertMerchant } from '../support/merchant-rows.js';
import type { TestRedis } from '../support/redis.js';
import { violations } from './checker.js';
import { Clients } from './clients.js';
import { planOf, randomOf, type Outage, type Wave } from './plan.js';
import { Victim } from './victim.js';

/** ms; a hang limit of settling. Losses are found by comparing, not by waiting. */
const HEAL_LIMIT_MS = 400_000;

/** States of unfinished jobs. */
const UNFINISHED = ['wait', 'active', 'delayed', 'prioritized', 'waiting-children', 'failed'] as const;

export interface Ordeal {
  seed: number;
  guides: number;
  kills: number;
  /** Holds the queues; without it PostgreSQL does. */
  redis?: TestRedis;
  /** ms of each outage of Redis. */
  outageMs: number;
}

export interface Outcome {
  violations: string[];
  /** Figures of the run, for people. */
  report: Record<string, unknown>;
}

/**
 * Runs the built service as API and worker on its own database, creates guides while its processes are killed and
 * its Redis fails, waits until everything has settled, and compares the acknowledgements with the database and with
 * what the provider got.
 */
export async function torture(ordeal: Ordeal): Promise<Outcome> {
  const database = await createTestDatabase();
  const provider = await startHttpStub();
  provider.otherwise((request) => ({ json: { id: `p-${request.json.id}` } }));
  const victims: Victim[] = [];
  try {
    const env = {
      DATABASE_URL: database.url,
      APP_SECRET,
      RATE_LIMIT_PER_MINUTE: '1000000',
      PUBLIC_URL: 'https://guias.example.com',
      MESSAGING_PROVIDER: 'webhook',
      MESSAGING_WEBHOOK_URL: provider.url,
      MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
      LOG_LEVEL: 'warn',
      ...(ordeal.redis && { REDIS_URL: ordeal.redis.url }),
    };
    const key = await insertMerchant(database);
    const api = new Victim({ ...env, ROLE: 'api' });
    const worker = new Victim({ ...env, ROLE: 'worker' });
    victims.push(api, worker);
    await Promise.all([api.up(), worker.up()]);

    const clients = new Clients(key, () => api.url);
    const began = Date.now();
    const left: Left = { events: 0, waiting: 0, sending: [] };
    const unanswered = await runPlan(ordeal, { api, worker, clients, database, left });
    await Promise.all([api.up(), worker.up()]);
    const loaded = Date.now();
    const jobs = await settle(database, ordeal.redis);
    const healed = Date.now();
    await Promise.all(victims.map((victim) => victim.end()));

    const { journal, refusals } = clients;
    const sent = provider.requests;
    const evidence = { journal, sent, database, inDoubt: left.sending, jobs };
    const found = await violations(evidence);
    return {
      violations: [...unanswered, ...victims.flatMap((victim) => victim.complaints), ...found],
      report: {
        seed: ordeal.seed,
        backend: ordeal.redis ? 'redis' : 'postgres',
        acknowledged: journal.length,
        found200: journal.filter((one) => one.status === 200).length,
        refused: refusals.length,
        apiKills: api.kills,
        workerKills: worker.kills,
        left: { ...left, sending: left.sending.length },
        sent: sent.length,
        repeats: sent.length - new Set(sent.map((request) => request.json.guia)).size,
        loadMs: loaded - began,
        healMs: healed - loaded,
      },
    };
  } finally {
    await Promise.all(victims.map((victim) => victim.end()));
    await provider.close();
    await database.drop();
  }
}

/** What kills interrupted, in total. */
interface Left {
  /** Events that were not dispatched, and messages that waited. */
  events: number;
  waiting: number;
  /** Guide numbers of messages that were being sent when the worker was killed: the provider may have them. */
  sending: string[];
}

interface Scene {
  api: Victim;
  worker: Victim;
  clients: Clients;
  database: TestDatabase;
  left: Left;
}

/** Runs the plan, wave by wave; returns the creates that were refused although only Redis had failed. */
async function runPlan(ordeal: Ordeal, scene: Scene): Promise<string[]> {
  const { api, worker, clients } = scene;
  const { redis, outageMs } = ordeal;
  const complaints: string[] = [];
  for (const wave of planOf(randomOf(ordeal.seed), { ...ordeal, hasRedis: redis !== undefined })) {
    if (wave.outage && redis) {
      await Promise.all([api.up(), worker.up()]);
      const before = clients.refusals.length;
      await without(redis, wave.outage, async () => {
        for (const guides of evenly(wave.guides, outageMs / 100)) {
          await Promise.all([clients.create(guides), sleep(100)]);
        }
      });
      for (const why of clients.refusals.slice(before))
        complaints.push(`a create was refused (${why}) while Redis was ${wave.outage}`);
    } else {
      await Promise.all([clients.create(wave.guides), strike(wave, scene, redis)]);
    }
    await sleep(wave.pauseMs);
  }
  return complaints;
}

async function strike({ strike }: Wave, scene: Scene, redis: TestRedis | undefined): Promise<void> {
  if (!strike) return;
  if (strike.target === 'flush') {
    await sleep(strike.afterMs);
    await redis?.flushAll();
    return;
  }
  await scene[strike.target].kill(strike.afterMs);
  const [found] = await scene.database.query<Left>(LEFT);
  scene.left.events += found!.events;
  scene.left.waiting += found!.waiting;
  if (strike.target === 'worker') scene.left.sending.push(...found!.sending);
}

const LEFT = `select (select count(*)::int from eventos where despachado_en is null) as events,
    count(*) filter (where m.estado = 'pendiente')::int as waiting,
    coalesce(array_agg(guia) filter (where m.estado = 'enviando'), '{}') as sending
  from mensajes m left join guias g on g.id = m.guia_id and g.comercio_id = m.comercio_id`;

async function without(redis: TestRedis, outage: Outage, run: () => Promise<void>): Promise<void> {
  if (outage === 'frozen') redis.pause();
  else await redis.kill();
  try {
    await run();
  } finally {
    if (outage === 'frozen') redis.resume();
    else await redis.restart();
  }
}

/** 10 in 4 parts: 2, 3, 2, 3. */
function evenly(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, i) => Math.floor((total * (i + 1)) / parts) - Math.floor((total * i) / parts),
  );
}

/** Waits until nothing is left to do, or for the hang limit; returns the jobs that are left, by state. */
async function settle(database: TestDatabase, redis: TestRedis | undefined): Promise<Record<string, number>> {
  const store = new QueueStore(redis && { url: redis.url }, database.url, pino({ enabled: false }));
  const queue = new Queue('notificaciones', { connection: store.producer() }, store.backend);
  queue.on('error', () => undefined);
  try {
    await queue.waitUntilReady();
    for (const end = Date.now() + HEAL_LIMIT_MS; ;) {
      const jobs = await queue.getJobCounts(...UNFINISHED);
      const [left] = await database.query<{ count: string }>(
        `select (select count(*) from eventos where despachado_en is null)
           + (select count(*) from mensajes where estado <> 'aceptado') as count`,
      );
      const isSettled = left!.count === '0' && Object.values(jobs).every((count) => count === 0);
      if (isSettled || Date.now() > end) return jobs;
      await sleep(250);
    }
  } finally {
    await queue.close();
  }
}
