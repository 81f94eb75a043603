import { PassThrough } from 'node:stream';
import Fastify, { type FastifyInstance } from 'fastify';
import { eventually } from '../../../test/support/eventually.js';
import { limitAnswers } from './answer-limit.js';

/** Milliseconds. */
const LIMIT = 50;

describe('limitAnswers', () => {
  let fastify: FastifyInstance;
  let answers: { readonly idleMs: number };
  let overdue: string[];
  let finish: () => void;
  let handlingSlow: Promise<void>;

  const start = (limitMs: number) => {
    fastify = Fastify();
    overdue = [];
    answers = limitAnswers(fastify, limitMs, (request, reply) => {
      overdue.push(request.url);
      void reply.code(503).send('overdue');
    });
    fastify.get('/at-once', () => 'ok');
    fastify.get('/nowhere', (_request, reply) => reply.callNotFound());
    handlingSlow = new Promise((begin) => {
      fastify.get('/slow', async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
          begin();
        });
        return 'ok';
      });
    });
  };
  const get = async (url: string) => (await fastify.inject({ url })).statusCode;
  const leftNothingPending = () => Number.isFinite(answers.idleMs) && answers.idleMs > 0;

  afterEach(() => fastify.close());

  it('answers 503 in place of a handler that is still running, once', async () => {
    start(LIMIT);
    expect(await get('/slow')).toBe(503);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(overdue).toEqual(['/slow']);
    expect(leftNothingPending()).toBe(true);
  });

  it('leaves an answer alone that has begun, however long it takes', async () => {
    start(1_000);
    const file = new PassThrough();
    fastify.get('/file', (_request, reply) => reply.send(file));
    const answer = fastify.inject({ url: '/file' });
    file.write('first ');
    // Overdue after the file began.
    expect(await get('/slow')).toBe(503);
    finish();
    await eventually(() => expect(leftNothingPending()).toBe(true));
    file.end('last');
    expect([(await answer).statusCode, (await answer).body]).toEqual([200, 'first last']);
    expect(overdue).toEqual(['/slow']);
  });

  it('leaves answers within the limit alone', async () => {
    start(3_600_000);
    expect(await get('/at-once')).toBe(200);
    const slow = get('/slow');
    await handlingSlow;
    finish();
    expect(await slow).toBe(200);
    expect(overdue).toEqual([]);
  });

  it('counts as idle only while no request waits for its answer', async () => {
    start(3_600_000);
    expect(answers.idleMs).toBe(Infinity);
    const slow = get('/slow');
    await handlingSlow;
    expect(answers.idleMs).toBe(0);
    expect(await get('/at-once')).toBe(200);
    expect(answers.idleMs).toBe(0);
    finish();
    expect(await slow).toBe(200);
    expect(leftNothingPending()).toBe(true);
  });

  it('frees the slot of a request that ends as 404', async () => {
    start(3_600_000);
    expect(await get('/nowhere')).toBe(404);
    expect(leftNothingPending()).toBe(true);
  });
});
