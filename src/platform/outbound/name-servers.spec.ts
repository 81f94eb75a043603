import { createSocket, type Socket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { nameServers } from './name-servers.js';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;

/** Records by type, or an error code. */
type Said = { [type: number]: number[][] } | number;

/** The server's answers; it is silent about all other names. */
const ZONE: Record<string, Said> = {
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
type LookUp = (name: string) => Promise<LookupAddress[]>;

let lookUp: LookUp;
/** Each answers one question about a `silent` name, that there is no such name. */
const held: (() => void)[] = [];
beforeAll(async () => {
  server = createSocket('udp4', (question, from) => {
    const { name, at } = readName(question);
    const send = (said: Said) => server.send(answerTo(question, at, said), from.port, from.address);
    const said = ZONE[name];
    if (said === undefined) held.push(() => send(NXDOMAIN));
    else send(said);
  }).bind(0, '127.0.0.1');
  await once(server, 'listening');
  lookUp = lookUpWithin(600_000);
});
afterAll(() => server.close());

/** @param timeoutMs of the first query. */
function lookUpWithin(timeoutMs: number): LookUp {
  const resolve = nameServers([`127.0.0.1:${server.address().port}`], timeoutMs);
  return (name) =>
    new Promise((done, fail) =>
      resolve(name, { all: true }, (error, addresses) => (error ? fail(error) : done(addresses))),
    );
}

/** The name a question asks for, and where its record type begins. */
function readName(question: Buffer): { name: string; at: number } {
  const labels: string[] = [];
  let at = 12;
  for (; question[at]; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!));
  return { name: labels.join('.'), at };
}

function answerTo(question: Buffer, at: number, said: Said): Buffer {
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
])('%s resolves to all its addresses, IPv4 first', async (name, addresses) => {
  expect(await lookUp(name)).toEqual(addresses);
});

it.each([
  ['nobody.example', 'ENOTFOUND'],
  ['empty.example', 'ENODATA'],
])('%s does not resolve: %s', async (name, code) => {
  await expect(lookUp(name)).rejects.toMatchObject({ code });
});

it('a query to a silent server times out with ETIMEOUT', async () => {
  await expect(lookUpWithin(100)('n.silent.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

it('a hundred lookups at a silent server do not block other names', async () => {
  held.length = 0;
  const silent = Array.from({ length: 100 }, (_, n) =>
    lookUp(`n${n}.silent.example`).catch(({ code }) => code),
  );
  expect(await lookUp('v6.example')).toEqual([V6]);
  // Both record types of each.
  while (held.length < 200) await sleep(10);
  for (const refuse of held) refuse();
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['ENOTFOUND']));
});
