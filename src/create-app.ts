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
import { fastifyPlugin } from 'fastify-plugin';
import type { Logger } from 'pino';
import { AppModule, type AppOptions } from './app.module.js';
import { ApiKeyGuard } from './auth/api-key.guard.js';
import { BODY_LIMIT } from './platform/config/body-limit.js';
import type { Config } from './platform/config/env.js';
import { readDatabaseError } from './platform/database/database-error.reader.js';
import { TIME_LIMITS, type TimeLimits } from './platform/database/time-limits.js';
import { AppError } from './platform/errors/app-error.js';
import { ProblemFilter } from './platform/errors/problem.filter.js';
import { RelayService } from './platform/events/relay.service.js';
import { Metrics } from './platform/health/metrics.js';
import { logRequest, toAnswered } from './platform/http/access-log.js';
import { LateTolerantAdapter, limitAnswers } from './platform/http/answer-limit.js';
import { limitBodies, readBodyTooLarge } from './platform/http/body-limits.js';
import { answerBrokenHttp, refuseBrokenHeads } from './platform/http/broken-http.js';
import { CommonHeaders } from './platform/http/common-headers.js';
import { refuseCompressedBodies } from './platform/http/content-encoding.js';
import { registerCsvBody } from './platform/http/csv-body.js';
import { ignoreTypesOfEmptyBodies } from './platform/http/empty-body.js';
import { registerFormBody } from './platform/http/form-body.js';
import { registerMultipartBody } from './platform/http/multipart-body.js';
import { registerJsonBody } from './platform/http/json-body.js';
import { dropBody, limitUnreadBodies } from './platform/http/unread-body.js';
import { limitUnsentBytes } from './platform/http/unsent-bytes.js';
import { limitWaitingBodies } from './platform/http/waiting-bodies.js';
import { KnownRoutes } from './platform/http/known-routes.js';
import { warnOfProxy } from './platform/http/proxy-warning.js';
import { RequestIds } from './platform/http/request-id.js';
import { traceRequests } from './platform/http/request-spans.js';
import { refuseUnsignedWebhooks } from './notifications/inbound/whatsapp/unsigned-webhooks.js';
import { NestLogger } from './platform/logging/logger.js';
import { setupApiDocs } from './platform/openapi/api-docs.js';
import { panelErrorPage } from './web/panel/pages/error-page.js';
import { PanelAccess } from './web/panel/session/panel-access.js';
import { checkStaff, protectAdmin } from './web/console/admin-access.js';
import { rutaErrorPage } from './web/ruta/ruta-page.js';
import { recipientDetail, recipientErrorPage } from './web/destinatario/error-pages.js';
import { staffErrorPage } from './web/console/pages/error-page.js';
import { RequestLogService } from './auth/solicitudes/request-log.service.js';
import { compressPages } from './web/kit/compress-pages.js';
import { guardPages } from './web/kit/page-routes.js';
import { SenderBannerService } from './web/console/senders/sender-banner.service.js';
import { DOCUMENTED_WEBHOOKS } from './webhooks/openapi-webhooks.js';

/** ms without a request in flight before the relay runs at full speed; busy clients send one sooner. */
const QUIET_MS = 20;

/** ms between checks for requests that arrive too slowly. */
const RECEIVE_CHECK_MS = 1_000;

/** More connections than proxies need, and few enough for their bodies to fit into memory. */
const MAX_CONNECTIONS = 2_000;

const ROUTING = { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 200 };

/** A part of the server: its hooks and parsers apply to all routes that are registered after it. */
type Plugin = (fastify: FastifyInstance) => void;

/** The whole service, ready to listen; the same for `main` and for every e2e test. */
export async function createApp(options: AppOptions, logger: Logger): Promise<NestFastifyApplication> {
  const { config, timeLimits = TIME_LIMITS } = options;
  const filter = new ProblemFilter(
    logger,
    [readDatabaseError, readBodyTooLarge],
    (error, request) =>
      staffErrorPage(error, request) ??
      panelErrorPage(error, request, config) ??
      recipientErrorPage(error, request) ??
      rutaErrorPage(error, request),
    recipientDetail,
  );
  const headers = new CommonHeaders(config.publicUrl);
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(options, logger),
    createAdapter(config, timeLimits, headers, logger, filter),
    { bodyParser: false, logger: new NestLogger(logger), abortOnError: false },
  );
  app.useGlobalFilters(filter);
  const server = app.getHttpServer();
  server.maxConnections = MAX_CONNECTIONS;
  limitUnsentBytes(server, (connections) =>
    logger.warn({ connections }, 'closed connections whose clients did not read their answers'),
  );
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  for (const plugin of pluginsOf(app, options, { headers, filter, logger })) {
    // `fastifyPlugin` keeps Fastify from limiting a plugin's hooks to the plugin's own routes.
    await fastify.register(
      fastifyPlugin((instance, _options, done) => {
        plugin(instance);
        done();
      }),
    );
  }
  if (config.role !== 'worker') setupApiDocs(app, DOCUMENTED_WEBHOOKS);
  return app;
}

