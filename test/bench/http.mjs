// Cost of a request, beside a bare Fastify and pg on the same PostgreSQL with the same rows:
//
//   npm run bench -- [--rows 10000,100000] [--rounds 3] [--seconds 2] [--c 32] [--scenarios list,create]
//                    [--bare-rows 10000] [--shared-buffers 128MB] [--starts 5] [--json FILE]
//
// The service runs in ROLE=api with its defaults, except that the rate limit is off and the access log goes
// to a file. There are three bare servers: `text` is the reference of the lists, `batch` that of create, `plain` that of
// the rest. Filters that the bare servers lack are compared with the service's own unfiltered list, and a
// create that asks the recipient for the address with a create that does not. In a cell `a / b`, a is the
// service and b its reference. A ratio is computed within a round and printed as median (minimum–maximum)
// over the rounds. CPU is in milliseconds per request, of the Node process and of all of PostgreSQL.
//
// On a shared machine CPU is the most reliable figure (±5 %), then requests per second (±15 %). p99 needs
// five rounds or more. Ten million rows need about 20 GB of disk and ten minutes to fill; where the service is compared
// with itself at another size, --bare-rows saves the bare servers' part of it.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { memory } from './process-usage.mjs';
import { fixed, growth, printGrowth, printSize, printTable, summarise } from './report.mjs';
import { runScenario } from './rounds.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { openStage } from './stage.mjs';
import { startUps } from './start-up.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000,100000' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '2' },
    c: { type: 'string', default: '32' },
    scenarios: { type: 'string', default: Object.keys(SCENARIOS).join(',') },
    'shared-buffers': { type: 'string' },
    'bare-rows': { type: 'string', default: 'Infinity' },
    starts: { type: 'string', default: '5' },
    json: { type: 'string' },
  },
});

const sizes = options.rows.split(',').map(Number);
const names = options.scenarios.split(',');
const unknown = names.filter((name) => !(name in SCENARIOS));
if (unknown.length > 0) {
  console.error(`--scenarios: unknown ${unknown.join(', ')}; known are ${Object.keys(SCENARIOS).join(', ')}`);
  process.exit(2);
}

await withTeardown(async () => {
  const buffers = options['shared-buffers'];
  const { cluster, stages } = await openStage(sizes, {
    settings: buffers ? [`shared_buffers=${buffers}`] : [],
    bareRows: Number(options['bare-rows']),
  });
  const settings = {
    postgresPid: cluster.pid,
    rounds: Number(options.rounds),
    seconds: Number(options.seconds),
    connections: Number(options.c),
  };
  const measured = [];
  for (const name of names) {
    console.error(name);
    measured.push([name, await runScenario(name, stages, settings)]);
  }
  const memories = stages.map(memoryOf);
  await Promise.all(stages.flatMap(({ servers }) => Object.values(servers).map((server) => server.stop())));
  await cluster.stop();
  const starts = options.starts === '0' ? [] : await startUps(cluster.dataDir, Number(options.starts));

  const scenarios = measured.map(([name, results]) => [name, results.map(summarise)]);
  sizes.forEach((rows, i) =>
    printSize(
      rows,
      scenarios.map(([name, results]) => [name, results[i]]),
    ),
  );
  const growths = measured.map(([name, results]) => [name, growth(results)]);
  if (sizes.length > 1) printGrowth(growths);
  printMemory(memories);
  if (starts.length > 0) printStarts(starts);
  if (options.json) writeJson({ scenarios, growths, memories, starts });
});

function memoryOf({ rows, servers }) {
  const of = ({ pid, memoryAtStart }) => ({ start: memoryAtStart, peak: memory(pid).peak });
  return {
    rows,
    service: of(servers.service),
    plain: of(servers.plain),
    text: of(servers.text),
    batch: of(servers.batch),
  };
}

function printMemory(memories) {
  console.log('\nMemory, MB: at start / peak');
  const cell = ({ start, peak }) => `${fixed(start, 0)} / ${fixed(peak, 0)}`;
  printTable(
    ['rows', 'service', 'plain', 'text', 'batch'],
    memories.map(({ rows, service, plain, text, batch }) => [
      rows.toLocaleString('en'),
      ...[service, plain, text, batch].map(cell),
    ]),
  );
}

function printStarts(starts) {
  console.log('\nStart to first answer, all roles, own PostgreSQL, filled folder');
  printTable(
    ['start', 's', 'CPU s', 'MB'],
    starts.map(({ seconds, cpu, memory: used }, i) => [
      String(i + 1),
      fixed(seconds, 2),
      fixed(cpu, 2),
      fixed(used, 0),
    ]),
  );
}

function writeJson({ scenarios, growths, memories, starts }) {
  const report = {
    at: new Date().toISOString(),
    node: process.version,
    cores: availableParallelism(),
    options,
    scenarios: Object.fromEntries(scenarios),
    growth: Object.fromEntries(growths),
    memory: memories,
    starts,
  };
  writeFileSync(options.json, `${JSON.stringify(report, null, 1)}\n`);
}
