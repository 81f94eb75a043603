import Fastify, { type FastifyInstance } from 'fastify';
import { MadeOnce } from './made-once.js';

describe('MadeOnce', () => {
  let fastify: FastifyInstance;
  let calls: number;
  let fail: boolean;

  beforeEach(() => {
    fastify = Fastify();
    const once = new MadeOnce(() => '');
    fastify.addHook('onRoute', (route) => once.keep(route));
    [calls, fail] = [0, false];
    fastify.get('/made', async (_request, reply) => {
      calls++;
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (fail) throw new Error('no answer');
      return reply.type('text/plain').send('made');
    });
  });
  afterEach(() => fastify.close());

  const request = (method: 'GET' | 'HEAD' = 'GET') => fastify.inject({ method, url: '/made' });
  const many = (count: number) => Promise.all(Array.from({ length: count }, () => request()));

  it('calls the handler once for requests that arrive while it runs, and answers all alike', async () => {
    const answers = await many(10);
    expect(answers.map(({ body }) => body)).toEqual(Array<string>(10).fill('made'));
    expect(new Set(answers.map(({ headers }) => headers.etag)).size).toBe(1);
    await request();
    expect(calls).toBe(1);
  });

  it('ends the connection after the bytes, and keeps it where the client has them', async () => {
    const { headers } = await request();
    expect(headers.connection).toBe('close');
    const again = await fastify.inject({ url: '/made', headers: { 'if-none-match': headers.etag } });
    expect([again.statusCode, again.headers.connection]).toEqual([304, 'keep-alive']);
    expect((await request('HEAD')).headers.connection).toBe('keep-alive');
  });

  it('calls the handler again after it has failed, for one request at a time', async () => {
    fail = true;
    const failed = many(3);
    expect((await failed).map(({ statusCode }) => statusCode)).toEqual([500, 500, 500]);
    expect(calls).toBe(3);
    fail = false;
    expect((await many(3)).map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    expect(calls).toBe(4);
  });

  it('lets a GET make the answer after a HEAD', async () => {
    const [head, get] = await Promise.all([request('HEAD'), request()]);
    expect([head.statusCode, head.body, get.body]).toEqual([200, '', 'made']);
    expect((await request('HEAD')).headers.etag).toBe(get.headers.etag);
  });
});
