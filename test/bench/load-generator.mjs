// Sends requests over keep-alive connections, one in flight on each. It runs in its own process, so that its
// cost is not part of any figure. It receives a task from its parent, checks every answer, and sends the
// result back.
import { connect } from 'node:net';

/** Makes references unique: counts from the microsecond of the start. */
let counter = Date.now() * 1_000;
const REFERENCE_LENGTH = 12;

process.on('message', (task) => {
  run(task).then((result) => process.send(result));
});
process.on('disconnect', () => process.exit());
// Ctrl-C reaches the whole process group; the parent ends this process.
process.on('SIGINT', () => undefined);

/** Runs until the time is over and `atLeast` answers have arrived, but at most ten times the time. */
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

/** The bytes of a request. A create gets a unique reference, and a phone that hardly ever repeats. */
function ready(request) {
  if (!request.varies) return request;
  counter += 1;
  const reference = counter.toString(36).padStart(REFERENCE_LENGTH, '0');
  const bytes = Buffer.from(request.bytes);
  bytes.write(reference, request.varies.referenceAt, 'latin1');
  bytes.write(String(30_000_000 + ((counter * 7_919) % 30_000_000)), request.varies.phoneAt, 'latin1');
  return { ...request, bytes, contains: ['"id":"', reference] };
}

function isRight({ status, body, contains = [], mayBeLimited = false }, answer) {
  if (mayBeLimited && answer.status === 429) return true;
  if (answer.status !== status) return false;
  if (body !== undefined) return answer.body.equals(body);
  return contains.every((part) => answer.body.includes(part));
}

/** Sends requests one after another on one connection, until there is no next one. */
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

/** The answer, once it is complete. */
function readAnswer(bytes) {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = bytes.latin1Slice(0, headEnd);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1]);
  const body = bytes.subarray(headEnd + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body };
}

/** @param times milliseconds */
function quantiles(times) {
  const sorted = Float64Array.from(times).sort();
  const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
  return { p50: at(0.5), p99: at(0.99) };
}
