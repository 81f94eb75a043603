// Sends recorded exchanges of the tests through Prism, and prints what it finds in the answers. To record them:
//   mkdir recorded && GUIAS_TEST_RECORDED=$PWD/recorded npm test && node test/third-party/replay.mjs recorded
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { installTools } from '../support/tool-package.mjs';
import { startPrism } from './tools.mjs';

/** Exchanges in flight: Prism has one thread. */
const PARALLEL = 8;

const [folder] = process.argv.slice(2);
const exchanges = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line));
if (exchanges.length === 0) throw new Error(`${folder} holds no recorded exchanges.`);

/** Answers as the service did. */
const recorded = createServer((incoming, reply) => {
  incoming.resume();
  const { status, headers, body } = exchanges[incoming.headers['x-recorded']];
  const kept = Object.entries(headers).filter(([name]) => !/^(content-length|connection)$/.test(name));
  reply.writeHead(status, Object.fromEntries(kept)).end(Buffer.from(body, 'base64'));
}).listen(0, '127.0.0.1');
await once(recorded, 'listening');
installTools('test/third-party');
// Tests send what is wrong on purpose: here it is about the answers.
const upstream = `http://127.0.0.1:${recorded.address().port}`;
const prism = await startPrism(upstream, '--validate-request', 'false');
const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

/** Prism's violations for the answer of an exchange. */
async function replay(index) {
  const { method, url, request: sent } = exchanges[index];
  const headers = Object.fromEntries(Object.entries(sent.headers).filter(([, value]) => value));
  const outgoing = request(`${prism.url}`, {
    ...{ method, path: url, agent },
    headers: { ...headers, 'x-recorded': index },
  });
  outgoing.end(method === 'GET' || method === 'HEAD' ? undefined : sent.body);
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  await once(answer, 'end');
  const violations = JSON.parse(answer.headers['sl-violations'] ?? '[]');
  return violations
    .filter(({ location: [part] }) => part === 'response')
    .map(({ message, location }) => `${location.join('.')}: ${message}`);
}

const found = [];
let next = 0;
await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let index = next++; index < exchanges.length; index = next++) {
      const { method, route, status } = exchanges[index];
      for (const violation of await replay(index)) found.push(`${method} ${route} ${status}: ${violation}`);
    }
  }),
);
await prism.stop();
recorded.close();
agent.destroy();
for (const violation of new Set(found)) console.log(violation);
console.log(`${found.length} violations in ${exchanges.length} answers`);
process.exitCode = found.length > 0 ? 1 : 0;
