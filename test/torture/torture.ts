import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { pino } from 'pino';
import { QueueStore } from '../../src/platform/queues/queue-store.js';
import { APP_SECRET } from '../support/guia-body.js';
import { startHttpStub } from '../support/http-stub.js';
import { insertMerchant } from '../support/merchant-rows.js';
import type { TestRedis } from '../support/redis.js';
import { LIBFAKETIME, SteppedClock } from '../support/stepped-clock.js';
import { createUrlProxy, type UrlProxy } from '../support/tcp-proxy.js';
import { judge, type Verdict } from './checker.js';
import { Clients } from './clients.js';
import { Faults, type Struck } from './faults.js';
import { planOf, randomOf, type Size, type Strike } from './plan.js';
import { startPostgresServer } from './postgres-server.js';
import { Victim } from './victim.js';
import { Walks } from './walks.js';

/** ms; a hang limit of settling, for each run and for each of its guides. Losses are found by comparing, not by waiting. */
const HEAL_LIMIT_MS = 400_000;
const HEAL_LIMIT_OF_GUIDE_MS = 30;

const QUEUES = ['notificaciones', 'webhooks', 'webhooks-lentos'];

/** States of unfinished jobs. */
const UNFINISHED = ['wait', 'active', 'delayed', 'prioritized', 'waiting-children', 'failed'] as const;

export interface Ordeal extends Omit<Size, 'hasRedis'> {
  seed: number;
  /** Concurrent requests. */
  clients: number;
  /** Holds the queues; without it PostgreSQL does. */
  redis?: TestRedis;
  /** ms of each freeze, step, outage and storm. */
  outageMs: number;
}

export interface Outcome {
  verdicts: Verdict[];
  /** Of the run, for people. */
  figures: Record<string, unknown>;
  faults: FaultFigures[];
}

/** What was met of one kind of fault. */
interface FaultFigures {
  fault: string;
  times: number;
  /** Guides acknowledged meanwhile. */
  acknowledged: number;
  /** Requests refused meanwhile. */
  refused: number;
}

interface Scene extends Struck {
  ordeal: Ordeal;
  clients: Clients;
  faults: Faults;
  met: Map<string, FaultFigures>;
  /** Creates during outages of Redis and while a clock was wrong, and those of them that were refused. */
  undisturbed: { creates: number; refusals: string[] };
}

/**
 * Runs the built service as API and worker on a database of its own, creates guides and walks through their list while its processes, its database
 * and its Redis fail, waits until everything has settled, and compares the acknowledgements with the database, with
 * what the provider got, and with what the merchant's endpoint got.
 */
export async function torture(ordeal: Ordeal): Promise<Outcome> {
  const postgres = await startPostgresServer();
  const provider = await startHttpStub();
  provider.otherwise((request) => ({ json: { id: `p-${request.json.id}` } }));
  const endpoint = await startHttpStub();
  const victims: Victim[] = [];
  const proxies: UrlProxy[] = [];
  const clocks =
    LIBFAKETIME === undefined
      ? undefined
      : { api: new SteppedClock(LIBFAKETIME), worker: new SteppedClock(LIBFAKETIME) };
  try {
    const networks = {
      postgres: await createUrlProxy(postgres.url),
      provider: await createUrlProxy(provider.url),
      ...(ordeal.redis && { redis: await createUrlProxy(ordeal.redis.url) }),
    };
    proxies.push(...Object.values(networks));
    const env = {
      DATABASE_URL: networks.postgres.url,
      APP_SECRET,
      RATE_LIMIT_PER_MINUTE: '1000000',
      PUBLIC_URL: 'https://guias.example.com',
      MESSAGING_PROVIDER: 'webhook',
      MESSAGING_WEBHOOK_URL: networks.provider.url,
      MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
      WEBHOOK_ALLOW_PRIVATE: 'true',
      LOG_LEVEL: 'warn',
      ...(networks.redis && { REDIS_URL: networks.redis.url }),
    };
    const key = await insertMerchant(postgres);
    const api = new Victim({ ...env, ...clocks?.api.env, ROLE: 'api' });
    const worker = new Victim({ ...env, ...clocks?.worker.env, ROLE: 'worker' });
    victims.push(api, worker);
    await Promise.all([api.up(), worker.up()]);
    await subscribe(api.url, key, endpoint.url);

    const clients = new Clients(key, () => api.url, ordeal.clients);
    const undisturbed = { creates: 0, refusals: [] };
    const { redis, outageMs, ...size } = ordeal;
    const struck: Struck = { postgres, redis, provider, api, worker, networks, clocks, outageMs };
    const faults = new Faults(struck);
    const scene: Scene = { ...struck, ordeal, clients, faults, met: new Map(), undisturbed };
    const walks = new Walks(key, () => api.url, clients.journal);
    const began = Date.now();
    walks.start();
    await runPlan(scene);
    await Promise.all([api.up(), worker.up()]);
    const walked = await walks.end();
    const loaded = Date.now();
    const jobs = await settle(scene);
    const healed = Date.now();
    await Promise.all(victims.map((victim) => victim.end()));
    faults.review(true);

    const { journal, refusals } = clients;
    const { requests: sent } = provider;
    const { requests: delivered } = endpoint;
    const evidence = { journal, sent, delivered, database: postgres, inDoubt: faults.inDoubt, jobs };
    const complaints = victims.flatMap((victim) => victim.complaints);
    return {
      faults: [...scene.met.values()].sort((one, other) => one.fault.localeCompare(other.fault)),
      verdicts: [
        ...(await judge(evidence)),
        walked,
        { property: 'a process ends only when it is killed', trials: victims.length, violations: complaints },
        {
          property: 'a create needs neither Redis nor a right clock',
          trials: undisturbed.creates,
          violations: undisturbed.refusals,
        },
      ],
      figures: {
        ...size,
        outageS: outageMs / 1_000,
        store: redis ? 'Redis' : 'PostgreSQL',
        acknowledged: journal.length,
        acknowledgedOnRepeat: journal.filter(({ status }) => status === 200).length,
        refusals: refusals.length,
        messages: sent.length,
        messagesTwice: sent.length - new Set(sent.map(({ json }) => json.guia)).size,
        webhooks: delivered.length,
        webhooksTwice: delivered.length - new Set(delivered.map(({ json }) => json.data.guia.guia)).size,
        loadS: Math.round((loaded - began) / 1_000),
        healS: Math.round((healed - loaded) / 1_000),
      },
    };
  } finally {
    await Promise.all(victims.map((victim) => victim.end()));
    await Promise.all(proxies.map((proxy) => proxy.close()));
    await provider.close();
    await endpoint.close();
    await postgres.drop();
    for (const clock of Object.values(clocks ?? {})) clock.remove();
  }
}

