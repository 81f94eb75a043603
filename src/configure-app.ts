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
import type { Config } from './config/env.js';
import { readDatabaseError } from './database/database-error.reader.js';
import { TIME_LIMITS } from './database/time-limits.js';
import { AppError } from './errors/app-error.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { RelayService } from './events/relay.service.js';
import { Metrics } from './health/metrics.js';
import { logRequest } from './http/access-log.js';
import { LateTolerantAdapter, limitAnswers } from './http/answer-limit.js';
import { BODY_LIMIT, limitBodies } from './http/body-limits.js';
import { answerBrokenHttp } from './http/broken-http.js';
import { registerFormBody } from './http/form-body.js';
import { registerJsonBody } from './http/json-body.js';
import { KnownRoutes } from './http/known-routes.js';
import { RequestIds } from './http/request-id.js';
import { NestLogger } from './logging/logger.js';
import { setupApiDocs } from './openapi/api-docs.js';
import { QueuesService } from './queues/queues.service.js';
import { protectAdmin } from './support/admin-access.js';
import { DOCUMENTED_WEBHOOKS } from './webhooks/openapi-webhooks.js';

/** ms without a request in flight before the relay runs at full speed; busy clients send one sooner. */
const QUIET_MS = 20;

/** ms for a request to arrive whole; a slow sender then loses its connection. */
const RECEIVE_LIMIT_MS = 15_000;

const ROUTING = { ignoreTrailingSlash: true, maxParamLength: 200 };

/** On every answer: private, not cached, not framed, its type not guessed. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** The whole service, ready to listen; the same for `main` and for every e2e test. */
export async function createApp(options: AppOptions, logger: Logger): Promise<NestFastifyApplication> {
  const filter = new ProblemFilter(logger, [readDatabaseError]);
  const { timeLimits = TIME_LIMITS } = options;
  const adapter = createAdapter(options.config, logger, filter);
  // Hooks and parsers apply to the routes that are registered after them: here, all.
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRequest', (request, reply, done) => {
    setCommonHeaders(request, reply);
    done();
  });
  if (options.boardUsers) protectAdmin(fastify, options.boardUsers);
  new KnownRoutes(ROUTING).watch(fastify);
  const answers = limitAnswers(fastify, timeLimits.answer, (request, reply) => {
    filter.send(new AppError('no_disponible'), request, reply);
  });
  limitBodies(fastify);
  registerJsonBody(fastify);
  registerFormBody(fastify);

  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options, logger), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  app.get(RelayService).giveWayWhile(() => answers.idleMs < QUIET_MS);
  recordAnswers(app, logger);
  if (options.config.role !== 'worker') {
    setupApiDocs(app, DOCUMENTED_WEBHOOKS);
    if (options.boardUsers) await addBoard(app, logger);
  }
  return app;
}

function createAdapter(config: Config, logger: Logger, filter: ProblemFilter): LateTolerantAdapter {
  const requestIds = new RequestIds();
  return new LateTolerantAdapter({
    // Its warnings alone: the banner says where it listens, and the access log has one line for each request.
    loggerInstance: logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level }),
    logController: new LogController({ disableRequestLogging: true }),
    // The access log names the request, so no request needs a logger of its own.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: (request: IncomingMessage) => requestIds.of(request),
    trustProxy: config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: RECEIVE_LIMIT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: ROUTING,
    // A path that the router cannot read (`%ff`, for example) gets here, without any hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      setCommonHeaders(request, reply);
      reply.raw.once('finish', () => logRequest(logger, request, reply));
      filter.send(error, request, reply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenHttp(error, socket, requestIds.next()),
    skipMiddie: true,
  });
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  void reply.headers(HEADERS).header('X-Request-Id', request.id);
}

/** A log line and a sample of the metrics for each answer. */
function recordAnswers(app: NestFastifyApplication, logger: Logger): void {
  const metrics = app.get(Metrics);
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    metrics.observe(request, reply);
    done();
  });
}

/** The board is loaded only where somebody may see it. */
async function addBoard(app: NestFastifyApplication, logger: Logger): Promise<void> {
  const { setupBoard } = await import('./support/board/board.js');
  setupBoard(app.getHttpAdapter().getInstance(), { queues: app.get(QueuesService).all, logger });
}
