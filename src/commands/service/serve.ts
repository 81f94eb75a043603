import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import type { AppOptions } from '../../app.module.js';
import { ApiKeysService } from '../../auth/keys/api-keys.service.js';
import { AuthenticationService } from '../../auth/keys/authentication.service.js';
import { ensureDemoKeys, type DemoKeys } from '../../auth/demo-merchant.js';
import { MerchantsService } from '../../auth/merchants/merchants.service.js';
import type { Config } from '../../platform/config/env.js';
import type { StopLimits } from '../../platform/config/stop-limits.js';
import { createApp } from '../../create-app.js';
import { withAdvisoryLock } from '../../platform/database/advisory-lock.js';
import { Readiness } from '../../platform/health/readiness.js';
import { isOptionalPort, listenFault } from './listen-address.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { withTimeout } from '../../platform/timeouts/with-timeout.js';

/** Advisory lock, so that two processes started at once create only one demo merchant: the letters "demo". */
const DEMO_LOCK = 0x64656d6f;

type TimeLeft = (step: keyof StopLimits) => number;

export interface Served {
  /** Undefined for a worker whose port is taken. */
  port: number | undefined;
  demoKeys: DemoKeys | undefined;
  /** @param left returns the ms that are left for a step. */
  stop: (left: TimeLeft) => Promise<void>;
}

/** Starts the service on a migrated database. @throws StartupError where it cannot listen. */
export async function serve(
  options: AppOptions,
  { hasDemoKeys }: { hasDemoKeys: boolean },
  logger: Logger,
): Promise<Served> {
  const { config } = options;
  const app = await createApp(options, logger);
  const demoKeys = hasDemoKeys ? await demoKeysOf(app, config) : undefined;
  const port = await listen(app, config);
  return { port, demoKeys, stop: (left) => stop(app, left, logger) };
}

/** Fails readiness, ends jobs and requests in flight, then closes all connections. Each step has a time limit. */
async function stop(app: NestFastifyApplication, left: TimeLeft, logger: Logger): Promise<void> {
  app.get(Readiness).drain();
  await Promise.all([
    waitFor('running jobs', left('work'), app.get(QueuesService).stop(), logger),
    sleep(left('drain')).then(() => closeServer(app, left('work'))),
  ]);
  await waitFor('closing connections', left('connections'), app.close(), logger);
}

/** Waits up to `limitMs`. Work that is cut off is repeated by another process. */
async function waitFor(what: string, limitMs: number, ending: Promise<void>, logger: Logger): Promise<void> {
  await withTimeout(limitMs, ending).catch((error: unknown) => {
    logger.warn({ err: error }, `shutdown: ${what} cut off at the time limit`);
  });
}

function demoKeysOf(app: NestFastifyApplication, config: Config): Promise<DemoKeys> {
  const services = {
    merchants: app.get(MerchantsService),
    keys: app.get(ApiKeysService),
    authentication: app.get(AuthenticationService),
  };
  return withAdvisoryLock(app.get(DataSource), DEMO_LOCK, () =>
    ensureDemoKeys(config.dataDir, config.defaultCountry, services),
  );
}

/** Accepts no more connections, and waits for requests in flight. */
async function closeServer(app: NestFastifyApplication, limitMs: number): Promise<void> {
  const server = app.getHttpServer();
  // A connection that is answered after the close began would otherwise stay open for its keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const deadline = setTimeout(() => server.closeAllConnections(), limitMs);
  await app.getHttpAdapter().close();
  clearInterval(sweep);
  clearTimeout(deadline);
}

/** The port; undefined for a worker whose port is taken, which needs it for health checks alone. */
async function listen(app: NestFastifyApplication, config: Config): Promise<number | undefined> {
  await app.init();
  try {
    // Not `app.listen()`, which would log the error before `listenFault` can explain how to fix it.
    await app.getHttpAdapter().getInstance().listen({ port: config.port, host: config.host });
  } catch (error) {
    if (!isOptionalPort(config, error)) throw listenFault(config, error);
    return undefined;
  }
  return (app.getHttpServer().address() as AddressInfo).port;
}
