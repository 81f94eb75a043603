// Paired rounds: in each, all contenders get requests for the same time, one right after another, in reverse
// order every other round. Slow changes of the machine's speed therefore affect all of them alike.
import { setTimeout as sleep } from 'node:timers/promises';
import { load } from './load.mjs';
import { SCENARIOS } from './scenarios.mjs';
import { query, untilCount } from './stores.mjs';

/**
 * V8 optimises a function after thousands of calls, which on a busy machine may take longer than the seconds.
 */
const WARM_UP = { seconds: 2, atLeast: 4_000 };

/** Events to dispatch: more than a relay can in one round. */
const BACKLOG = `with nuevos as (
    insert into eventos (comercio_id, guia_id, id, tipo, creado_en)
    select comercio_id, id, gen_random_uuid(), 'guia.creada', now() from guias where not direccion_confirmada limit 10000
    returning comercio_id, guia_id, id
  )
  insert into eventos_pendientes (comercio_id, guia_id, id) select * from nuevos`;

const WAITING = 'select count(*)::int from eventos_pendientes';

/**
 * Runs one scenario: for each size, the rounds of the service and of its reference.
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
  const measure = async ({ server, requests, stage, isBesideBacklog }, duration) => {
    const { pid, port } = server;
    if (isBesideBacklog) await query(stage.serviceUrl, BACKLOG);
    const measured = await load({ pid, port, postgresPid, requests, connections, ...duration });
    if (isBesideBacklog && (await query(stage.serviceUrl, WAITING))[0].count === 0)
      throw new Error('the backlog was gone before the round was over');
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
  const { prepare, isBesideBacklog } = SCENARIOS[scenario];
  return { stage, side, server, requests: await prepare(server), isBesideBacklog, measured: [] };
}

/** Waits for the relay, so that one run does not slow down the next. */
async function quiet({ serviceUrl }) {
  await untilCount({ database: serviceUrl }, WAITING, 0);
  await sleep(50);
}
