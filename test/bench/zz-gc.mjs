import { readFileSync, readdirSync } from 'node:fs';
import { load } from './load.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { openStage } from './stage.mjs';
import { memory } from './process-usage.mjs';
import { withTeardown } from './teardown.mjs';
const sc = process.argv[2] ?? 'list';
await withTeardown(async () => {
  const { cluster, stages } = await openStage([10000], { flags: ['--trace-gc', ...process.argv.slice(3)] });
  const { service, text } = stages[0].servers;
  for (const s of [service, text]) {
  const task = { pid: s.pid, port: s.port, postgresPid: cluster.pid, requests: await SCENARIOS[sc].prepare(s), connections: 32 };
  await load({ ...task, seconds: 2, atLeast: 4000 });
  const r = await load({ ...task, seconds: 4 });
  console.log(r, memory(s.pid));
  }
  await service.stop();
  const f = readdirSync(cluster.dataDir).filter((n) => n.startsWith('server-'));
  for (const n of f) {
    const lines = readFileSync(cluster.dataDir + '/' + n, 'utf8').split('\n').filter((l) => /ms: (Scav|Mark)/.test(l));
    if (!lines.length) continue;
    console.log(n, lines.length, lines.filter(l=>/Mark/.test(l)).length);
    console.log(lines.slice(-12).join('\n'));
  }
});
