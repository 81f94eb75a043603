// Cost of the messaging pipeline:
//
//   npm run bench -- --only messages [--redis redis://HOST:PORT] [--jobs 10000] [--guides 200] [--rounds 3]
//                    [--prof FOLDER] [--json]
//
// It starts a PostgreSQL and measures first with the queues in it, then with the queues in Redis: the server
// named by --redis, whose database is emptied, or else one that it starts. The provider runs in this process
// and answers at once. It measures three things:
//
//   latency  from the 201 to the message's arrival, one guide every 50 ms on an idle service
//   outbox   10,000 events become messages and jobs, which a worker takes and does nothing with; the reference only adds
//            as many jobs (drain.mjs)
//   sending  10,000 jobs through the service's worker; the references are bare BullMQ workers on the same connections,
//            one whose handler returns at once and one whose handler only posts
//
// The outbox is drained in `--rounds` rounds, each paired with its reference. The other rates come from one
// run each; repeat them before you trust a difference of less than a fifth.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  ENV,
  newMerchant,
  onBothStores,
  onStage,
  printRow,
  quantiles,
  round,
  startService,
  TITLES,
} from './pipeline-stage.mjs';
import { seed, untilCount } from './stores.mjs';

const { values: options } = parseArgs({
  options: {
    redis: { type: 'string' },
    jobs: { type: 'string', default: '10000' },
    guides: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '3' },
    prof: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const JOBS = Number(options.jobs);
const GUIDES = Number(options.guides);

/**
 * Starts a provider that answers at once. `arrivals` maps guide numbers to milliseconds of
 * `performance.now()`.
 */
async function startProvider() {
  const arrivals = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const at = performance.now();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
      arrivals.set(JSON.parse(Buffer.concat(chunks)).guia, at);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, arrivals, close: () => server.close() };
}

/** Runs something on a stage with a merchant, whose service sends to the provider. */
async function onMessagingStage(stores, provider, run) {
  provider.arrivals.clear();
  return onStage(stores, async (stage) => {
    const env = {
      ...stage.env,
      MESSAGING_PROVIDER: 'webhook',
      MESSAGING_WEBHOOK_URL: provider.url,
      MESSAGING_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 'k').toString('base64')}`,
    };
    return run({ ...stage, env, merchant: await newMerchant(env) });
  });
}

/** Quantiles of the milliseconds from the 201 to the arrival at the provider. */
async function latency(stage, provider, roles) {
  const { key } = stage.merchant;
  const services = [];
  for (const role of roles) services.push(await startService({ ...stage.env, ROLE: role }));
  const answeredAt = new Map();
  const create = async (n) => {
    const response = await fetch(`${services[0].url}/api/v1/guias`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        telefono: `+502${50_000_000 + n}`,
        departamento: 'Guatemala',
        municipio: 'Mixco',
        recogida: { lat: 14.6, lng: -90.5 },
      }),
    });
    const at = performance.now();
    answeredAt.set((await response.json()).guia, at);
  };
  const warmUp = 20;
  for (let n = 0; n < warmUp + GUIDES; n++) {
    if (n === warmUp) answeredAt.clear();
    await Promise.all([create(n), sleep(50)]);
  }
  await until(() => [...answeredAt.keys()].every((guia) => provider.arrivals.has(guia)));
  await Promise.all(services.map((service) => service.stop()));
  return quantiles([...answeredAt].map(([guia, at]) => provider.arrivals.get(guia) - at));
}

/** Jobs per second of the service's worker. */
async function sending(stage, provider) {
  const api = await startService({ ...stage.env, ROLE: 'api' });
  await seed(stage.database, stage.merchant.id, 0, JOBS);
  await untilCount(stage, `select count(*) from eventos_pendientes`, 0);
  await api.stop();
  const flags = options.prof ? ['--cpu-prof', `--cpu-prof-dir=${options.prof}`] : [];
  const worker = await startService({ ...stage.env, ROLE: 'worker' }, flags);
  await untilCount(stage, `select count(*) from mensajes where estado <> 'aceptado'`, 0);
  await worker.stop();
  return rateOf([...provider.arrivals.values()]);
}

/** Runs a script in a process of its own, and returns what it sends its parent. */
async function forked(file, env) {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), [], { env });
  const exited = once(child, 'exit');
  const result = await Promise.race([once(child, 'message'), exited.then(() => undefined)]);
  if (!result) throw new Error(`${file} ended without a result`);
  await exited;
  return result[0];
}

/** Jobs per second of a bare BullMQ worker whose jobs have all been added. */
function bare(stage, provider, handler) {
  return forked('bare-worker.mjs', {
    PATH: process.env.PATH,
    DATABASE_URL: stage.database,
    REDIS_URL: stage.env.REDIS_URL ?? '',
    PROVIDER_URL: provider.url,
    HANDLER: handler,
    JOBS: String(JOBS),
  });
}

/** Jobs per second from an outbox, or of the same jobs only added. */
function drained({ env, merchant }, withOutbox) {
  const outbox = withOutbox && { OUTBOX: '1' };
  return forked('drain.mjs', { ...ENV, ...env, MERCHANT: merchant.id, JOBS: String(JOBS), ...outbox });
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measure(stores, provider) {
  const on = (run) => onMessagingStage(stores, provider, run);
  const outbox = [];
  for (let round = 0; round < Number(options.rounds); round++) {
    const order = round % 2 ? [true, false] : [false, true];
    const rates = new Map();
    for (const withOutbox of order) rates.set(withOutbox, await on((stage) => drained(stage, withOutbox)));
    outbox.push({ service: rates.get(true), bare: rates.get(false) });
  }
  const together = await on((stage) => latency(stage, provider, ['all']));
  const apart = await on((stage) => latency(stage, provider, ['api', 'worker']));
  const service = await on((stage) => sending(stage, provider));
  const nothing = await on((stage) => bare(stage, provider, 'nothing'));
  const post = await on((stage) => bare(stage, provider, 'post'));
  const part = median(outbox.map(({ service: ours, bare: theirs }) => ours / theirs));
  return {
    outbox: {
      jobsPerSecond: round(median(outbox.map((one) => one.service))),
      bare: round(median(outbox.map((one) => one.bare))),
      share: share(part, 1),
    },
    latencyMs: { all: together, apiAndWorker: apart },
    sending: {
      jobsPerSecond: round(service),
      barePost: round(post),
      bareNothing: round(nothing),
      shareOfPost: share(service, post),
      shareOfNothing: share(service, nothing),
    },
  };
}

function print(store, { outbox, latencyMs, sending }) {
  console.log(`\n${TITLES[store]}`);
  printRow('latency, ms', 'p50', 'p99', 'max');
  printRow('  ROLE=all', ...Object.values(latencyMs.all));
  printRow('  ROLE=api and ROLE=worker', ...Object.values(latencyMs.apiAndWorker));
  printRow(`${JOBS} jobs, per second`, 'service', 'bare', 'share');
  printRow('  outbox to worker / jobs to worker', outbox.jobsPerSecond, outbox.bare, outbox.share);
  printRow('  worker / bare worker that posts', sending.jobsPerSecond, sending.barePost, sending.shareOfPost);
  printRow('  worker / bare worker', sending.jobsPerSecond, sending.bareNothing, sending.shareOfNothing);
}

/** Arrivals per second, from the first to the last. */
function rateOf(times) {
  times.sort((a, b) => a - b);
  return ((times.length - 1) * 1_000) / (times.at(-1) - times[0]);
}

const share = (part, whole) => `${Math.round((100 * part) / whole)} %`;

async function until(isDone) {
  while (!isDone()) await sleep(20);
}

const provider = await startProvider();
try {
  const results = await onBothStores(options.redis, (stores) => measure(stores, provider));
  if (options.json) console.log(JSON.stringify(results, null, 2));
  else for (const [store, found] of Object.entries(results)) print(store, found);
} finally {
  provider.close();
}
