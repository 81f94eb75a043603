import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { AppOptions } from './app.module.js';
import { ApiKeysService } from './auth/keys/api-keys.service.js';
import { ensureDemoKey } from './auth/merchants/demo-merchant.js';
import { MerchantsService } from './auth/merchants/merchants.service.js';
import type { Config } from './config/env.js';
import { createApp } from './configure-app.js';
import { withAdvisoryLock } from './database/advisory-lock.js';
import { StartupError } from './errors/startup-error.js';
import { Readiness } from './health/readiness.js';
import { QueuesService } from './queues/queues.service.js';

/** ms. Answers take 5 s at most; connections that are still open after it are cut. */
const FINISH_LIMIT_MS = 5_000;

/** Advisory lock, so that two processes that start at once make one demo merchant: the letters "demo". */
const DEMO_LOCK = 0x64656d6f;

/** The service while it answers. */
interface Served {
  /** Undefined for a worker whose port is taken. */
  port: number | undefined;
  demoKey: string | undefined;
  /** @param drainMs how long requests are still served after /readyz answers 503. */
  stop: (options: { drainMs: number }) => Promise<void>;
}

/** Starts the service on a migrated database. @throws StartupError where it cannot listen. */
export async function serve(
  options: AppOptions,
  { hasDemoKey }: { hasDemoKey: boolean },
  logger: Logger,
): Promise<Served> {
  const { config } = options;
  const app = await createApp(options, logger);
  const demoKey = hasDemoKey ? await demoKeyOf(app, config) : undefined;
  const port = await listen(app, config, logger);
  return { port, demoKey, stop: ({ drainMs }) => stop(app, drainMs) };
}

/** Stops being ready, ends the work on queues, then closes. */
async function stop(app: NestFastifyApplication, drainMs: number): Promise<void> {
  app.get(Readiness).drain();
  await Promise.all([app.get(QueuesService).stop(), sleep(drainMs)]);
  await closeApp(app);
}

function demoKeyOf(app: NestFastifyApplication, config: Config): Promise<string | undefined> {
  const [merchants, keys] = [app.get(MerchantsService), app.get(ApiKeysService)];
  return withAdvisoryLock(app.get(DataSource), DEMO_LOCK, () =>
    ensureDemoKey(config.dataDir, config.defaultCountry, merchants, keys),
  );
}

/** Waits for requests in flight, then closes listener and pools. */
async function closeApp(app: NestFastifyApplication): Promise<void> {
  const server = app.getHttpServer();
  // A connection whose answer leaves after the close began would otherwise stay open for its keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), FINISH_LIMIT_MS);
  await app.close();
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** The port; undefined for a worker whose port is taken, which needs it for health checks alone. */
async function listen(
  app: NestFastifyApplication,
  config: Config,
  logger: Logger,
): Promise<number | undefined> {
  await app.init();
  try {
    // Not `app.listen()`, which logs the error before `listenError` can say how to mend it.
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
