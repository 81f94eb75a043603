// One load generator for a whole bench.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './process-usage.mjs';
import { atTheEnd } from './teardown.mjs';

let child;
let ended;

/**
 * Has a server asked for some time, and gives what that took: requests per second, milliseconds of waiting, and
 * per request the CPU milliseconds of the server's process and of PostgreSQL.
 * @param atLeast answers, for which it takes more time.
 * @param requests each with its answer, in turn; see scenarios.mjs.
 * @throws when one answer was not as expected: a broken server must not look fast.
 */
export async function load({ pid, port, postgresPid, requests, connections, seconds, atLeast = 0 }) {
  if (!child) start();
  const before = [cpuSeconds(pid), cpuSeconds(postgresPid)];
  child.send({ port, requests, connections, ms: seconds * 1_000, atLeast });
  const [result] = await Promise.race([once(child, 'message'), ended]);
  const after = [cpuSeconds(pid), cpuSeconds(postgresPid)];
  if (result?.answers === undefined) throw new Error('the load generator ended');
  if (result.fault !== undefined) throw new Error(`an unexpected answer: ${result.fault}`);
  const { answers } = result;
  const [node, postgres] = after.map((used, i) => ((used - before[i]) * 1_000) / answers);
  return {
    answers,
    rate: answers / result.seconds,
    p50: result.p50,
    p99: result.p99,
    node,
    postgres,
    generator: (result.generatorCpu * 1_000) / answers,
  };
}

function start() {
  child = fork(fileURLToPath(new URL('load-generator.mjs', import.meta.url)));
  ended = once(child, 'exit');
  atTheEnd(() => child.kill('SIGKILL'));
}
