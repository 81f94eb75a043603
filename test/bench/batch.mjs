// A CSV file of a thousand rows, and the same file again, on the embedded database with the service's defaults:
//
//   npm run bench -- --only batch [--rounds 5]
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { fixed, printTable } from './report.mjs';
import { runCommand, startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const ROWS = 1_000;
const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });

const fileOf = (round) =>
  [
    'external_ref,nombre,telefono,departamento,municipio,direccion,recogida.lat,recogida.lng,cod_amount',
    ...Array.from(
      { length: ROWS },
      (_, n) =>
        `pedido-${round}-${n},Ana López,${30_000_000 + n},Guatemala,Mixco,4a calle 5-10,14.6349,-90.5069,${n}.50`,
    ),
  ].join('\n');

await withTeardown(async () => {
  const cluster = await startCluster();
  // Both roles in one process, as `npm start` runs them.
  const server = await startService({ DATA_DIR: cluster.dataDir }, { folder: cluster.dataDir });
  const database = { DATA_DIR: cluster.dataDir };
  const { merchant_id: merchant } = await runCommand(['merchants', 'create', '--name', 'Lotes'], database);
  const { api_key: key } = await runCommand(['keys', 'create', '--merchant', merchant], database);

  async function send(file, counts) {
    const began = performance.now();
    const response = await fetch(`http://127.0.0.1:${server.port}/api/v1/guias/lote`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'text/csv' },
      body: file,
    });
    const { creadas, duplicadas } = await response.json();
    const ms = performance.now() - began;
    if (`${creadas} ${duplicadas}` !== counts)
      throw new Error(
        `expected ${counts}: ${response.status}, ${creadas} ${duplicadas}, after ${fixed(ms, 0)} ms`,
      );
    return ms;
  }

  const rounds = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const file = fileOf(round);
    rounds.push([String(round), await send(file, `${ROWS} 0`), await send(file, `0 ${ROWS}`)]);
  }
  printTable(
    ['round', 'new, ms', 'again, ms'],
    rounds.map(([round, ...times]) => [round, ...times.map((ms) => fixed(ms, 0))]),
  );
});