/** The parts of the server in the order of their hooks: one that answers keeps the later ones from running. */
function pluginsOf(
  app: NestFastifyApplication,
  { config, boardUsers, timeLimits = TIME_LIMITS }: AppOptions,
  { headers, filter, logger }: { headers: CommonHeaders; filter: ProblemFilter; logger: Logger },
): Plugin[] {
  const servesApi = config.role !== 'worker';
  const servesConsole = boardUsers !== undefined && servesApi;
  const answerLate = (request: FastifyRequest, reply: FastifyReply) =>
    filter.send(new AppError('no_disponible'), request, reply);
  const plugins: [applies: unknown, plugin: Plugin][] = [
    // Before all other hooks, which a request's span contains.
    [config.tracing, traceRequests],
    // Before hooks that answer: every answer has these headers.
    [true, (fastify) => headers.addTo(fastify)],
    // Before hooks that refuse: the first request through a proxy is enough for the warning.
    [config.trustProxy === undefined, (fastify) => warnOfProxy(fastify, logger)],
    // Before hooks that read the path or a header.
    [true, refuseBrokenHeads],
    // Before unknown paths are answered: strangers cannot tell which paths exist below /admin.
    [boardUsers, (fastify) => protectAdmin(fastify, boardUsers!, config)],
    [servesConsole, (fastify) => app.get(SenderBannerService).showOn(fastify)],
    // After the banner, which is put into the text.
    [servesApi, compressPages],
    // Before hooks that wait for PostgreSQL, Redis or the body: the time limit counts from here.
    [
      true,
      (fastify) => {
        const answers = limitAnswers(fastify, timeLimits.answer, answerLate);
        app.get(RelayService).giveWayWhile(() => answers.idleMs < QUIET_MS);
      },
    ],
    // Before the body is read.
    [true, limitBodies],
    [true, refuseCompressedBodies],
    [true, limitUnreadBodies],
    [true, (fastify) => refuseUnsignedWebhooks(fastify, config.whatsapp !== undefined)],
    [true, ignoreTypesOfEmptyBodies],
    [true, registerJsonBody],
    [true, registerFormBody],
    [true, registerCsvBody],
    [true, registerMultipartBody],
    // After the hooks that refuse a body: what is counted is read.
    [true, (fastify) => limitWaitingBodies(fastify, logger)],
    // Before Nest's guards, which run after the body was read: without a key none is.
    [true, (fastify) => app.get(ApiKeyGuard).authenticateEarly(fastify)],
    // Before Nest's guards, too: without a role or a session no form is read.
    [servesApi, (fastify) => protectPages(fastify, app, config)],
    // After the keys, because wrong ones count on unknown paths too.
    [true, (fastify) => new KnownRoutes(ROUTING).watch(fastify)],
    // Last: the log line has what all others have set.
    [true, (fastify) => recordAnswers(fastify, app, logger, servesApi)],
  ];
  return plugins.filter(([applies]) => applies).map(([, plugin]) => plugin);
}

/** Each page asks for the role of its user, or for a session and its scopes. */
function protectPages(fastify: FastifyInstance, app: NestFastifyApplication, { publicUrl }: Config): void {
  const panel = app.get(PanelAccess);
  guardPages(fastify, {
    staff: (request, need) => checkStaff(request, publicUrl, need),
    merchant: (request, need, reply) => panel.enter(request, reply, need),
  });
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
      dropBody(request.raw, reply);
      headers.set(request, reply);
      reply.raw.once('finish', () => logRequest(logger, toAnswered(request, reply)));
      filter.send(error, request, reply);
    },
    clientErrorHandler: (error: NodeJS.ErrnoException, socket: Socket) =>
      answerBrokenHttp(error, socket, { ...headers.for(), 'X-Request-Id': requestIds.next() }),
    skipMiddie: true,
    schemaController: { compilersFactory: { buildValidator: () => refuse, buildSerializer: () => refuse } },
  });
}

/** DTOs check input and no answer has a JSON Schema; without these compilers Fastify would load Ajv. */
const refuse = (): never => {
  throw new Error('a route has a JSON Schema, which nothing compiles: give it a DTO');
};

/** A log line and a sample of the metrics for each answer; where staff can look them up, also the ids of requests. */
function recordAnswers(
  fastify: FastifyInstance,
  app: NestFastifyApplication,
  logger: Logger,
  keepsIds: boolean,
): void {
  const metrics = app.get(Metrics);
  const requestLog = keepsIds ? app.get(RequestLogService) : undefined;
  fastify.addHook('onResponse', (request, reply, done) => {
    const answered = toAnswered(request, reply);
    logRequest(logger, answered);
    metrics.observe(answered);
    if (!answered.isRoutine) requestLog?.record(answered);
    done();
  });
}
