// What one merchant at full speed costs another:
//
//   npm run bench -- --only neighbour [--seconds 20] [--c 16] [--rounds 3] [--scenes rests,hands]
//
// A merchant creates a guide and reads its first page in turn, eight requests a second, while another
//
//   rests     sends nothing
//   limited   creates as fast as it is answered, on `--c` connections, and is held to the default limit of requests a minute
//   unlimited does so without a limit
//   hands     edits one guide with 60 hands, without a limit
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
    scenes: { type: 'string', default: 'rests,limited,unlimited,hands' },
  },
});
const SECONDS = Number(options.seconds);
const EVERY_MS = 125;
const PER_MINUTE = { rests: '600', limited: '600', unlimited: '1000000000', hands: '1000000000' };
const HANDS = 60;
const GUIDE = {
  telefono: '+50255551235',
  departamento: 'Guatemala',
  municipio: 'Mixco',
  lat: 14.64,
  lng: -90.51,
  recogida: { lat: 14.6, lng: -90.5 },
};
const rushes = { limited: creates, unlimited: creates, hands: edits };

await withTeardown(async () => {
  const cluster = await startCluster();
  const env = { DATA_DIR: cluster.dataDir };
  const scenes = options.scenes.split(',');
  const found = Object.fromEntries(scenes.map((scene) => [scene, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const scene of scenes) {
      const [calm, busy] = [await newMerchant(env), await newMerchant(env)];
      const server = await startService(
        { ...env, RATE_LIMIT_PER_MINUTE: PER_MINUTE[scene] },
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
        // The first second fills caches.
        if (n >= 8) times.push(performance.now() - began);
      }),
    );
    await sleep(EVERY_MS);
  }
  await Promise.all(asked);
  return times;
}
