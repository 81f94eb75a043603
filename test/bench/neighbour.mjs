// What one merchant at full speed costs another:
//
//   npm run bench -- --only neighbour [--seconds 20] [--c 16] [--rounds 3]
//
// A merchant creates a guide and reads its first page in turn, eight requests a second, while another
//
//   rests     sends nothing
//   limited   creates as fast as it is answered, on `--c` connections, and is held to the default limit of requests a minute
//   unlimited does so without a limit
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
  },
});
const SECONDS = Number(options.seconds);
const EVERY_MS = 125;
const PER_MINUTE = { rests: '600', limited: '600', unlimited: '1000000000' };

await withTeardown(async () => {
  const cluster = await startCluster();
  const env = { DATA_DIR: cluster.dataDir };
  const found = Object.fromEntries(Object.keys(PER_MINUTE).map((scene) => [scene, []]));
  for (let round = 0; round < Number(options.rounds); round++)
    for (const [scene, limit] of Object.entries(PER_MINUTE)) {
      const [calm, busy] = [await newMerchant(env), await newMerchant(env)];
      const server = await startService(
        { ...env, RATE_LIMIT_PER_MINUTE: limit },
        { folder: cluster.dataDir },
      );
      const requests = SCENARIOS.create
        .prepare({ key: busy.key })
        .map((request) => ({ ...request, mayBeLimited: true }));
      const rush =
        scene === 'rests'
          ? undefined
          : load({
              ...server,
              postgresPid: cluster.pid,
              requests,
              connections: Number(options.c),
              seconds: SECONDS,
            });
      found[scene].push(...(await waits(server.port, calm.key)));
      const { rate } = (await rush) ?? {};
      if (rate) console.error(`${scene}: ${Math.round(rate)} requests of the other's answered a second`);
      await server.stop();
    }
  printRow('answers to the first merchant, ms', 'p50', 'p99', 'max');
  for (const [scene, times] of Object.entries(found))
    printRow(`  the other ${scene}`, ...Object.values(quantiles(times)));
});

/** Milliseconds of each answer to a merchant that does not hurry. */
async function waits(port, key) {
  const url = `http://127.0.0.1:${port}/api/v1/guias`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const guide = {
    telefono: '+50255551235',
    departamento: 'Guatemala',
    municipio: 'Mixco',
    lat: 14.64,
    lng: -90.51,
    recogida: { lat: 14.6, lng: -90.5 },
  };
  const times = [];
  const asked = [];
  for (let n = 0; n < (SECONDS * 1_000) / EVERY_MS; n++) {
    const began = performance.now();
    const answer =
      n % 2 === 0
        ? fetch(url, { method: 'POST', headers, body: JSON.stringify(guide) })
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
