// Asks over keep-alive connections with one request under way on each, in a process of its own: what that costs
// is in no figure. It is sent a task and sends back what came of it. Every answer is checked.
import { connect } from 'node:net';

/** No two references are alike: they count on from the microsecond of the start. */
let counter = Date.now() * 1_000;
const REFERENCE_LENGTH = 12;

process.on('message', (task) => {
  run(task).then((result) => process.send(result));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole group; who started this one ends it.
process.on('SIGINT', () => undefined);

/** Until the time is over and so many answers are there; ten times the time at most. */
async function run({ port, connections, ms, atLeast, requests }) {
  const asked = requests.map(({ text, body, ...request }) => ({
    ...request,
    bytes: Buffer.from(text),
    body: body === undefined ? undefined : Buffer.from(body),
  }));
  const times = [];
  const faults = [];
  let turn = 0;
  const cpu = process.cpuUsage();
  const start = performance.now();
  const next = () => {
    const passed = performance.now() - start;
    const isDone = passed >= (turn < atLeast ? 10 * ms : ms);
    if (isDone || faults.length > 0) return undefined;
    return ready(asked[turn++ % asked.length]);
  };
  const take = (request, answer, time) => {
    if (isRight(request, answer)) times.push(time);
    else faults.push(`${answer.status} ${String(answer.body).slice(0, 500)}`);
  };
  await Promise.all(
    Array.from({ length: connections }, () =>
      converse(port, next, take).catch((error) => void faults.push(error.message)),
    ),
  );
  const { user, system } = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - start) / 1_000,
    answers: times.length,
    ...quantiles(times),
    generatorCpu: (user + system) / 1e6,
    fault: faults[0],
  };
}

/** A request; one that makes a guide gets a reference that no other has, and hardly ever another's phone. */
function ready(request) {
  if (!request.varies) return request;
  counter += 1;
  const reference = counter.toString(36).padStart(REFERENCE_LENGTH, '0');
  const bytes = Buffer.from(request.bytes);
  bytes.write(reference, request.varies.referenceAt, 'latin1');
  bytes.write(String(30_000_000 + ((counter * 7_919) % 30_000_000)), request.varies.phoneAt, 'latin1');
  return { ...request, bytes, contains: ['"id":"', reference] };
}

function isRight({ status, body, contains = [] }, answer) {
  if (answer.status !== status) return false;
  if (body !== undefined) return answer.body.equals(body);
  return contains.every((part) => answer.body.includes(part));
}

/** Sends one request after the other on one connection, until there is no next one. */
function converse(port, next, take) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let received = Buffer.alloc(0);
    let request;
    let sentAt;
    const send = () => {
      request = next();
      if (!request) return socket.end(resolve);
      sentAt = performance.now();
      socket.write(request.bytes);
    };
    socket.once('connect', send);
    socket.on('data', (data) => {
      received = received.length === 0 ? data : Buffer.concat([received, data]);
      const answer = readAnswer(received);
      if (!answer) return;
      take(request, answer, performance.now() - sentAt);
      received = Buffer.alloc(0);
      send();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('a connection was closed')));
  });
}

/** The answer, once all of it is there. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.latin1Slice(0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
  const body = bytes.subarray(headEnd + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body };
}

/** In milliseconds. */
function quantiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { p50: at(0.5), p99: at(0.99) };
}
