import fastify, { type FastifyInstance } from 'fastify';
import { ProblemFilter } from './problem.filter.js';

describe('ProblemFilter', () => {
  let app: FastifyInstance;
  let thrown: unknown;

  beforeAll(() => {
    app = fastify();
    const filter = new ProblemFilter(
      app.log,
      [],
      () => undefined,
      () => undefined,
    );
    app.get('/', (request, reply) => filter.send(thrown, request, reply));
  });
  afterAll(() => app.close());

  it.each([[undefined], [null], ['text'], [0], [{}], [new Error('defect')]])(
    'answers 500 where %p is thrown',
    async (value) => {
      thrown = value;
      const answer = await app.inject('/');
      expect([answer.statusCode, answer.json()]).toMatchObject([500, { codigo: 'error_interno' }]);
    },
  );
});
