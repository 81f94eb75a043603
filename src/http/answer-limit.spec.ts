import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import { limitAnswers } from './answer-limit.js';

const LIMIT_MS = 1_000;

describe('limitAnswers', () => {
  let fastify: FastifyInstance;
  let answers: { readonly quietMs: number };
  let late: string[];
  let finish: () => void;
  /** Until a slow request is being handled. */
  let begun: Promise<void>;

  beforeEach(() => {
    fastify = Fastify();
    late = [];
    answers = limitAnswers(fastify, LIMIT_MS, (request, reply) => {
      late.push(request.url);
      void reply.code(503).send('late');
    });
    fastify.get('/at-once', () => 'ok');
    fastify.get('/nowhere', (_request, reply) => void reply.callNotFound());
    begun = new Promise((begin) => {
      fastify.get('/slow', async () => {
        await new Promise<void>((resolve) => {
          finish = resolve;
          begin();
        });
        return 'ok';
      });
    });
  });
  afterEach(() => fastify.close());

  const get = async (url: string) => (await fastify.inject({ url })).statusCode;

  it('lets an answer in time be, and answers for one that is late, once', async () => {
    expect(await get('/at-once')).toBe(200);
    expect(await get('/slow')).toBe(503);
    finish();
    await sleep(LIMIT_MS);
    expect(late).toEqual(['/slow']);
  });

  it('is quiet when nobody waits, and not before', async () => {
    expect(answers.quietMs).toBe(Infinity);
    const slow = get('/slow');
    await begun;
    expect(answers.quietMs).toBe(0);
    expect(await get('/at-once')).toBe(200);
    expect(answers.quietMs).toBe(0);
    finish();
    expect(await slow).toBe(200);
    await sleep(10);
    expect(answers.quietMs).toBeGreaterThan(0);
  });

  it('forgets a request that turned out to be nowhere, and one whose answer was late', async () => {
    expect(await get('/nowhere')).toBe(404);
    expect(await get('/slow')).toBe(503);
    finish();
    await sleep(10);
    expect(answers.quietMs).toBeGreaterThan(0);
    expect(answers.quietMs).toBeLessThan(Infinity);
  });
});
