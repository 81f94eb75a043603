import './node-errors.js';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Queue, UnrecoverableError, Worker, type Job } from 'bullmq';
import type { FastifyInstance } from 'fastify';
import { readDatabaseError } from '../../src/database/database-error.reader.js';
import { AppError } from '../../src/errors/app-error.js';
import { ProblemFilter } from '../../src/errors/problem.filter.js';
import { LateTolerantAdapter, limitAnswers } from '../../src/http/answer-limit.js';
import { registerJsonBody } from '../../src/http/json-body.js';
import { KnownRoutes } from '../../src/http/known-routes.js';
import { RequestIds } from '../../src/http/request-id.js';
import { createLogger } from '../../src/logging/logger.js';
import { protectAdmin } from '../../src/queues/admin-access.js';
import { setupBoard } from '../../src/queues/board.js';
import { QueueConnections } from '../../src/queues/queue-connections.js';
import type { Answer } from './test-app.js';

export const BOARD_USERS = new Map([
  ['ana', 'clave-de-ana'],
  ['beto', 'clave:con:dos-puntos-ñ'],
]);

/** An Authorization header. */
export function basic(user = 'ana', password = BOARD_USERS.get(user) ?? ''): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

@Module({})
class EmptyModule {}

export interface TestBoard {
  url: string;
  queue: Queue;
  logs: Record<string, any>[];
  /** What the worker does with a job; throws until a test says otherwise. */
  handle: (job: Job) => unknown;
  /** With a user's password, unless `headers` say otherwise. */
  request(path: string, init?: RequestInit): Promise<Answer>;
  /** Adds jobs and waits until all of them have failed. */
  fail(jobs: { name: string; data: unknown; id: string }[]): Promise<void>;
  /** The state of a job once it is this one. */
  reached(jobId: string, state: string): Promise<void>;
  close(): Promise<void>;
}

/** The board on an app with our hooks and nothing else, and a real queue with a real worker. */
export async function createTestBoard(store: { redisUrl?: string; databaseUrl: string }): Promise<TestBoard> {
  const logs: Record<string, any>[] = [];
  const logger = createLogger(
    { logLevel: 'info' },
    { write: (line: string) => void logs.push(JSON.parse(line)) },
  );
  const filter = new ProblemFilter(logger, [readDatabaseError]);
  const requestIds = new RequestIds();
  const routing = { ignoreTrailingSlash: true, maxParamLength: 200 };
  const adapter = new LateTolerantAdapter({
    routerOptions: routing,
    genReqId: (request: IncomingMessage) => requestIds.of(request),
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'Cache-Control': 'no-store',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'no-referrer',
    });
    void reply.header('X-Request-Id', request.id);
    done();
  });
  protectAdmin(fastify, BOARD_USERS);
  new KnownRoutes(routing).watch(fastify);
  limitAnswers(fastify, 4_800, (request, reply) =>
    filter.send(new AppError('no_disponible'), request, reply),
  );
  registerJsonBody(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(EmptyModule, adapter, {
    bodyParser: false,
    logger: false,
  });
  app.useGlobalFilters(filter);

  const connections = new QueueConnections(store.redisUrl, store.databaseUrl);
  await connections.migrate();
  const queue = new Queue('avisos', { connection: connections.producer() }, connections.backend);
  const board: TestBoard = {
    url: '',
    queue,
    logs,
    handle: () => {
      throw fault('El número no tiene WhatsApp.');
    },
    request: async (path, init) => {
      const response = await fetch(board.url + path, { headers: basic(), ...init });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, body: parse(text) };
    },
    fail: async (jobs) => {
      await queue.addBulk(jobs.map(({ name, data, id }) => ({ name, data, opts: { jobId: id } })));
      for (const { id } of jobs) await board.reached(id, 'failed');
    },
    reached: async (jobId, state) => {
      for (const end = Date.now() + 10_000; (await queue.getJobState(jobId)) !== state;) {
        if (Date.now() > end) throw new Error(`${jobId} is ${await queue.getJobState(jobId)}, not ${state}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    close: async () => {
      await worker.close();
      await queue.close();
      await app.close();
    },
  };
  const worker = new Worker(
    'avisos',
    async (job) => board.handle(job),
    { connection: connections.worker(), concurrency: 4, stalledInterval: 1_000 },
    connections.backend,
  );
  queue.on('error', () => undefined);
  worker.on('error', () => undefined);
  setupBoard(fastify, { queues: [queue], logger });
  await app.listen(0, '127.0.0.1');
  board.url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
  return board;
}

/** A final failure as our queues leave it: the reason alone, without frames. */
export function fault(reason: string): UnrecoverableError {
  const error = new UnrecoverableError(reason);
  error.stack = error.message;
  return error;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
