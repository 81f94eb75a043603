// CPU profile of the service in one scenario, by function:
//
//   npm run bench -- --only profile [--scenario create] [--rows 100000] [--seconds 10] [--c 32] [--top 25] [--keep FILE]
//
// Figures are microseconds of the main thread per request: `self` is the function alone, `total` includes its
// callees. FILE keeps the profile for a browser's developer tools. Profiling costs up to a fifth of the
// throughput.
import { copyFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readCpuProfile } from './cpu-profile.mjs';
import { load } from './load.mjs';
import { printTable } from './report.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { openStage } from './stage.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    scenario: { type: 'string', default: 'create' },
    rows: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '10' },
    c: { type: 'string', default: '32' },
    top: { type: 'string', default: '25' },
    keep: { type: 'string' },
  },
});

const WARM_UP = { seconds: 5, atLeast: 10_000 };
const INTERVAL_US = 200;

/** Time of the monotonic clock, which V8 uses for its samples. */
const microseconds = () => Number(process.hrtime.bigint() / 1_000n);

await withTeardown(async () => {
  const { cluster, stages } = await openStage([Number(options.rows)], {
    flags: ['--cpu-prof', '--cpu-prof-dir=profiles', `--cpu-prof-interval=${INTERVAL_US}`],
  });
  const { service } = stages[0].servers;
  const task = {
    pid: service.pid,
    port: service.port,
    postgresPid: cluster.pid,
    requests: await SCENARIOS[options.scenario].prepare(service),
    connections: Number(options.c),
  };
  await load({ ...task, ...WARM_UP });
  const from = microseconds();
  const { answers } = await load({ ...task, seconds: Number(options.seconds) });
  const until = microseconds();
  await service.stop();
  const folder = join(cluster.dataDir, 'profiles');
  const file = join(folder, readdirSync(folder)[0]);
  if (options.keep) copyFileSync(file, options.keep);
  print(readCpuProfile(JSON.parse(readFileSync(file, 'utf8')), [from, until]), answers);
});

function print({ busy, functions }, answers) {
  const per = (time) => (time / answers).toFixed(1);
  const part = (time) => `${((100 * time) / busy).toFixed(1)} %`;
  const top = Number(options.top);
  console.log(`\n${options.scenario}: ${answers} requests, ${per(busy)} µs each\n`);
  const byOrigin = new Map();
  for (const { origin, self } of functions) byOrigin.set(origin, (byOrigin.get(origin) ?? 0) + self);
  const origins = [...byOrigin].sort(([, a], [, b]) => b - a);
  printTable(
    ['self, by package', 'µs', 'part'],
    origins.slice(0, top).map(([origin, time]) => [origin, per(time), part(time)]),
  );
  for (const figure of ['self', 'total']) {
    const lines = functions.toSorted((a, b) => b[figure] - a[figure]).slice(0, top);
    console.log('');
    printTable(
      [`${figure}, by function`, 'µs', 'part', 'place'],
      lines.map((it) => [it.name, per(it[figure]), part(it[figure]), it.place || it.origin]),
    );
  }
}
