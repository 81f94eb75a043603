import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import fastify from 'fastify';
import { pino } from 'pino';
import type { AppError } from '../errors/app-error.js';
import { limitWaitingBodies } from './waiting-bodies.js';

const SILENT = pino({ level: 'silent' });

describe('limitWaitingBodies', () => {
  const app = fastify({ forceCloseConnections: true });
  let release: (() => void) | undefined;
  let port: number;

  beforeAll(async () => {
    app.setErrorHandler((error: AppError, _request, reply) => void reply.status(error.status).send(''));
    limitWaitingBodies(app, SILENT, 1_000);
    app.post('/', (_request, reply) => void reply.send('ok'));
    app.post('/slow', (_request, reply) => void (release = () => void reply.send('ok')));
    await app.listen();
    ({ port } = app.server.address() as AddressInfo);
  });
  afterAll(() => app.close());

  /** Sends a body of 800 bytes, of which so many at once. */
  async function begin(bytes: number, path = '/') {
    const socket = connect(port, 'localhost');
    await once(socket, 'connect');
    const text = JSON.stringify('a'.repeat(798));
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 800\r\n\r\n${text.slice(0, bytes)}`,
    );
    const answered = once(socket, 'data').then(([data]) => String(data).slice(9, 12));
    return { socket, answered, rest: () => socket.write(text.slice(bytes)) };
  }

  it('refuses the body that has been sent for longest, and takes the new one', async () => {
    const stalled = await begin(600);
    const second = await begin(600);
    expect(await stalled.answered).toBe('503');
    second.rest();
    expect(await second.answered).toBe('200');
    const third = await begin(800);
    expect(await third.answered).toBe('200');
    for (const { socket } of [stalled, second, third]) socket.destroy();
  });

  it('counts a body until its answer, and interrupts none that is being worked on', async () => {
    const working = await begin(800, '/slow');
    while (!release) await new Promise(setImmediate);
    const refused = await begin(800);
    expect(await refused.answered).toBe('503');
    release();
    expect(await working.answered).toBe('200');
    const next = await begin(800);
    expect(await next.answered).toBe('200');
    for (const { socket } of [working, refused, next]) socket.destroy();
  });
});
