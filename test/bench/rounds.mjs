// Paired rounds: in each, every contender is asked for the same time, right after one another and in the reverse
// order every other round. What shifts slowly on a machine shifts for all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './load.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { untilCount } from './stores.mjs';

/** Functions are compiled after thousands of calls: on a busy machine seconds alone would not get there. */
const WARM_UP = { seconds: 2, atLeast: 4_000 };

/**
 * Runs one scenario; for each size the rounds of the service and of what it is compared with.
 * @returns {Promise<{ rows: number, against: string, service: object[], reference: object[] }[]>}
 */
export async function runScenario(name, stages, { postgresPid, rounds, seconds, connections }) {
  const { against } = SCENARIOS[name];
  const contenders = [];
  for (const stage of stages) {
    const { service, [against]: other = service } = stage.servers;
    contenders.push(await contender(stage, 'service', service, name));
    contenders.push(await contender(stage, 'reference', other, other === service ? against : name));
  }
  const measure = async ({ server, requests, stage }, duration) => {
    const { pid, port } = server;
    const measured = await load({ pid, port, postgresPid, requests, connections, ...duration });
    await quiet(stage);
    return measured;
  };
  for (const each of contenders) await measure(each, WARM_UP);
  for (let round = 0; round < rounds; round++) {
    for (const each of round % 2 ? contenders.toReversed() : contenders)
      each.measured.push(await measure(each, { seconds }));
  }
  return stages.map(({ rows }) => {
    const [service, reference] = contenders.filter(({ stage }) => stage.rows === rows);
    return { rows, against, service: service.measured, reference: reference.measured };
  });
}

async function contender(stage, side, server, scenario) {
  return { stage, side, server, requests: await SCENARIOS[scenario].prepare(server), measured: [] };
}

/** What a run left to the relay must not slow the next one down. */
async function quiet({ serviceUrl }) {
  await untilCount({ database: serviceUrl }, 'select count(*) from eventos where despachado_en is null', 0);
  await sleep(50);
}
