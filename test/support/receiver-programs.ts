import { spawn } from 'node:child_process';
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';

/** A program of docs/ that receives signed requests; it listens on `PORT` at 127.0.0.1. */
export interface ReceiverProgram {
  url: string;
  output: () => string;
  errors: () => string;
  /** Whether it still runs. */
  isAlive: () => boolean;
  end: () => Promise<void>;
}

/** Milliseconds; for programs that end at once. */
const START_MS = 30_000;

/** Runs a program until it answers. @param argsOf its arguments, by its port. */
export async function startReceiverProgram(
  runner: string,
  argsOf: (port: number) => string[],
  { cwd, env, port }: { cwd: string; env: Record<string, string>; port?: number },
): Promise<ReceiverProgram> {
  port ??= await freePort();
  const child = spawn(runner, argsOf(port), {
    cwd,
    env: { PATH: process.env.PATH, TMPDIR: cwd, PORT: String(port), ...env },
  });
  let [output, errors] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const exited = once(child, 'exit');
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const end = async () => {
    child.kill();
    await exited;
  };
  const url = `http://127.0.0.1:${port}/`;
  try {
    await eventually(() => fetch(url, { method: 'POST', body: '{}' }), START_MS);
  } catch (error) {
    await end();
    throw new Error(errors, { cause: error });
  }
  return { url, output: () => output, errors: () => errors, isAlive, end };
}

const NUMBER = '483920175567';
const BODY = JSON.stringify({
  ...{ id: randomUUID(), tipo: 'confirmacion_ubicacion', telefono: '+50255551234', texto: `Guía ${NUMBER}` },
  type: 'guia.creada',
  data: { secuencia: 1, estado: 'aceptado', guia: { guia: NUMBER } },
});

const keyOf = (secret: string) => Buffer.from(secret.replace('whsec_', ''), 'base64');

/** The headers of a signed request; `time` is in seconds. */
function signed(key: Buffer, { body = BODY, time = now() } = {}) {
  const id = randomUUID();
  const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(time), 'webhook-signature': `v1,${signature}` };
}

const now = () => Math.floor(Date.now() / 1_000);
const post = async (url: string, headers: Record<string, string>, body = BODY) =>
  (await fetch(url, { method: 'POST', headers, body })).status;

/** Sends the beginning of a request, and goes away. */
async function abort(url: string, head: string, how: 'destroy' | 'resetAndDestroy'): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).resume();
  await once(socket, 'connect');
  const closed = once(socket, 'close');
  socket.write(head, () => socket[how]());
  await closed;
}

/**
 * What a receiver does with requests that are aborted or not to be believed, and then with a true one that comes twice.
 * `notRefused` lists the requests of the first kind that get another answer than 401.
 */
export async function callHostilely({ url, output }: ReceiverProgram, secret: string) {
  const key = keyOf(secret);
  const headers = signed(key);
  for (const head of ['POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{', 'POST / HT', '\r\n\r\n'])
    for (const how of ['destroy', 'resetAndDestroy'] as const) await abort(url, head, how);
  const forged: Record<string, Record<string, string>> = {
    'no signature': {},
    'an empty signature': { ...headers, 'webhook-signature': '' },
    'a signature without its value': { ...headers, 'webhook-signature': 'v1 v1, ,' },
    'a thousand signatures': { ...headers, 'webhook-signature': 'v1,AAAA '.repeat(1_000).trim() },
    'an empty key': signed(Buffer.alloc(0)),
    'the key `undefined`': signed(keyOf('undefined')),
    'another key': signed(randomBytes(32)),
    'another body': signed(key, { body: `${BODY} ` }),
    'another id': { ...headers, 'webhook-id': randomUUID() },
    'no id': { ...headers, 'webhook-id': '' },
    'another time': { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) - 1) },
    'an hour ago': signed(key, { time: now() - 3_600 }),
    'in an hour': signed(key, { time: now() + 3_600 }),
    'no number as its time': { ...headers, 'webhook-timestamp': 'ayer' },
    'a superscript as its time': { ...headers, 'webhook-timestamp': '²' },
    'a time of 5,000 digits': { ...headers, 'webhook-timestamp': '9'.repeat(5_000) },
  };
  const notRefused: string[] = [];
  for (const [title, given] of Object.entries(forged)) {
    const status = await post(url, given);
    if (status !== 401) notRefused.push(`${title}: ${status}`);
  }
  const believed = output().includes(NUMBER);
  const taken = [await post(url, headers), await post(url, headers)];
  await eventually(() => expect(output()).toContain(NUMBER));
  return { notRefused, believed, taken, printed: output().split(NUMBER).length - 1 };
}

/** Secrets with which nothing can be verified, by names. */
export const NO_SECRETS: Record<string, string | undefined> = {
  'no secret': undefined,
  'an empty secret': '',
  'a secret without its key': 'whsec_',
};

/** The answer of a receiver with such a secret to a request signed as if it were one. */
export const forgeWithout = (url: string, secret = ''): Promise<number> => post(url, signed(keyOf(secret)));
