// How late a merchant's webhook is told while another's misbehaves, on the build:
//
//   npm run bench -- --only webhooks [--redis redis://HOST:PORT] [--seconds 15] [--json]
//
// Two merchants create twenty guides a second each, on one process with all roles. The one's endpoint answers at
// once; its lateness, in milliseconds from the 201 to the arrival, is what is printed, while the other's endpoint
//
//   answers  at once too
//   hangs    for as long as it is let, with 400 deliveries waiting for it
//   floods   answers at once, and a thousand deliveries for it are there at a stroke
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
  startService,
  TITLES,
} from './pipeline-stage.mjs';

const { values: options } = parseArgs({
  options: {
    redis: { type: 'string' },
    seconds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const EVERY_MS = 50;
const WAITING = { answers: 0, hangs: 400, floods: 1_000 };

/** Endpoints of merchants: what is asked of `/hangs` gets no answer. Arrivals by path and guide number. */
async function startReceiver() {
  const arrivals = new Map();
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const at = performance.now();
      arrivals.set(`${request.url} ${JSON.parse(Buffer.concat(chunks)).data.guia.guia}`, at);
      if (request.url !== '/hangs') response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    arrivals,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Posts as a merchant. */
async function post(url, key, path, body) {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
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

async function lateness(stores, how) {
  const receiver = await startReceiver();
  try {
    return await onStage(stores, async ({ env }) => {
      const [calm, other] = [await newMerchant(env), await newMerchant(env)];
      const service = await startService({ ...env, WEBHOOK_ALLOW_PRIVATE: 'true' });
      const create = ({ key }) => post(service.url, key, 'guias', guide());
      await post(service.url, calm.key, 'webhooks', { url: `${receiver.url}/calm` });
      await post(service.url, other.key, 'webhooks', { url: `${receiver.url}/${how}` });
      for (let n = 0; n < 20; n++) await create(calm);
      for (let n = 0; n < WAITING[how]; n += 20)
        await Promise.all(Array.from({ length: 20 }, () => create(other)));

      const answeredAt = new Map();
      for (let n = 0; n < (Number(options.seconds) * 1_000) / EVERY_MS; n++) {
        const made = Promise.all([create(calm), create(other)]).then(([{ guia }]) =>
          answeredAt.set(`/calm ${guia}`, performance.now()),
        );
        await Promise.all([made, sleep(EVERY_MS)]);
      }
      while (![...answeredAt.keys()].every((one) => receiver.arrivals.has(one))) await sleep(20);
      await service.stop();
      return quantiles([...answeredAt].map(([one, at]) => receiver.arrivals.get(one) - at));
    });
  } finally {
    receiver.close();
  }
}

const results = await onBothStores(options.redis, async (stores) => {
  const found = {};
  for (const how of Object.keys(WAITING)) found[how] = await lateness(stores, how);
  return found;
});
if (options.json) console.log(JSON.stringify(results, null, 2));
else
  for (const [store, found] of Object.entries(results)) {
    console.log(`\n${TITLES[store]}`);
    printRow('lateness, ms; the other endpoint', 'p50', 'p99', 'max');
    for (const [how, waits] of Object.entries(found)) printRow(`  ${how}`, ...Object.values(waits));
  }
