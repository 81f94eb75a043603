import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { nameServers } from './name-servers.js';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** What the server says of each name: records by type, or a code; silent about all others. */
const ZONE: Record<string, { [type: number]: number[][] } | number> = {
  'both.example': { [A]: [[142, 250, 64, 110]], [AAAA]: [[0x20, 1, 0x48, 0x60, ...Array(11).fill(0), 1]] },
  'v4.example': {
    [A]: [
      [1, 1, 1, 1],
      [1, 0, 0, 1],
    ],
  },
  'v6.example': { [AAAA]: [[0x20, 1, 0x48, 0x60, ...Array(11).fill(0), 1]] },
  'empty.example': {},
  'nobody.example': NXDOMAIN,
};

let server: Socket;
let lookUp: (name: string) => Promise<LookupAddress[]>;
beforeAll(async () => {
  server = createSocket('udp4', (question, from) => {
    const reply = answerTo(question);
    if (reply) server.send(reply, from.port, from.address);
  }).bind(0, '127.0.0.1');
  await once(server, 'listening');
  const resolve = nameServers([`127.0.0.1:${server.address().port}`]);
  lookUp = (name) =>
    new Promise((done, fail) =>
      // An error of the name servers is one of Node's own realm.
      resolve(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
    );
});
afterAll(() => server.close());

function answerTo(question: Buffer): Buffer | undefined {
  const labels: string[] = [];
  let at = 12;
  for (; question[at]; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  const said = ZONE[labels.join('.')];
  if (said === undefined) return undefined;
  const records = typeof said === 'number' ? [] : (said[question.readUInt16BE(at + 1)] ?? []);
  const code = typeof said === 'number' ? said : 0;
  const head = Buffer.from([
    question[0]!,
    question[1]!,
    0x81,
    0x80 | code,
    0,
    1,
    0,
    records.length,
    0,
    0,
    0,
    0,
  ]);
  const type = question.subarray(at + 1, at + 3);
  const answers = records.map((data) =>
    Buffer.from([0xc0, 12, ...type, 0, 1, 0, 0, 0, 60, 0, data.length, ...data]),
  );
  return Buffer.concat([head, question.subarray(12, at + 5), ...answers]);
}

const V6 = { address: '2001:4860::1', family: 6 };

it.each([
  ['both.example', [{ address: '142.250.64.110', family: 4 }, V6]],
  [
    'v4.example',
    [
      { address: '1.1.1.1', family: 4 },
      { address: '1.0.0.1', family: 4 },
    ],
  ],
  ['v6.example', [V6]],
])('%s has all its addresses, IPv4 first', async (name, addresses) => {
  expect(await lookUp(name)).toEqual(addresses);
});

it.each([
  ['nobody.example', 'ENOTFOUND'],
  ['empty.example', 'ENODATA'],
])('%s has none: %s', async (name, code) => {
  await expect(lookUp(name)).rejects.toMatchObject({ code });
});

it('a hundred names whose servers are silent hold up nobody else', async () => {
  const silent = Array.from({ length: 100 }, (_, n) =>
    lookUp(`n${n}.silent.example`).catch(({ code }) => code),
  );
  const startedAt = performance.now();
  expect(await lookUp('v6.example')).toEqual([V6]);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ETIMEOUT']));
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});
