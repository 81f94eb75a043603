// Sends recorded answers of the tests through Prism, and prints what it finds in the answers. To record them:
//   GUIAS_TEST_RECORDED=$PWD/recorded npm test && node test/third-party/replay.mjs recorded
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { join } from 'node:path';
import { installTools } from '../support/tool-package.mjs';
import { startPrism } from './tools.mjs';

/** Requests in flight: Prism has one thread. */
const PARALLEL = 8;

const [folder] = process.argv.slice(2);
const answers = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
  .map((line) => JSON.parse(line));
if (answers.length === 0) throw new Error(`${folder} holds no recorded answers.`);

/** Answers as the service did. */
const recorded = createServer((incoming, reply) => {
  incoming.resume();
  const { status, headers, body } = answers[incoming.headers['x-recorded']];
  const kept = Object.entries(headers).filter(([name]) => !/^(content-length|connection)$/.test(name));
  reply.writeHead(status, Object.fromEntries(kept)).end(Buffer.from(body, 'base64'));
}).listen(0, '127.0.0.1');
await once(recorded, 'listening');
await installTools('test/third-party');
// Here it is about the answers alone.
const upstream = `http://127.0.0.1:${recorded.address().port}`;
const prism = await startPrism(upstream, '--validate-request', 'false');
const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });

/** Prism's violations for an answer. */
async function replay(index) {
  const { method, url } = answers[index];
  // Without its body, which Prism would send on in another form.
  const headers = { authorization: 'Bearer x', 'x-recorded': index };
  // The service takes a slash at the end; Prism would take what is behind it for an id of no letters.
  const path = url.replace(/\/(?=$|\?)/, '');
  const outgoing = request(prism.url, { method, path, agent, headers }).end();
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
    for (let index = next++; index < answers.length; index = next++) {
      const { method, route, status } = answers[index];
      for (const violation of await replay(index)) found.push(`${method} ${route} ${status}: ${violation}`);
    }
  }),
);
await prism.stop();
recorded.close();
agent.destroy();
for (const violation of new Set(found)) console.log(violation);
console.log(`${found.length} violations in ${answers.length} answers`);
process.exitCode = found.length > 0 ? 1 : 0;
