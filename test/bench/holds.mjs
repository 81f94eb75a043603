// How long one request holds the event loop at most, over every route with its longest and worst inputs:
//
//   npm run bench -- --only holds [--rounds 5] [--from 10] [--top 30] [--route lote]
//
// Each input is sent once; those that held it for --from ms or more, --rounds times more. The least of the rounds is the
// hold: other processes of the machine only add to it. The goal is 50 ms at most.
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { startCluster } from './cluster.mjs';
import { holdInputs } from './hold-inputs.mjs';
import { fixed, printTable } from './report.mjs';
import { ROOT, runCommand, startService } from './servers.mjs';
import { withTeardown } from './teardown.mjs';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    from: { type: 'string', default: '10' },
    top: { type: 'string', default: '30' },
    route: { type: 'string', default: '' },
  },
});

const GOAL_MS = 50;
const WHATSAPP_SECRET = 'a secret of the app, for benchmarks';
const BOARD_USER = 'bench:a-password-of-the-board';

const agent = new Agent({ keepAlive: true });

/** The status of the answer; undefined if the server closed the connection. */
async function send(port, { method, path, headers, body }) {
  const sending = request({ port, method, path, headers, agent });
  sending.end(body);
  try {
    const [answer] = await once(sending, 'response');
    await text(answer);
    return answer.statusCode;
  } catch {
    return undefined;
  }
}

await withTeardown(async () => {
  const cluster = await startCluster();
  const database = { DATABASE_URL: cluster.url };
  const probe = join(cluster.dataDir, 'hold-probe');
  const service = await startService(
    {
      ...database,
      HOLD_PROBE: probe,
      BOARD_USERS: BOARD_USER,
      TRUST_PROXY: '127.0.0.1',
      MESSAGING_PROVIDER: 'whatsapp',
      WHATSAPP_TOKEN: 'a token',
      WHATSAPP_PHONE_NUMBER_ID: '1',
      WHATSAPP_APP_SECRET: WHATSAPP_SECRET,
      WHATSAPP_VERIFY_TOKEN: 'a token',
      WHATSAPP_API_URL: 'http://127.0.0.1:1',
      MAPS_RESOLVER_URL: 'http://127.0.0.1:1',
    },
    { folder: cluster.dataDir, flags: [`--import=${join(ROOT, 'test/bench/hold-probe.mjs')}`] },
  );
  const { merchant_id: merchant } = await runCommand(['merchants', 'create', '--name', 'Holds'], database);
  const keyOf = async (...of) => (await runCommand(['keys', 'create', ...of], database)).api_key;
  const keys = {
    merchant: await keyOf('--merchant', merchant),
    test: await keyOf('--merchant', merchant, '--test'),
    operator: await keyOf('--operator', 'Holds'),
  };
  const document = await (await fetch(`http://127.0.0.1:${service.port}/api/docs-json`)).json();
  const signedIn = await fetch(`http://127.0.0.1:${service.port}/panel`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ api_key: keys.merchant }),
  });
  const session = signedIn.headers.get('set-cookie').split(';')[0];
  const inputs = holdInputs(document, {
    ...keys,
    board: BOARD_USER,
    whatsappSecret: WHATSAPP_SECRET,
    session,
  }).filter(({ route }) => route.includes(options.route));
  /** ms since the last question. */
  const held = async () => Number(await text(connect(probe)));
  const measure = async (input) => {
    await held();
    const status = await send(service.port, input);
    return { ms: await held(), status };
  };

  console.error(`${inputs.length} inputs`);
  for (const input of inputs.slice(0, 200)) await measure(input);
  const results = [];
  const statuses = new Map();
  for (const input of inputs) {
    const first = await measure(input);
    statuses.set(first.status, (statuses.get(first.status) ?? 0) + 1);
    const all = [first.ms];
    if (first.ms >= Number(options.from))
      for (let round = 0; round < Number(options.rounds); round++) all.push((await measure(input)).ms);
    results.push({ ...input, status: first.status, least: Math.min(...all), most: Math.max(...all) });
  }
  results.sort((a, b) => b.least - a.least);
  printTable(
    ['route and input', 'status', 'hold, ms', 'most, ms'],
    results
      .slice(0, Number(options.top))
      .map(({ route, what, status, least, most }) => [
        `${route} ${what}`,
        String(status),
        fixed(least, 1),
        fixed(most, 1),
      ]),
  );
  const over = results.filter(({ least }) => least > GOAL_MS).length;
  console.log(`\n${inputs.length} inputs, of which ${over} held the event loop for more than ${GOAL_MS} ms`);
  console.log(`answers: ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')}`);
});
