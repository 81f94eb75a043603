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
import { setupApiDocs } from './openapi/api-docs.js';
import { AppModule, type AppOptions } from './app.module.js';
import { readDatabaseError } from './database/database-error.reader.js';
import { AppError } from './errors/app-error.js';
import { ProblemFilter } from './errors/problem.filter.js';
import { RelayService } from './events/relay.service.js';
import { ENLACES } from './guias/links/links.queue.js';
import { Metrics } from './health/metrics.js';
import { LateTolerantAdapter, limitAnswers } from './http/answer-limit.js';
import { answerBrokenHttp } from './http/broken-http.js';
import { registerFormBody } from './http/form-body.js';
import { registerJsonBody } from './http/json-body.js';
import { KnownRoutes } from './http/known-routes.js';
import { BODY_LIMIT, limitBodies } from './http/body-limits.js';
import { RequestIds } from './http/request-id.js';
import { logRequest } from './http/access-log.js';
import { ENTRANTES } from './inbound/inbound.queue.js';
import { NestLogger } from './logging/logger.js';
import { NOTIFICACIONES } from './notifications/notifications.queue.js';
import { protectAdmin } from './support/admin-access.js';
import { QueuesService } from './queues/queues.service.js';
import { DOCUMENTED_WEBHOOKS } from './webhooks/openapi-webhooks.js';
import { WEBHOOKS } from './webhooks/deliveries/deliveries.queue.js';

/** An answer leaves within 5 s, whatever the database does. */
const ANSWER_LIMIT_MS = 4_800;

/** Clients at work ask again within it: one moment without a request is no end of them. */
const QUIET_MS = 20;

/** A request must have arrived whole by then; a slow sender holds a connection, not a worker. */
const RECEIVE_LIMIT_MS = 15_000;

/** On every answer: private data, for programs, never framed or guessed at. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** The whole service, ready to listen; the same for `main` and for every e2e test. */
export async function createApp(options: AppOptions, logger: Logger): Promise<NestFastifyApplication> {
  const requestIds = new RequestIds();
  const routing = { ignoreTrailingSlash: true, maxParamLength: 200 };
  const filter = new ProblemFilter(logger, [readDatabaseError]);
  const adapter = new LateTolerantAdapter({
    // Its warnings alone: what it says at info (where it listens), the banner and our access log say better.
    loggerInstance: logger.child({}, { level: logger.isLevelEnabled('warn') ? 'warn' : logger.level }),
    logController: new LogController({ disableRequestLogging: true }),
    // Our own line names the request: no logger for each.
    childLoggerFactory: (parent: FastifyBaseLogger) => parent,
    genReqId: (request: IncomingMessage) => requestIds.of(request),
    trustProxy: options.config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: RECEIVE_LIMIT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: routing,
    // Addresses the router cannot read (a stray %, say) get here before any hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers(HEADERS).header('X-Request-Id', request.id);
      reply.raw.once('finish', () => logRequest(logger, request, reply));
      filter.send(error, request, reply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenHttp(error, socket, requestIds.next()),
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(HEADERS).header('X-Request-Id', request.id);
    done();
  });
  if (options.boardUsers) protectAdmin(fastify, options.boardUsers);
  new KnownRoutes(routing).watch(fastify);
  const answers = limitAnswers(fastify, ANSWER_LIMIT_MS, (request, reply) => {
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
  app.get(RelayService).giveWayWhile(() => answers.quietMs < QUIET_MS);
  const metrics = app.get(Metrics);
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    metrics.observe(request, reply);
    done();
  });
  if (options.config.role !== 'worker') {
    setupApiDocs(app, DOCUMENTED_WEBHOOKS);
    if (options.boardUsers) {
      const queues = [ENLACES, ENTRANTES, NOTIFICACIONES, WEBHOOKS].map((definition) =>
        app.get(QueuesService).queue(definition),
      );
      const { setupBoard } = await import('./support/board/board.js');
      setupBoard(fastify, { queues, logger });
    }
  }
  return app;
}
