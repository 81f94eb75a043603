import { createBullBoard } from '@bull-board/api';
import type { AppControllerRoute, BullBoardRequest } from '@bull-board/api/typings/app';
import { FastifyAdapter } from '@bull-board/fastify';
import type { Queue } from 'bullmq';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from '../../../platform/errors/app-error.js';
import { isStoreAway } from '../../../platform/queues/store-away.js';
import { TimeoutError, withTimeout } from '../../../platform/timeouts/with-timeout.js';
import { hasConsole } from '../../../platform/http/console.js';
import type { Accion, Resultado } from '../audit/acciones.js';
import type { AuditService } from '../audit/audit.service.js';
import { customisePage, stylesFor, STYLES_FILE } from './board-page.js';
import { retryAll, retryOne } from './board-retry.js';
import type { JobLabelsService } from './job-labels.service.js';
import { LabelledQueueAdapter } from './labelled-queue-adapter.js';

const BOARD_PATH = '/admin/queues';

/** The reads that are allowed, beside LIST and FLOW; others are about the queues' store and settings. */
const READS = new Set(['get /api/queues/:queueName/:jobId', 'get /api/queues/:queueName/:jobId/logs']);
const LIST = 'get /api/queues';
const FLOW = 'get /api/queues/:queueName/:jobId/flow';
const RETRY_ONE = 'put /api/queues/:queueName/:jobId/retry';
const RETRY_ALL = 'put /api/queues/:queueName/retry/:queueStatus';

/** ms; a retry of thousands continues in the background after this, so that the answer does not time out. */
const RETRY_ALL_LIMIT_MS = 3_000;

const MAX_NAMED = 20;

/** Jobs per page: each is read separately, and the URL may ask for any number. */
const MAX_PER_PAGE = 100;

/** Most asset names contain a hash. */
const ASSETS_CACHE = 'private, max-age=3600';

interface BoardOptions {
  queues: Queue[];
  audit: AuditService;
  labels: JobLabelsService;
  logger: Logger;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The row of a retry in the audit log. */
    auditId?: string;
  }
}

/**
 * The queue board at `/admin/queues`: failed jobs, why they failed, and the retry of one or all of them.
 * To be called before the service listens.
 * @throws Error when `protectAdmin` was not called before.
 */
export function setupBoard(fastify: FastifyInstance, { queues, audit, labels, logger }: BoardOptions): void {
  if (!hasConsole(fastify)) throw new Error('the board needs protectAdmin');
  const board = new SupportAdapter(queues, labels, logger);
  void fastify.register(
    (scope, _options, done) => {
      scope.addHook('onRoute', (route) => {
        // The board's own error handler would send the error's message to the client.
        route.errorHandler = (error, request, reply) =>
          fastify.errorHandler.call(scope, readQueueError(error) ?? error, request, reply);
      });
      scope.addHook('preSerialization', (request, reply, body, proceed) => {
        const isForThePage = reply.statusCode >= 400 && request.adminUser !== undefined;
        proceed(null, isForThePage ? withToast(body) : body);
      });
      scope.addHook('onSend', (request, reply, body, proceed) => {
        if (request.routeOptions.url === `${BOARD_PATH}/static/*`)
          void reply.header('Cache-Control', ASSETS_CACHE);
        const isPage =
          typeof body === 'string' && String(reply.getHeader('content-type')).startsWith('text/html');
        proceed(null, isPage ? customisePage(body) : body);
      });
      scope.addHook('preHandler', async (request) => {
        const { accion, detalle } = retryOf(request) ?? {};
        if (accion && request.adminUser)
          request.auditId = (await audit.begin(request.adminUser, accion, { detalle })).id;
      });
      scope.addHook('onResponse', (request, reply, proceed) => {
        if (!['GET', 'HEAD'].includes(request.method)) logChange(logger, request, reply);
        if (request.auditId !== undefined)
          audit
            .end(request.auditId, resultOf(reply), null)
            .catch((error: unknown) =>
              logger.warn({ err: error }, 'result of a retry was not written to the audit log'),
            );
        proceed();
      });
      scope.get(`/${STYLES_FILE}`, (request, reply) =>
        reply.type('text/css; charset=utf-8').send(stylesFor(request.adminUser)),
      );
      void scope.register(board.registerPlugin());
      done();
    },
    { prefix: BOARD_PATH },
  );
}

/** The board's server side: allows reads and retries of failed jobs, and refuses all else. */
class SupportAdapter extends FastifyAdapter {
  private readonly named: Map<string, Queue>;

