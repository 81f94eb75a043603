// Where the service's time goes in one scenario, function by function:
//
//   npm run bench -- --only profile [--scenario create] [--rows 100000] [--seconds 10] [--c 32] [--top 25] [--keep FILE]
//
// In microseconds per request, of the main thread: `self` in the function, `total` with what it called. FILE
// keeps the profile, to be opened in a browser's developer tools. Profiling itself costs up to a fifth.
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

/** Of the monotonic clock, which V8 stamps samples with. */
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
  const rooms = new Map();
  for (const { room, self } of functions) rooms.set(room, (rooms.get(room) ?? 0) + self);
  const byRoom = [...rooms].sort(([, a], [, b]) => b - a);
  printTable(
    ['self, by package', 'µs', 'part'],
    byRoom.slice(0, top).map(([room, time]) => [room, per(time), part(time)]),
  );
  for (const figure of ['self', 'total']) {
    const lines = functions.toSorted((a, b) => b[figure] - a[figure]).slice(0, top);
    console.log('');
    printTable(
      [`${figure}, by function`, 'µs', 'part', 'place'],
      lines.map((it) => [it.name, per(it[figure]), part(it[figure]), it.place || it.room]),
    );
  }
}
