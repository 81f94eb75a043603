// Delay of one merchant's webhooks while another merchant's endpoint misbehaves:
//
//   npm run bench -- --only webhooks [--redis redis://HOST:PORT] [--seconds 15] [--scene crowd] [--deliveries 4000] [--json]
//
// A merchant creates twenty guides a second on one process with all roles, and so does one of the others. Its
// endpoint answers at once; its delay from the 201 to the arrival is printed, in milliseconds, while
//
//   answers   another merchant's endpoint answers at once, too
//   hangs     it hangs until it is cut off, with 400 deliveries waiting for it
//   floods    it answers at once, and gets a thousand deliveries at the same moment
//   tests     it hangs; the merchant tests twenty such endpoints at a time, deletes them and creates new ones
//   crowd     200 endpoints of ten other merchants hang, with 2,000 deliveries waiting for them
//   relapses  so they do, after they had answered a test at once
//
// `--scene kills` alone: `--deliveries` to sixty endpoints of twenty merchants, at a steady pace for `--seconds`: delays of all
// others with and without one that hangs, one that answers after 9 s and one that refuses every second time; then the same
// while the worker is killed five times: deliveries that the others never got, and those that arrived again.
//
// `--scene rate` alone: deliveries per second of one worker that finds `--deliveries` of `--merchants` (5) waiting, each with
// `--endpoints` (2) that have answered a test at once, and go on so.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  newMerchant,
  onBothStores,
  onStage,
  printRow,
  quantiles,
  round,
  startService,
  TITLES,
} from './pipeline-stage.mjs';
import { untilCount } from './stores.mjs';

const { values: options } = parseArgs({
  options: {
    redis: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    scene: { type: 'string' },
    deliveries: { type: 'string', default: '4000' },
    merchants: { type: 'string', default: '5' },
    endpoints: { type: 'string', default: '2' },
    json: { type: 'boolean', default: false },
  },
});
const EVERY_MS = 50;
/** Guides waiting for each of the other merchants, and how many ticks there are for each guide more. */
const SCENES = {
  answers: { path: 'answers', merchants: 1, endpoints: 1, waiting: 0, ticks: 1 },
  hangs: { path: 'hangs', merchants: 1, endpoints: 1, waiting: 400, ticks: 1 },
  floods: { path: 'floods', merchants: 1, endpoints: 1, waiting: 1_000, ticks: 1 },
  tests: { path: 'hangs', merchants: 1, endpoints: 0, waiting: 0, ticks: 1, testers: 20 },
  crowd: { path: 'hangs', merchants: 10, endpoints: 20, waiting: 10, ticks: 10 },
  relapses: { path: 'relapses', merchants: 10, endpoints: 20, waiting: 10, ticks: 10 },
};

/**
 * Starts the merchants' endpoints: `/hangs` never answers, `/relapses` only tests, `/late` after 9 s, and `/refuses` every
 * second time. `arrivals` is keyed by path and guide number; `again` counts repeats.
 */
