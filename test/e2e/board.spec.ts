import { appRoutes } from '@bull-board/api/dist/routes.js';
import { Redis } from 'ioredis';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { basic, createTestBoard, failForGood, REASON, type TestBoard } from '../support/board.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import { describeWithRedis, startRedis, type TestRedis } from '../support/redis.js';
import { withTestApp, type Answer } from '../support/test-app.js';

const API = '/admin/queues/api';
const QUEUE = `${API}/queues/notificaciones`;
const FAILED = `${API}/queues?activeQueue=notificaciones&status=failed&page=1&jobsPerPage=50`;

/** A problem whose `detail` is also in `error`, which the board's page shows. */
function expectRefusal(answer: Answer, codigo: Parameters<typeof expectProblem>[1]): void {
  const { error, ...body } = answer.body;
  expect(error).toBe(body.detail);
  expectProblem({ ...answer, body }, codigo);
}

/** What holds on either store. */
function itRetries(env: () => Record<string, string>): void {
  let board: TestBoard;
  let made = 0;

  beforeAll(async () => {
    board = await createTestBoard(env());
  });
  beforeEach(async () => {
    board.handle = failForGood;
    for (const state of ['failed', 'completed', 'delayed'] as const) await board.queue.clean(0, 0, state);
    board.test.logs.length = 0;
  });
  afterAll(() => board.test.close());

  const failed = async (count: number, data?: unknown): Promise<string[]> => {
    const ids = Array.from({ length: count }, () => `m-${made++}`);
    await board.fail(...ids.map((id) => ({ id, data })));
    return ids;
  };
  const put = (path: string) => board.request(`${QUEUE}/${path}`, { method: 'PUT' });
  const counts = () => board.queue.getJobCounts('failed', 'completed', 'waiting', 'active', 'delayed');
  /** Makes jobs succeed, and counts the runs of each. */
  const countRuns = () => {
    const runs: Record<string, number> = {};
    board.handle = ({ id }) => {
      runs[id!] = (runs[id!] ?? 0) + 1;
    };
    return runs;
  };

  it('shows failed jobs with their reason and a link to their guide', async () => {
    const [id] = await failed(1, { mensajeId: '0199', guia: '931637862414' });
    const { body } = await board.request(FAILED);
    expect(body.queues.map(({ name }: { name: string }) => name)).toContain('notificaciones');
    const { jobs } = body.queues.find(({ name }: { name: string }) => name === 'notificaciones');
    expect(jobs).toEqual([
      expect.objectContaining({
        id,
        failedReason: REASON,
        data: { mensajeId: '0199', guia: '931637862414' },
        externalUrl: { displayText: 'Guía 931637862414', href: '/admin/guias/931637862414' },
      }),
    ]);
  });

  it.each([{}, { guia: 7 }, { guia: null }])(
    'shows no link for a job without a guide number: %j',
    async (data) => {
      const [id] = await failed(1, data);
      const { body } = await board.request(`${QUEUE}/${id}`);
      expect(body).toMatchObject({ status: 'failed', job: { id } });
      expect(body.job.externalUrl).toBeUndefined();
    },
  );

  it('shows the state of each job', async () => {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const ids = { completed: `c-${made}`, active: `a-${made}`, delayed: `d-${made}`, waiting: `w-${made++}` };
    const add = (jobId: string, delay = 0) => board.queue.add('enviar', {}, { jobId, delay });
    board.handle = ({ id }) => (id === ids.active ? ended : 'listo');
    await add(ids.completed);
    await add(ids.active);
    await add(ids.delayed, 600_000);
    for (const state of ['completed', 'active', 'delayed'] as const) await board.reached(ids[state], state);
    await board.queue.pause();
    await add(ids.waiting);
    for (const [state, id] of Object.entries(ids)) {
      expect((await board.request(`${QUEUE}/${id}`)).body).toMatchObject({ status: state, job: { id } });
      const flow = { nodeId: id, flowRoot: null, isFlowNode: false };
      expect((await board.request(`${QUEUE}/${id}/flow`)).body).toEqual(flow);
    }
    end();
    await board.queue.resume();
    await board.reached(ids.waiting, 'completed');
    await board.reached(ids.active, 'completed');
  });

  it('shows 100 jobs on a page at most', async () => {
    await board.queue.addBulk(
      Array.from({ length: 101 }, () => ({
        name: 'enviar',
        data: {},
        opts: { jobId: `m-${made++}`, delay: 600_000 },
      })),
    );
    const page = await board.request(
      `${API}/queues?activeQueue=notificaciones&status=delayed&page=1&jobsPerPage=100000`,
    );
    const { jobs, pagination } = page.body.queues.find(
      ({ name }: { name: string }) => name === 'notificaciones',
    );
    expect(jobs).toHaveLength(100);
    expect(pagination.pageCount).toBe(2);
  });

  it('retries one job with fresh attempts, and leaves the others', async () => {
    const [one, other] = await failed(2);
    let runs = 0;
    board.handle = () => {
      runs++;
      failForGood();
    };
    expect((await put(`${one}/retry`)).status).toBe(204);
    await eventually(async () => expect([runs, await counts()]).toMatchObject([1, { failed: 2, active: 0 }]));
    expect((await board.request(`${QUEUE}/${one}`)).body.job.attempts).toBe(1);
    expect((await board.request(`${QUEUE}/${other}`)).body.job.attempts).toBe(1);
  });

  it('retries all failed jobs, beyond one page', async () => {
    const COUNT = 110;
    await failed(COUNT);
    const runs = countRuns();
    const { status, body } = await put('retry/failed');
    expect({ status, body }).toEqual({ status: 200, body: { retried: COUNT, skipped: 0 } });
    await eventually(async () => expect(await counts()).toMatchObject({ failed: 0, completed: COUNT }));
    expect(new Set(Object.values(runs))).toEqual(new Set([1]));
  });

  it('retries each job once although it fails again at once', async () => {
    await failed(5);
    let runs = 0;
    board.handle = () => {
      runs++;
      failForGood();
    };
    expect((await put('retry/failed')).status).toBe(200);
    await eventually(async () => expect(await counts()).toMatchObject({ failed: 5, waiting: 0, active: 0 }));
    expect(runs).toBe(5);
  });

  it('runs a job once when several users retry it at the same moment', async () => {
    const [id] = await failed(1);
    const runs = countRuns();
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(`${id}/retry`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409, 409, 409, 409, 409]);
    expectRefusal(
      answers.find(({ status }) => status === 409)!,
      'tarea_no_fallida',
    );
    await board.reached(id!, 'completed');
    expect(runs).toEqual({ [id!]: 1 });
  });

  it('runs each job once when several users retry all at the same moment', async () => {
    await failed(40);
    const runs = countRuns();
    const answers = await Promise.all(Array.from({ length: 3 }, () => put('retry/failed')));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await eventually(async () => expect(await counts()).toMatchObject({ failed: 0, completed: 40 }));
    expect(new Set(Object.values(runs))).toEqual(new Set([1]));
  });

  it('does not retry a completed or delayed job', async () => {
    board.handle = () => 'listo';
    await board.queue.add('enviar', {}, { jobId: 'hecho' });
    await board.queue.add('enviar', {}, { jobId: 'luego', delay: 3_600_000 });
    await board.reached('hecho', 'completed');
    for (const [id, state] of [
      ['hecho', 'completed'],
      ['luego', 'delayed'],
    ]) {
      expectRefusal(await put(`${id}/retry`), 'tarea_no_fallida');
      expect(await board.queue.getJobState(id!)).toBe(state);
    }
    expectRefusal(await put('retry/completed'), 'sin_permiso');
    expect(await counts()).toMatchObject({ completed: 1, delayed: 1 });
  });

  it.each([`${QUEUE}/nadie/retry`, `${API}/queues/otra/m-0/retry`, `${API}/queues/otra/retry/failed`])(
    'answers 404 for an unknown job or queue: %s',
    async (path) => expectRefusal(await board.request(path, { method: 'PUT' }), 'no_encontrado'),
  );

  it('logs each retry and refusal with the user', async () => {
    const [one] = await failed(2);
    board.handle = () => 'listo';
    await put(`${one}/retry`);
    await put(`${one}/retry`);
    await board.request(`${QUEUE}/retry/failed`, { method: 'PUT', headers: basic('peña') });
    await put(`${one}/clean`);
    await eventually(async () => expect(await counts()).toMatchObject({ completed: 2 }));
    const lines = board.test.logs.filter(({ msg }) => /^board /.test(msg));
    const common = { queue: 'notificaciones', action: 'retry', msg: 'board retry' };
    expect(lines).toEqual([
      expect.objectContaining({ ...common, user: 'ana', job: one, status: 204 }),
      expect.objectContaining({ ...common, user: 'ana', job: one, status: 409 }),
      expect.objectContaining({ ...common, user: 'peña', job: 'all', status: 200 }),
      expect.objectContaining({ user: 'ana', job: one, status: 403, msg: 'board change refused' }),
    ]);
  });

  const READS = ['/api/queues', '/:queueName/:jobId', '/:queueName/:jobId/logs', '/:queueName/:jobId/flow'];
  const others = appRoutes.api
    .map(({ method, route }) => ({ method: String(method).toUpperCase(), route: String(route) }))
    .filter(
      ({ method, route }) =>
        method !== 'GET' || !READS.some((read) => route === `/api/queues${read}` || route === read),
    )
    .filter(({ route }) => !/\/retry(\/|$)/.test(route));

  it('refuses every other route of Bull Board without effect', async () => {
    const [id] = await failed(1, { guia: '931637862414' });
    expect(others.length).toBeGreaterThan(25);
    for (const { method, route } of others) {
      const path = route
        .replace(':queueName', 'notificaciones')
        .replace(':jobId', id!)
        .replace(':queueStatus', 'failed')
        .replace(':schedulerId', 'x');
      const body = JSON.stringify({ force: true, name: 'enviar', data: {}, jobData: {}, concurrency: 1 });
      const answer = await board.request(`/admin/queues${path}`, {
        method,
        headers: { ...basic(), 'content-type': 'application/json' },
        ...(method !== 'GET' && { body }),
      });
      expect(`${method} ${route}: ${answer.status}`).toBe(`${method} ${route}: 403`);
      expectRefusal(answer, 'sin_permiso');
    }
    expect(await counts()).toEqual({ failed: 1, completed: 0, waiting: 0, active: 0, delayed: 0 });
    expect(await board.queue.isPaused()).toBe(false);
    expect((await board.queue.getJob(id!))?.data).toEqual({ guia: '931637862414' });
  });
}

