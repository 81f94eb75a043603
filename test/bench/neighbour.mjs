// What one merchant at full speed costs another:
//
//   npm run bench -- --only neighbour [--seconds 20] [--c 16] [--rounds 3] [--every 125] [--scenes rests,hands]
//
// A merchant creates a guide and reads its first page in turn, a request each `--every` milliseconds, while another
//
//   rests     sends nothing
//   limited   creates as fast as it is answered, on `--c` connections, and is held to the default limit of requests a minute
//   unlimited does so without a limit
//   hands     edits one guide with 60 hands, without a limit
//   prints    prints the 235 labels of its day in the panel, again and again
//
// Milliseconds until the answer, for the first merchant. The generator and PostgreSQL share the machine with the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { load } from './load.mjs';
import { newMerchant, printRow, quantiles } from './pipeline-stage.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    c: { type: 'string', default: '16' },
    rounds: { type: 'string', default: '3' },
    every: { type: 'string', default: '125' },
    scenes: { type: 'string', default: 'rests,limited,unlimited,hands,prints' },
  },
});
const SECONDS = Number(options.seconds);
const EVERY_MS = Number(options.every);
/** Fills caches, and compiles. */
const WARM_MS = 5_000;
const HANDS = 60;
const LABELS = 235;
const GUIDE = {
  telefono: '+50255551235',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  lat: 14.64,
  lng: -90.51,
  recogida: { lat: 14.6, lng: -90.5 },
};
const rushes = { limited: creates, unlimited: creates, hands: edits, prints };

await withTeardown(async () => {
  const cluster = await startCluster();
  const env = { DATA_DIR: cluster.dataDir };
  const scenes = options.scenes.split(',');
  const found = Object.fromEntries(scenes.map((scene) => [scene, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const scene of scenes) {
      const [calm, busy] = [await newMerchant(env), await newMerchant(env)];
      const server = await startService(
        { ...env, RATE_LIMIT_PER_MINUTE: scene === 'limited' ? '600' : '1000000000' },
        { folder: cluster.dataDir },
      );
      const rush = rushes[scene]?.(server, busy.key, cluster.pid);
      found[scene].push(...(await waits(server.port, calm.key)));
      const { rate } = (await rush) ?? {};
      if (rate) console.error(`${scene}: ${Math.round(rate)} requests of the other's answered a second`);
      await server.stop();
    }
  printRow('answers to the first merchant, ms', 'p50', 'p99', 'max');
  for (const [scene, times] of Object.entries(found))
    printRow(`  the other ${scene}`, ...Object.values(quantiles(times)));
});

/** Creates, on `--c` connections. */
function creates(server, key, postgresPid) {
  const requests = SCENARIOS.create.prepare({ key }).map((request) => ({ ...request, mayBeLimited: true }));
  return load({ ...server, postgresPid, requests, connections: Number(options.c), seconds: SECONDS });
}

/** Edits of one guide, each hand's next one once its last was answered. */
async function edits({ port }, key) {
  const url = `http://127.0.0.1:${port}/api/v1/guias`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(GUIDE) });
  const { id } = await answer.json();
  const end = performance.now() + SECONDS * 1_000;
  let answered = 0;
  const statuses = {};
  const hand = async (number) => {
    for (let n = 0; performance.now() < end; n++) {
      const body = JSON.stringify({ notas: `${number} ${n}` });
      const response = await fetch(`${url}/${id}`, { method: 'PATCH', headers, body });
      await response.arrayBuffer();
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      answered++;
    }
  };
  await Promise.all(Array.from({ length: HANDS }, (_, number) => hand(number)));
  console.error(`answers to the hands by status: ${JSON.stringify(statuses)}`);
  return { rate: answered / SECONDS };
}

/** Prints of a day, one after another. */
async function prints({ port }, key) {
  const url = `http://127.0.0.1:${port}`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let n = 0; n < LABELS; n++)
    await fetch(`${url}/api/v1/guias`, { method: 'POST', headers, body: JSON.stringify(GUIDE) });
  const signIn = await fetch(`${url}/panel`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ api_key: key }),
  });
  const cookie = signIn.headers.get('set-cookie').split(';')[0];
  const end = performance.now() + SECONDS * 1_000;
  const times = [];
  while (performance.now() < end) {
    const began = performance.now();
    const body = new URLSearchParams({ todas: 'hoy' });
    const response = await fetch(`${url}/panel/etiquetas`, { method: 'POST', headers: { cookie }, body });
    const { byteLength } = await response.arrayBuffer();
    if (!response.ok) throw new Error(`a print was answered ${response.status}`);
    times.push(performance.now() - began);
    if (times.length === 1) console.error(`prints: ${Math.round(byteLength / 1024)} KiB`);
  }
  const { p50, max } = quantiles(times);
  console.error(`prints: ${times.length}, of ${p50} ms, at most ${max}`);
}

/** Milliseconds of each answer to a merchant that does not hurry. */
async function waits(port, key) {
  const url = `http://127.0.0.1:${port}/api/v1/guias`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const times = [];
  const asked = [];
  for (let n = 0; n < (SECONDS * 1_000) / EVERY_MS; n++) {
    const began = performance.now();
    const answer =
      n % 2 === 0
        ? fetch(url, { method: 'POST', headers, body: JSON.stringify(GUIDE) })
        : fetch(url, { headers });
    asked.push(
      answer.then(async (response) => {
        await response.text();
        if (!response.ok) throw new Error(`the first merchant was answered ${response.status}`);
        if (n * EVERY_MS >= WARM_MS) times.push(performance.now() - began);
      }),
    );
    await sleep(EVERY_MS);
  }
  await Promise.all(asked);
  return times;
}
