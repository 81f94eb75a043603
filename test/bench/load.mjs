// The load generator of a bench: one process, used by all of its measurements.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { cpuSeconds } from './process-usage.mjs';
import { atTheEnd } from './teardown.mjs';

let child;
let ended;

/**
 * Sends a server requests for some seconds. Returns requests per second, quantiles of the latency in
 * milliseconds, and the CPU milliseconds per request of the server's process and of PostgreSQL.
 * @param atLeast answers to wait for, even beyond `seconds`.
 * @param requests with their expected answers, sent in turn; see scenarios.mjs.
 * @throws when an answer differs from the expected one: a broken server must not look fast.
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
