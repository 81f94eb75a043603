import { UnrecoverableError, type Job, type Queue } from 'bullmq';
import { NOTIFICACIONES } from '../../src/notifications/notifications.queue.js';
import { AppWorker } from '../../src/platform/queues/app-worker.js';
import { QueueStore } from '../../src/platform/queues/queue-store.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { eventually } from './eventually.js';
import { createTestApp, type Answer, type TestApp } from './test-app.js';

/** Passwords by user. */
const USERS = { ana: 'clave-de-ana', peña: 'año-0=/-y-más' };

export const REASON = 'El número no tiene WhatsApp.';

/** A handler whose job must not be retried. */
export function failForGood(): never {
  throw new UnrecoverableError(REASON);
}

/** An Authorization header. */
export function basic(user: string = 'ana', password: string = USERS[user as keyof typeof USERS]) {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

interface FailingJob {
  id: string;
  /** One of the names the board was made with; the first by default. */
  name?: string;
  data?: unknown;
}

export interface TestBoard {
  test: TestApp;
  queue: Queue;
  /** The handler of the test's worker; `failForGood` by default. */
  handle(job: Job): unknown;
  /** Authenticated as Ana by default. */
  request(path: string, init?: RequestInit): Promise<Answer>;
  /** Adds jobs and waits until they have failed. */
  fail(...jobs: FailingJob[]): Promise<void>;
  /** Waits until a job has this state. */
  reached(jobId: string, state: string): Promise<void>;
}

/** The service as ROLE=api, and a worker of the test on the queue of messages. */
export async function createTestBoard(
  env: Record<string, string> = {},
  names: string[] = ['enviar'],
): Promise<TestBoard> {
  const users = Object.entries(USERS).map((user) => user.join(':'));
  const test = await createTestApp({
    env: { BOARD_USERS: users.join(','), TRUST_PROXY: '127.0.0.1', ...env },
  });
  const queue = test.app.get(QueuesService).queue(NOTIFICACIONES);
  const board: TestBoard = {
    test,
    queue,
    handle: failForGood,
    request: (path, init) => test.request(path, { headers: basic(), ...init }),
    fail: async (...jobs) => {
      await queue.addBulk(
        jobs.map(({ id, name = names[0]!, data = {} }) => ({ name, data, opts: { jobId: id } })),
      );
      for (const { id } of jobs) await board.reached(id, 'failed');
    },
    reached: (jobId, state) =>
      eventually(async () => expect([jobId, await queue.getJobState(jobId)]).toEqual([jobId, state])),
  };
  // A busy machine may exceed the connect timeout at first.
  await eventually(() => queue.waitUntilReady());
  // As @nestjs/bullmq makes it for a `@Processor`; the app closes it.
  const store = test.app.get(QueueStore);
  new AppWorker(store, NOTIFICACIONES, async (job) => await board.handle(job), { concurrency: 4 });
  return board;
}
