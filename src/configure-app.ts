import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { LogController, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { AppModule, type AppOptions } from './app.module.js';
import { RateLimit } from './auth/rate-limit.js';
import { readDatabaseError } from './database/database-error.reader.js';
import { AppError } from './errors/app-error.js';
import { ProblemFilter, toProblem } from './errors/problem.filter.js';
import { Metrics } from './health/metrics.js';
import { BODY_LIMIT, registerJsonBody } from './json-body.js';
import { KnownRoutes } from './known-routes.js';
import { logRequest } from './logging/access-log.js';
import { NestLogger } from './logging/logger.js';
import { setupApiDocs } from './openapi.js';

/** An answer leaves within 5 s, whatever the database does. */
const ANSWER_LIMIT_MS = 4_800;

/** A request must have arrived whole by then; a slow sender holds a connection, not a worker. */
const RECEIVE_LIMIT_MS = 15_000;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** On every answer: private data, for programs, never framed or guessed at. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** The whole service, ready to listen; the same for `main` and for every e2e test. */
export async function createApp(options: AppOptions, logger: Logger): Promise<NestFastifyApplication> {
  const newRequestId = requestIds();
  const routes = new KnownRoutes();
  const filter = new ProblemFilter(logger, [routes.readError, readDatabaseError]);
  const adapter = new FastifyAdapter({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }: IncomingMessage) => {
      const given = headers['x-request-id'];
      return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId();
    },
    trustProxy: options.config.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: RECEIVE_LIMIT_MS,
    handlerTimeout: ANSWER_LIMIT_MS,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    // Addresses the router cannot read (a stray %, say) get here before any hook.
    frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply) => {
      void reply.headers(HEADERS).header('X-Request-Id', request.id);
      filter.send(error, request, reply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenHttp(error, socket, newRequestId()),
    skipMiddie: true,
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  routes.watch(fastify);
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.headers(HEADERS).header('X-Request-Id', request.id);
    done();
  });
  registerJsonBody(fastify);
  await RateLimit.register(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(options), adapter, {
    bodyParser: false,
    logger: new NestLogger(logger),
    abortOnError: false,
    forceCloseConnections: true,
  });
  app.useGlobalFilters(filter);
  const metrics = app.get(Metrics);
  fastify.addHook('onResponse', (request, reply, done) => {
    logRequest(logger, request, reply);
    metrics.observe(request, reply);
    done();
  });
  if (options.config.role !== 'worker') setupApiDocs(app);
  return app;
}

/** Short and unique over processes and restarts: a random part and a counter. */
function requestIds(): () => string {
  const process = randomBytes(5).toString('hex');
  let count = 0;
  return () => `${process}-${(count++).toString(36)}`;
}

/** Bytes that are not HTTP, or a request that never ends: there is no request to answer through. */
function answerBrokenHttp(error: NodeJS.ErrnoException, socket: Socket, requestId: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const problem = toProblem(
    new AppError('json_invalido', { detail: 'La solicitud no es HTTP válido, o llegó demasiado despacio.' }),
    requestId,
  );
  const body = JSON.stringify({ ...problem, status: Number(status.slice(0, 3)) });
  socket.end(
    `HTTP/1.1 ${status}\r\nX-Request-Id: ${requestId}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