  constructor(
    queues: Queue[],
    labels: JobLabelsService,
    private readonly logger: Logger,
  ) {
    super();
    this.named = new Map(queues.map((queue) => [queue.name, queue]));
    this.setBasePath(BOARD_PATH);
    createBullBoard({
      queues: queues.map((queue) => new LabelledQueueAdapter(queue, labels)),
      serverAdapter: this,
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
  }

  override setApiRoutes(routes: AppControllerRoute[]): this {
    return super.setApiRoutes(routes.map((route) => ({ ...route, handler: this.handler(route) }))) as this;
  }

  private handler(board: AppControllerRoute): AppControllerRoute['handler'] {
    const name = `${String(board.method)} ${String(board.route)}`;
    if (READS.has(name)) return (request) => board.handler(request);
    switch (name) {
      case LIST:
        return (request) => board.handler(withPageLimit(request!));
      case FLOW:
        // Our jobs are never part of a flow; to check that, BullMQ would scan the list of waiting jobs.
        return (request) => ({
          status: 200,
          body: { nodeId: request!.params.jobId as string, flowRoot: null, isFlowNode: false },
        });
      case RETRY_ONE:
        return async (request) => {
          const { queueName, jobId } = request!.params as { queueName: string; jobId: string };
          await retryOne(this.queue(queueName), jobId);
          return { status: 204, body: {} };
        };
      case RETRY_ALL:
        return async (request) => {
          const { queueName, queueStatus } = request!.params as { queueName: string; queueStatus: string };
          if (queueStatus !== 'failed')
            throw new AppError('sin_permiso', { detail: 'Solo se reintenta lo que falló.' });
          return { status: 200, body: await this.retryAll(this.queue(queueName)) };
        };
      default:
        return () => {
          throw new AppError('sin_permiso', { detail: 'El tablero solo muestra tareas y las reintenta.' });
        };
    }
  }

  private queue(name: string): Queue {
    const queue = this.named.get(name);
    if (!queue) throw new AppError('no_encontrado', { detail: 'La cola no existe.' });
    return queue;
  }

  /**
   * If there are many jobs, the last ones are retried after it has returned, which says how many were until then.
   * @throws AppError which names those that could not be retried.
   */
  private async retryAll(queue: Queue): Promise<{ retried: number; skipped: number }> {
    const progress = await retryAll(queue);
    const done = progress.done.then(() => {
      const { total, retried, left } = progress;
      if (left.length > 0)
        this.logger.error({ queue: queue.name, total, retried, left }, 'failed jobs could not be retried');
    });
    await withTimeout(RETRY_ALL_LIMIT_MS, done).catch((error: unknown) => {
      if (!(error instanceof TimeoutError)) throw error;
    });
    const { total, retried, left } = progress;
    if (left.length === 0) return { retried, skipped: total - retried };
    const named = left.slice(0, MAX_NAMED).join(', ') + (left.length > MAX_NAMED ? '…' : '');
    throw new AppError('no_disponible', {
      detail: `Se reintentaron ${retried} de ${total}. La cola no respondió por ${left.length}: ${named}. Vuelva a intentar.`,
    });
  }
}

/** The board itself refuses a value that is no number. */
function withPageLimit(request: BullBoardRequest): BullBoardRequest {
  const { jobsPerPage } = request.query as { jobsPerPage?: unknown };
  if (!(Number(jobsPerPage) > MAX_PER_PAGE)) return request;
  return { ...request, query: { ...request.query, jobsPerPage: String(MAX_PER_PAGE) } };
}

/** The action of a retry and its subject, for the audit log; undefined for other requests. */
function retryOf(request: FastifyRequest): { accion: Accion; detalle: string } | undefined {
  const { queueName = '', jobId = '' } = request.params as { queueName?: string; jobId?: string };
  const detalle = [queueName, jobId].filter(Boolean).join(' ').slice(0, 200);
  switch (nameOf(request)) {
    case RETRY_ONE:
      return { accion: 'reintentar_tarea', detalle };
    case RETRY_ALL:
      return { accion: 'reintentar_cola', detalle };
    default:
      return undefined;
  }
}

function resultOf({ statusCode }: FastifyReply): Resultado {
  if (statusCode < 400) return 'hecho';
  return statusCode < 500 ? 'rechazado' : 'fallo';
}

/** Method and route, as in `READS`. */
function nameOf({ method, routeOptions: { url = '' } }: FastifyRequest): string {
  return `${method.toLowerCase()} ${url.slice(BOARD_PATH.length)}`;
}

/** Adds `error`, which the board's page shows to its user. */
function withToast(body: unknown): unknown {
  const { detail } = body as { detail?: unknown };
  return detail === undefined ? body : { ...(body as object), error: detail };
}

function logChange(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { queueName: queue, jobId: job = 'all' } = request.params as { queueName?: string; jobId?: string };
  const asked = nameOf(request);
  const action = asked === RETRY_ONE || asked === RETRY_ALL ? 'retry' : asked;
  const message = action === 'retry' ? 'board retry' : 'board change refused';
  logger.info(
    { reqId: request.id, user: request.adminUser?.name, queue, job, action, status: reply.statusCode },
    message,
  );
}

/** `no_disponible` if Redis does not answer. For PostgreSQL, `readDatabaseError` does the same. */
function readQueueError(error: Error): AppError | undefined {
  if (!isStoreAway(error)) return undefined;
  const detail = 'Las colas no responden. Vuelva a intentar en unos segundos.';
  return new AppError('no_disponible', { detail, cause: error });
}
