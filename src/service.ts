import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { ApiKeysService } from './auth/api-keys.service.js';
import { ensureDemoKey } from './auth/demo-merchant.js';
import { MerchantsService } from './auth/merchants.service.js';
import { keepSecret } from './config/data-dir.js';
import { loadConfig, type Config } from './config/env.js';
import { createApp } from './configure-app.js';
import { withAdvisoryLock } from './database/advisory-lock.js';
import { openDatabase } from './database/open-database.js';
import { reportAndExit } from './errors/report-and-exit.js';
import { StartupError } from './errors/startup-error.js';
import { Readiness } from './health/readiness.js';
import { createLogger } from './logging/logger.js';
import { Queues } from './queues/queues.service.js';
import { loadSecrets } from './config/secrets.js';

/** Answers take 5 s at most; whoever is still sending then is cut off. */
const FINISH_LIMIT_MS = 5_000;

/** A start that waits for another process's migration, or a database that is frozen, must not hold the end up. */
const STOP_LIMIT_MS = 9_500;

/** With a database of its own there is a balancer in front, which needs a moment to see /readyz fail. */
const DRAIN_MS = 2_000;

/** npm hands a terminal's Ctrl-C on, so one press arrives twice, a few milliseconds apart. */
const SAME_SIGNAL_MS = 250;

/** Two processes that start at once must not both make the demo merchant: the letters "demo". */
const DEMO_LOCK = 0x64656d6f;

interface Service {
  stop(): Promise<void>;
  /** Ends everything that must not outlive this process, without waiting. */
  kill(): void;
}

async function start(config: Config, logger: Logger): Promise<Service> {
  const database = await openDatabase(config, (message) => logger.warn(message));
  try {
    const board = boardAccess(config, database.isEmbedded);
    const options = {
      config,
      secrets: loadSecrets(config),
      databaseUrl: database.url,
      boardUsers: board && new Map(board),
    };
    const app = await createApp(options, logger);
    const demoKey = database.isEmbedded ? await demoKeyOf(app, config) : undefined;
    const port = await listen(app, config, logger);
    printBanner(config, port, demoKey, board?.[0]);
    if (config.role === 'worker' && config.publicUrl === undefined) {
      logger.warn(
        'PUBLIC_URL is not set: links in messages lead to this machine, at the port of this worker',
      );
    }
    return {
      stop: async () => {
        app.get(Readiness).drain();
        const drained = database.isEmbedded ? 0 : DRAIN_MS;
        await Promise.all([app.get(Queues).stop(), new Promise((resolve) => setTimeout(resolve, drained))]);
        await closeApp(app);
        await database.close();
      },
      kill: () => database.kill(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

type BoardUser = [name: string, password: string];

/** Who may see the queue board: those named, else in embedded mode one made on the first start. */
function boardAccess(config: Config, isEmbedded: boolean): BoardUser[] | undefined {
  if (config.boardUsers) return [...config.boardUsers];
  if (!isEmbedded) return undefined;
  return [
    ['soporte', keepSecret(config.dataDir, 'board-password', () => randomBytes(12).toString('base64url'))],
  ];
}

function demoKeyOf(app: NestFastifyApplication, config: Config): Promise<string | undefined> {
  const [merchants, keys] = [app.get(MerchantsService), app.get(ApiKeysService)];
  return withAdvisoryLock(app.get(DataSource), DEMO_LOCK, () =>
    ensureDemoKey(config.dataDir, config.defaultCountry, merchants, keys),
  );
}

/** Lets requests in flight finish, then closes listener and pools. */
async function closeApp(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer();
  // A connection whose answer leaves after the close began would stay open for its keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** The port listened on; undefined for a worker that found it taken, which only its health checks miss. */
async function listen(
  app: NestFastifyApplication,
  config: Config,
  logger: Logger,
): Promise<number | undefined> {
  await app.init();
  try {
    // Not through Nest, which would log the fault before we can name its mend.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (config.role === 'worker' && code === 'EADDRINUSE') {
      logger.warn(
        `port ${config.port} is taken: this worker runs without /livez, /readyz and /metrics; set PORT to have them`,
      );
      return undefined;
    }
    throw listenError(config, code) ?? error;
  }
  return (app.getHttpServer().address() as AddressInfo).port;
}

function listenError({ port, host }: Config, code: string | undefined): StartupError | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return new StartupError(
        `PORT: ${port} is taken; stop what listens there or set PORT to another (0 takes a free one)`,
      );
    case 'EACCES':
      return new StartupError(`PORT: ${port} is not allowed for this user; set PORT to 1024 or more`);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(
        `HOST: ${host} is no address of this machine; set HOST to 127.0.0.1 or 0.0.0.0`,
      );
    default:
      return undefined;
  }
}

function printBanner(
  config: Config,
  port: number | undefined,
  demoKey: string | undefined,
  boardUser: BoardUser | undefined,
): void {
  if (port === undefined) return;
  const base = `http://${['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host) ? 'localhost' : config.host}:${port}`;
  const lines =
    config.role === 'worker'
      ? ['', '  Guías worker is ready', '', `  Health      ${base}/readyz`, '']
      : [
          '',
          '  Guías is ready',
          '',
          `  API         ${base}/api/v1/guias`,
          `  Swagger UI  ${base}/api/docs`,
          ...(boardUser ? [`  Queue board ${base}/admin/queues  ${boardUser.join(' / ')}`] : []),
          ...(demoKey ? [`  Demo key    ${demoKey}`] : []),
          '',
        ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** First signal: stop in order and exit 0. Second: end now. A signal during the start waits for it to settle. */
function ownSignals(starting: Promise<Service>, logger: Logger): void {
  let stoppingSince: number | undefined;
  let service: Service | undefined;
  void starting.then(
    (started) => (service = started),
    () => undefined,
  );
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (Date.now() - stoppingSince < SAME_SIGNAL_MS) return;
      service?.kill();
      process.exit(1);
    }
    stoppingSince = Date.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping takes too long; ending now');
      service?.kill();
      // A start that never finished had nothing to stop.
      process.exit(service ? 1 : 0);
    }, STOP_LIMIT_MS);
    void starting
      .then((started) => started.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  // Whoever read our output is gone; the service is not about its log.
  process.stdout.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'defect');
    service?.kill();
    process.exit(1);
  });
}

/** Starts the roles asked for and runs until a signal; owns the signals from the moment it is called. */
export async function runService(): Promise<void> {
  try {
    const config = loadConfig();
    const logger = createLogger(config);
    const starting = start(config, logger);
    ownSignals(starting, logger);
    await starting;
  } catch (error) {
    reportAndExit(error);
  }
}
