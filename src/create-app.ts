import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import { AppModule, type AppOptions } from './app.module.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { BODY_LIMIT } from './config/body-limit.js';
import type { Config } from './config/env.js';
import { readDatabaseError } from './database/database-error.reader.js';
import { TIME_LIMITS, type TimeLimits } from './database/time-limits.js';
import { AppError } from './errors/app-error.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { RelayService } from './events/relay.service.js';
import { Metrics } from './health/metrics.js';
import { isRoutine, logRequest } from './http/access-log.js';
import { LateTolerantAdapter, limitAnswers } from './http/answer-limit.js';
import { limitBodies, readBodyTooLarge } from './http/body-limits.js';
import { answerBrokenHttp, refuseBrokenHeads } from './http/broken-http.js';
import { CommonHeaders } from './http/common-headers.js';
import { refuseCompressedBodies } from './http/content-encoding.js';
import { registerCsvBody } from './http/csv-body.js';
import { registerFormBody } from './http/form-body.js';
import { registerJsonBody } from './http/json-body.js';
import { dropBody, limitUnreadBodies } from './http/unread-body.js';
import { KnownRoutes } from './http/known-routes.js';
import { warnOfProxy } from './http/proxy-warning.js';
import { RequestIds } from './http/request-id.js';
import { traceRequests } from './http/request-spans.js';
import { refuseUnsignedWebhooks } from './inbound/whatsapp/unsigned-webhooks.js';
import { NestLogger } from './logging/logger.js';
import { setupApiDocs } from './openapi/api-docs.js';
import { QueuesService } from './queues/queues.service.js';
import { protectAdmin } from './support/admin-access.js';
import { AuditService } from './support/audit/audit.service.js';
import { JobLabelsService } from './support/board/job-labels.service.js';
import { recipientErrorPage } from './confirmations/page/error-pages.js';
import { staffErrorPage } from './support/pages/error-page.js';
import { RequestLogService } from './support/requests/request-log.service.js';
import { DOCUMENTED_WEBHOOKS } from './webhooks/openapi-webhooks.js';

/** ms without a request in flight before the relay runs at full speed; busy clients send one sooner. */
const QUIET_MS = 20;

/** ms between checks for requests that arrive too slowly. */
const RECEIVE_CHECK_MS = 1_000;

/** More connections than proxies need, and few enough for their bodies to fit into memory. */
const MAX_CONNECTIONS = 2_000;

const ROUTING = { ignoreTrailingSlash: true, maxParamLength: 200 };

/** The whole service, ready to listen; the same for `main` and for every e2e test. */
export async function createApp(options: AppOptions, logger: Logger): Promise<NestFastifyApplication> {
  const filter = new ProblemFilter(
    logger,
    [readDatabaseError, readBodyTooLarge],
    (error, request) => staffErrorPage(error, request) ?? recipientErrorPage(error, request),
  );
  const { timeLimits = TIME_LIMITS } = options;
  const headers = new CommonHeaders(options.config.publicUrl);
  const adapter = createAdapter(options.config, timeLimits, headers, logger, filter);
  // Hooks and parsers apply to the routes that are registered after them: here, all.
  const fastify = adapter.getInstance<FastifyInstance>();
  if (options.config.tracing) traceRequests(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    headers.set(request, reply);
    done();
  });
  if (options.config.trustProxy === undefined) warnOfProxy(fastify, logger);
  refuseBrokenHeads(fastify);
  if (options.boardUsers) protectAdmin(fastify, options.boardUsers);
  const answers = limitAnswers(fastify, timeLimits.answer, (request, reply) => {
    filter.send(new AppError('no_disponible'), request, reply);
  });
  limitBodies(fastify);
  refuseCompressedBodies(fastify);
  limitUnreadBodies(fastify);
  refuseUnsignedWebhooks(fastify, options.config.whatsapp !== undefined);
  registerJsonBody(fastify);
  registerFormBody(fastify);
  registerCsvBody(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options, logger), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  app.get(ApiKeyGuard).authenticateEarly(fastify);
  new KnownRoutes(ROUTING).watch(fastify);
  app.get(RelayService).giveWayWhile(() => answers.idleMs < QUIET_MS);
  recordAnswers(app, logger, options.boardUsers !== undefined && options.config.role !== 'worker');
  app.getHttpServer().maxConnections = MAX_CONNECTIONS;
  if (options.config.role !== 'worker') {
    setupApiDocs(app, DOCUMENTED_WEBHOOKS);
    if (options.boardUsers) await addBoard(app, logger);
  }
  return app;
}

function createAdapter(
  config: Config,
  { receive }: TimeLimits,
  headers: CommonHeaders,
  logger: Logger,
  filter: ProblemFilter,
): LateTolerantAdapter {
  const requestIds = new RequestIds();
  return new LateTolerantAdapter({
    // Only Fastify's warnings and errors: the banner says where it listens, and the access log has each request.
    loggerInstance: logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level }),
    logController: new LogController({ disableRequestLogging: true }),
    // The access log names the request, so no request needs a logger of its own.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: (request: IncomingMessage) => requestIds.of(request),
    trustProxy: config.trustProxy ?? false,
    bodyLimit: BODY_LIMIT,
    requestTimeout: receive,
    http: {
      // Node reads these only when it creates the server.
      requestTimeout: receive,
      headersTimeout: receive,
      connectionsCheckingInterval: Math.min(receive, RECEIVE_CHECK_MS),
      // `refuseBrokenHeads` decides, and answers with a problem.
      joinDuplicateHeaders: true,
      requireHostHeader: false,
    },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: ROUTING,
    // Called for a path that the router cannot decode, such as `%ff`; no hook runs for it.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      dropBody(request.raw);
      headers.set(request, reply);
      reply.raw.once('finish', () => logRequest(logger, request, reply));
      filter.send(error, request, reply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenHttp(error, socket, { ...headers.for(), 'X-Request-Id': requestIds.next() }),
    skipMiddie: true,
  });
}

/**
 * A log line and a sample of the metrics for each answer.
 * @param keepsIds whether to keep the ids of requests, which staff can look up.
 */
function recordAnswers(app: NestFastifyApplication, logger: Logger, keepsIds: boolean): void {
  const metrics = app.get(Metrics);
  const requestLog = keepsIds ? app.get(RequestLogService) : undefined;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    metrics.observe(request, reply);
    if (requestLog && !isRoutine(request, reply)) requestLog.record(request, reply);
    done();
  });
}

/** The board is loaded only where somebody may see it. */
async function addBoard(app: NestFastifyApplication, logger: Logger): Promise<void> {
  const { setupBoard } = await import('./support/board/board.js');
  setupBoard(app.getHttpAdapter().getInstance(), {
    queues: app.get(QueuesService).all,
    audit: app.get(AuditService),
    labels: app.get(JobLabelsService),
    logger,
  });
}