describe('the board on PostgreSQL', () => {
  itRetries(() => ({}));
});

describeWithRedis('the board on Redis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  describe('as on PostgreSQL', () => itRetries(() => ({ REDIS_URL: redis.url })));
  afterAll(() => redis.stop());

  it('shows a waiting job without scanning the list of waiting jobs', async () => {
    const users = { BOARD_USERS: 'ana:clave-de-ana' };
    await withTestApp({ env: { ...users, REDIS_URL: redis.url } }, async (test) => {
      await test.app.get(QueuesService).queue('notificaciones').add('enviar', {}, { jobId: 'waits' });
      const client = new Redis(redis.url);
      await client.config('RESETSTAT');
      for (const path of ['waits', 'waits/flow'])
        expect((await test.request(`${QUEUE}/${path}`, { headers: basic() })).status).toBe(200);
      const stats = await client.info('commandstats');
      client.disconnect();
      expect(/cmdstat_lrange:calls=(\d+)/.exec(stats)?.[1]).toBe('1');
      expect(stats).not.toContain('cmdstat_lpos');
    });
  });

  it('answers 503 while Redis is down, and recovers with it', async () => {
    const board = await createTestBoard({ REDIS_URL: redis.url });
    try {
      expect((await board.request(FAILED)).status).toBe(200);
      await redis.kill();
      for (const [method, path] of [
        ['GET', FAILED],
        ['GET', `${QUEUE}/m-1`],
        ['PUT', `${QUEUE}/m-1/retry`],
        ['PUT', `${QUEUE}/retry/failed`],
      ] as const) {
        const answer = await board.request(path, { method });
        expectRefusal(answer, 'no_disponible');
        expect(answer.headers.get('retry-after')).toBe('1');
      }
      await redis.restart();
      await eventually(async () => expect((await board.request(FAILED)).status).toBe(200));
    } finally {
      await board.test.close();
    }
  });
});