async function subscribe(url: string, key: string, endpoint: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: endpoint, eventos: ['guia.creada'] }),
  });
  if (!response.ok) throw new Error(`the webhook was refused: ${await response.text()}`);
}

/** Runs the plan, wave by wave. */
async function runPlan(scene: Scene): Promise<void> {
  const { ordeal, clients, faults } = scene;
  const plan = planOf(randomOf(ordeal.seed), { ...ordeal, hasRedis: ordeal.redis !== undefined });
  for (const { guides, pauseMs, strike } of plan) {
    if (strike) await runWave(scene, guides, strike);
    else await clients.create(guides);
    faults.review();
    await sleep(pauseMs);
  }
}

/** Creates guides while a fault falls on the service: all at once, or over the time that the fault lasts. */
async function runWave(scene: Scene, guides: number, strike: Strike): Promise<void> {
  const { ordeal, clients, faults, api, worker, undisturbed } = scene;
  const before = { acknowledged: clients.journal.length, refused: clients.refusals.length };
  if (!Faults.lasts(strike)) {
    await Promise.all([clients.create(guides), faults.strike(strike)]);
  } else {
    await Promise.all([api.up(), worker.up()]);
    const creates: Promise<void>[] = [];
    const over = faults.strike(strike);
    // A share may not be acknowledged before the fault is over.
    for (const share of evenly(guides, ordeal.outageMs / 100)) {
      creates.push(clients.create(share));
      await sleep(100);
    }
    await Promise.all([over, ...creates]);
  }
  const refusals = clients.refusals.slice(before.refused);
  note(scene, strike, clients.journal.length - before.acknowledged, refusals.length);
  if (Faults.lasts(strike) && Faults.leavesCreates(strike)) {
    undisturbed.creates += guides;
    undisturbed.refusals.push(...refusals.map((why) => `${strike.target} ${strike.how}: ${why}`));
  }
}

function note({ met }: Scene, { target, how }: Strike, acknowledged: number, refused: number): void {
  const fault = `${target}: ${how}`;
  const figures = met.get(fault) ?? { fault, times: 0, acknowledged: 0, refused: 0 };
  met.set(fault, {
    fault,
    times: figures.times + 1,
    acknowledged: figures.acknowledged + acknowledged,
    refused: figures.refused + refused,
  });
}

/** 10 in 4 parts: 2, 3, 2, 3. */
function evenly(total: number, parts: number): number[] {
  return Array.from(
    { length: parts },
    (_, i) => Math.floor((total * (i + 1)) / parts) - Math.floor((total * i) / parts),
  );
}

const LEFT = `select (select count(*) from eventos_pendientes) + (select count(*) from eventos where proximo_en is not null)
  + (select count(*) from mensajes where estado <> 'aceptado')
  + (select count(*) from webhook_entregas where estado <> 'entregada') as count`;

/** Waits until nothing is left to do, or for the hang limit; returns the jobs that are left, by queue and state. */
async function settle({ ordeal, postgres }: Scene): Promise<Record<string, number>> {
  const { redis, guides } = ordeal;
  const store = new QueueStore(redis && { url: redis.url }, postgres.url, pino({ enabled: false }));
  const queues = QUEUES.map((name) => new Queue(name, { connection: store.producer() }, store.backend));
  for (const queue of queues) queue.on('error', () => undefined);
  try {
    await Promise.all(queues.map((queue) => queue.waitUntilReady()));
    for (const end = Date.now() + HEAL_LIMIT_MS + guides * HEAL_LIMIT_OF_GUIDE_MS; ;) {
      const jobs: Record<string, number> = {};
      for (const queue of queues)
        for (const [state, count] of Object.entries(await queue.getJobCounts(...UNFINISHED)))
          jobs[`${queue.name} ${state}`] = count;
      const [left] = await postgres.query<{ count: string }>(LEFT);
      const isSettled = left!.count === '0' && Object.values(jobs).every((count) => count === 0);
      if (isSettled || Date.now() > end) return jobs;
      await sleep(250);
    }
  } finally {
    await Promise.all(queues.map((queue) => queue.close()));
  }
}