async function startReceiver() {
  const arrivals = new Map();
  const again = { count: 0 };
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const at = performance.now();
      const { type, data } = JSON.parse(Buffer.concat(chunks));
      const isTest = type === 'webhook.prueba';
      const key = `${request.url} ${data.guia?.guia}`;
      if (arrivals.has(key)) again.count++;
      else if (!isTest) arrivals.set(key, at);
      if (request.url === '/hangs' || (request.url === '/relapses' && !isTest)) return;
      const isRefused = request.url === '/refuses' && Math.random() < 0.5;
      setTimeout(() => response.writeHead(isRefused ? 503 : 204).end(), request.url === '/late' ? 9_000 : 0);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    arrivals,
    again,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Sends a request with a merchant's key. */
async function post(url, key, path, body = {}, method = 'POST') {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

let phone = 50_000_000;
const guide = () => ({
  telefono: `+502${++phone}`,
  departamento: 'Guatemala',
  municipio: 'Mixco',
  lat: 14.64,
  lng: -90.51,
  recogida: { lat: 14.6, lng: -90.5 },
});

async function delays(stores, scene) {
  const { path, merchants, endpoints, waiting, ticks, testers = 0 } = SCENES[scene];
  const receiver = await startReceiver();
  const end = new AbortController();
  try {
    return await onStage(stores, async ({ env }) => {
      const calm = await newMerchant(env);
      const others = [];
      for (let n = 0; n < merchants; n++) others.push(await newMerchant(env));
      const service = await startService({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' });
      const create = ({ key }) => post(service.url, key, 'guias', guide());
      const endpoint = async ({ key }, at) => {
        const { webhook } = await post(service.url, key, 'webhooks', { url: `${receiver.url}/${at}` });
        if (at === 'relapses') await post(service.url, key, `webhooks/${webhook.id}/probar`);
        return `webhooks/${webhook.id}`;
      };
      const testing = Array.from({ length: testers }, async () => {
        while (!end.signal.aborted) {
          const made = await endpoint(others[0], path);
          await post(service.url, others[0].key, `${made}/probar`);
          await post(service.url, others[0].key, made, undefined, 'DELETE');
        }
      });
      await endpoint(calm, 'calm');
      for (const other of others)
        await Promise.all(Array.from({ length: endpoints }, () => endpoint(other, path)));
      for (let n = 0; n < 20; n++) await create(calm);
      for (const other of others)
        for (let n = 0; n < waiting; n += 20)
          await Promise.all(Array.from({ length: Math.min(20, waiting) }, () => create(other)));

      const answeredAt = new Map();
      for (let n = 0; n < (Number(options.seconds) * 1_000) / EVERY_MS; n++) {
        const other = n % ticks === 0 ? create(others[(n / ticks) % merchants]) : undefined;
        const made = Promise.all([create(calm), other]).then(([{ guia }]) =>
          answeredAt.set(`/calm ${guia}`, performance.now()),
        );
        await Promise.all([made, sleep(EVERY_MS)]);
      }
      while (![...answeredAt.keys()].every((one) => receiver.arrivals.has(one))) await sleep(20);
      end.abort();
      await Promise.all(testing);
      await service.stop();
      return quantiles([...answeredAt].map(([one, at]) => receiver.arrivals.get(one) - at));
    });
  } finally {
    receiver.close();
  }
}

/** Deliveries per second of a worker that finds them waiting. */
async function rate(stores) {
  const receiver = await startReceiver();
  try {
    return await onStage(stores, async ({ env, database }) => {
      const [merchants, endpoints] = [[], Number(options.endpoints)];
      for (let n = 0; n < Number(options.merchants); n++) merchants.push(await newMerchant(env));
      const service = await startService({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' });
      for (const { key } of merchants)
        for (let n = 0; n < endpoints; n++) {
          const { webhook } = await post(service.url, key, 'webhooks', { url: `${receiver.url}/${n}` });
          await post(service.url, key, `webhooks/${webhook.id}/probar`);
        }
      await service.stop();
      const api = await startService({ ...env, ROLE: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' });
      for (const { key } of merchants)
        for (let left = Number(options.deliveries) / endpoints / merchants.length; left > 0; left -= 100)
          await post(api.url, key, 'guias/lote', {
            guias: Array.from({ length: Math.min(100, left) }, guide),
          });
      await untilCount({ database }, 'select count(*) from eventos_pendientes', 0);
      await api.stop();
      const worker = await startService({ ...env, ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true' });
      await untilCount({ database }, `select count(*) from webhook_entregas where estado <> 'entregada'`, 0);
      await worker.stop();
      const times = [...receiver.arrivals.values()].sort((a, b) => a - b);
      return round(((times.length - 1) * 1_000) / (times.at(-1) - times[0]));
    });
  } finally {
    receiver.close();
  }
}

/** Delays of the others, in ms, and what they lost; see the head. @param sick paths of the three. */
async function amongSick(stores, sick, kills = 0) {
  const receiver = await startReceiver();
  try {
    return await onStage(stores, async ({ env, database }) => {
      const merchants = [];
      for (let n = 0; n < 20; n++) merchants.push(await newMerchant(env));
      const api = await startService({ ...env, ROLE: 'api', WEBHOOK_ALLOW_PRIVATE: 'true' });
      const startWorker = () => startService({ ...env, ROLE: 'worker', WEBHOOK_ALLOW_PRIVATE: 'true' });
      let worker = await startWorker();
      for (const [m, { key }] of merchants.entries())
        for (let n = 0; n < 3; n++) {
          const url = `${receiver.url}/${(m === 0 && sick[n]) || `${m}-${n}`}`;
          const { webhook } = await post(api.url, key, 'webhooks', { url });
          await post(api.url, key, `webhooks/${webhook.id}/probar`);
        }
      const expected = new Map();
      const rounds = Math.ceil(Number(options.deliveries) / 60);
      const every = (Number(options.seconds) * 1_000) / rounds;
      for (let n = 0; n < rounds; n++) {
        const made = merchants.map(async ({ key }, m) => {
          const { guia } = await post(api.url, key, 'guias', guide());
          for (let e = 0; e < 3; e++)
            if (m > 0 || !sick[e]) expected.set(`/${m}-${e} ${guia}`, performance.now());
        });
        await Promise.all([...made, sleep(every)]);
        if (n % Math.ceil(rounds / (kills + 1)) !== 0 || n === 0) continue;
        process.kill(worker.pid, 'SIGKILL');
        worker = await startWorker();
      }
      const end = performance.now() + 120_000;
      const lost = () => [...expected.keys()].filter((key) => !receiver.arrivals.has(key)).length;
      while (lost() > 0 && performance.now() < end) await sleep(200);
      await untilCount({ database }, 'select count(*) from eventos_pendientes', 0);
      await Promise.all([api.stop(), worker.stop()]);
      const delays = [...expected].map(([key, at]) => (receiver.arrivals.get(key) ?? Infinity) - at);
      return { ...quantiles(delays), deliveries: expected.size, lost: lost(), again: receiver.again.count };
    });
  } finally {
    receiver.close();
  }
}

if (options.scene === 'kills') {
  const SICK = ['hangs', 'late', 'refuses'];
  await onBothStores(options.redis, async (stores) => {
    console.log(stores.redis ? TITLES.redis : TITLES.postgres);
    console.log('  without them', await amongSick(stores, []));
    console.log('  with them', await amongSick(stores, SICK));
    console.log('  with them and kills', await amongSick(stores, SICK, 5));
  });
  process.exit();
}

if (options.scene === 'rate') {
  console.log('deliveries per second', await onBothStores(options.redis, rate));
  process.exit();
}

const scenes = options.scene ? [options.scene] : Object.keys(SCENES);
const results = await onBothStores(options.redis, async (stores) => {
  const found = {};
  for (const scene of scenes) found[scene] = await delays(stores, scene);
  return found;
});
if (options.json) console.log(JSON.stringify(results, null, 2));
else
  for (const [store, found] of Object.entries(results)) {
    console.log(`\n${TITLES[store]}`);
    printRow('delay, ms', 'p50', 'p99', 'max');
    for (const [scene, waits] of Object.entries(found)) printRow(`  ${scene}`, ...Object.values(waits));
  }
