import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type { QueueAdapterOptions } from '@bull-board/api/typings/app';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../errors/app-error.js';
import { adminUserOf, isAdminProtected } from './admin-access.js';
import { ownPage, STYLES, STYLES_FILE } from './board-page.js';

const BOARD_PATH = '/admin/queues';

const RETRY_ONE = 'PUT /api/queues/:queueName/:jobId/retry';
const RETRY_ALL = 'PUT /api/queues/:queueName/retry/:queueStatus';

/** All that support may ask the board for, besides its page: find, read, retry. The rest is refused. */
const ALLOWED = new Set([
  'GET /api/queues',
  'GET /api/queues/:queueName/:jobId',
  'GET /api/queues/:queueName/:jobId/logs',
  'GET /api/queues/:queueName/:jobId/flow',
  RETRY_ONE,
  RETRY_ALL,
]);

/** BullMQ's codes for a job that is gone, and for one that is no longer in the state it was retried from. */
const OVERTAKEN = [-1, -3];

/** Named by their contents, mostly, and shown to users only. */
const ASSETS_CACHE = 'private, max-age=3600';

interface BoardParams {
  queueName?: string;
  jobId?: string;
  queueStatus?: string;
}

export interface BoardOptions {
  queues: Queue[];
  logger: Logger;
}

/**
 * The queue board at `/admin/queues`: failed jobs, why they failed, and the retry of one or all of them.
 * To be called before the service listens.
 * @throws Error when `protectAdmin` was not called before.
 */
export function setupBoard(fastify: FastifyInstance, { queues, logger }: BoardOptions): void {
  if (!isAdminProtected(fastify)) throw new Error('the board needs protectAdmin');
  const plugin = boardPlugin(queues);
  const named = new Map(queues.map((queue) => [queue.name, queue]));
  void fastify.register(
    (scope, _options, done) => {
      scope.addHook('onRoute', (route) => {
        // The board's own handler would send the error's text as it is.
        route.errorHandler = (error, request, reply) =>
          fastify.errorHandler.call(scope, readQueueError(error), request, reply);
      });
      scope.addHook('onRequest', (request, _reply, allow) => allow(refusal(request)));
      scope.addHook('preHandler', async (request) => {
        if (operation(request) !== RETRY_ONE) return;
        const { queueName, jobId } = request.params as BoardParams;
        const state = await named.get(queueName!)?.getJobState(jobId!);
        if (state === 'completed') throw notFailed();
      });
      scope.addHook('preSerialization', (request, reply, body, proceed) => {
        const isForThePage = reply.statusCode >= 400 && adminUserOf(request) !== undefined;
        proceed(null, isForThePage ? withToast(body) : body);
      });
      scope.addHook('onSend', (request, reply, body, proceed) => {
        if (request.routeOptions.url === `${BOARD_PATH}/static/*`)
          void reply.header('Cache-Control', ASSETS_CACHE);
        const isPage =
          typeof body === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
        proceed(null, isPage ? ownPage(body) : body);
      });
      scope.addHook('onResponse', (request, reply, proceed) => {
        if (!isRead(request)) logChange(logger, request, reply);
        proceed();
      });
      scope.get(`/${STYLES_FILE}`, (_request, reply) => reply.type('text/css; charset=utf-8').send(STYLES));
      void scope.register(plugin);
      done();
    },
    { prefix: BOARD_PATH },
  );
}

function boardPlugin(queues: Queue[]): ReturnType<FastifyAdapter['registerPlugin']> {
  const serverAdapter = new FastifyAdapter().setBasePath(BOARD_PATH);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue, QUEUE_OPTIONS)),
    serverAdapter,
    options: {
      uiConfig: {
        boardTitle: 'Guías: colas',
        locale: { lng: 'es-ES' },
        hideDocsLink: true,
        hideRedisDetails: true,
        showWorkers: false,
      },
    },
  });
  return serverAdapter.registerPlugin();
}

/** The type of the board's options does not know the first. */
const QUEUE_OPTIONS = { allowCompletedRetries: false, externalJobUrl: guiaLink };

type JobLink = NonNullable<QueueAdapterOptions['externalJobUrl']>;

/** Where a job's guide is shown; nowhere where it has none, which the board's types do not know. */
function guiaLink({ data }: Parameters<JobLink>[0]): ReturnType<JobLink> {
  const guia = (data as { guia?: unknown } | undefined)?.guia;
  if (typeof guia !== 'string') return undefined as unknown as ReturnType<JobLink>;
  return { displayText: `Guía ${guia}`, href: `/admin/guias/${encodeURIComponent(guia)}` };
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Like `GET /api/queues`: the board's own name of what is asked for. */
function operation(request: FastifyRequest): string {
  const method = isRead(request) ? 'GET' : request.method;
  return `${method} ${request.routeOptions.url!.slice(BOARD_PATH.length)}`;
}

function refusal(request: FastifyRequest): AppError | undefined {
  const asked = operation(request);
  if (!asked.includes(' /api/')) return undefined;
  if (!ALLOWED.has(asked))
    return new AppError('sin_permiso', { detail: 'El tablero solo permite reintentar.' });
  return asked === RETRY_ALL && (request.params as BoardParams).queueStatus !== 'failed'
    ? notFailed()
    : undefined;
}

function notFailed(): AppError {
  return new AppError('sin_permiso', { detail: 'Solo se reintenta lo que falló.' });
}

function readQueueError(error: Error): Error {
  const { code } = error as { code?: unknown };
  if (!OVERTAKEN.includes(code as number)) return error;
  return new AppError('transicion_invalida', { detail: 'Ya lo reintentó alguien más.', cause: error });
}

/** The board's page shows `error` to its user. */
function withToast(body: unknown): unknown {
  const { detail } = body as { detail?: unknown };
  return detail === undefined ? body : { ...(body as object), error: detail };
}

function logChange(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { queueName: queue, jobId: job = 'all' } = request.params as BoardParams;
  const asked = operation(request);
  const action = asked === RETRY_ONE || asked === RETRY_ALL ? 'retry' : asked;
  logger.info(
    { reqId: request.id, user: adminUserOf(request), queue, job, action, status: reply.statusCode },
    `board ${action === 'retry' ? 'retry' : 'change refused'}`,
  );
}
