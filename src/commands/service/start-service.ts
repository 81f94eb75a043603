import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { BoardUser } from '../../platform/config/board-users.js';
import { keepSecret } from '../../platform/config/data-dir.js';
import type { Config } from '../../platform/config/env.js';
import { GOING_LIVE, missingForLive } from '../../platform/config/going-live.js';
import { loadSecrets } from '../../platform/config/secrets.js';
import { stopLimits, type StopLimits } from '../../platform/config/stop-limits.js';
import { openDatabase } from '../../platform/database/open-database.js';
import { startupFault } from '../../platform/database/startup-fault.js';
import { banner, BOARD_PASSWORD } from './banner.js';
import { connectionWarning } from './connections.js';
import { checkListenAddress } from './listen-address.js';
import type { Served } from './serve.js';

export interface Service {
  /** @param since when the stop began, as a `performance.now()` timestamp. */
  stop(since: number): Promise<void>;
}

/**
 * Opens and migrates the database, serves on it, and prints where.
 * @param onDatabase called with a function that leaves the database without waiting.
 * @throws StartupError
 */
export async function startService(
  config: Config,
  logger: Logger,
  onDatabase: (kill: () => void) => void,
): Promise<Service> {
  await checkListenAddress(config);
  // Imported here: without REDIS_URL nothing needs ioredis that early.
  if (config.redis) await (await import('../../platform/queues/check-redis.js')).checkRedis(config.redis);
  // Start-up time is mostly module loading; the database starts meanwhile.
  const loading = import('./serve.js');
  loading.catch(() => undefined);
  const secrets = loadSecrets(config);
  const database = await openDatabase(config, (message) => logger.warn(message));
  onDatabase(() => database.kill());
  try {
    const boardUsers = boardUsersOf(config, database.isEmbedded);
    const fewConnections = await connectionWarning(config, database.url);
    const { serve } = await loading;
    const served = await serve(
      { config, secrets, databaseUrl: database.url, boardUsers },
      { hasDemoKeys: database.isEmbedded && config.isLocal },
      logger,
    );
    announce(config, served, boardUsers);
    for (const warning of [...warningsOf(config, served), fewConnections]) if (warning) logger.warn(warning);
    return {
      stop: async (since) => {
        const limits = stopLimits(database);
        const left = (step: keyof StopLimits) => Math.max(0, since + limits[step] - performance.now());
        await served.stop(left);
        await database.close(left('database'));
      },
    };
  } catch (error) {
    // Only this error is reported: errors of the shutdown that follows are its consequences.
    logger.level = 'silent';
    await database.close();
    throw startupFault(error);
  }
}

/** Users of /admin: BOARD_USERS, or in embedded mode one whose password the first start generates. */
function boardUsersOf(config: Config, isEmbedded: boolean): readonly BoardUser[] | undefined {
  if (config.boardUsers || !isEmbedded) return config.boardUsers;
  const password = keepSecret(config.dataDir, BOARD_PASSWORD, () => randomBytes(12).toString('base64url'));
  return [{ name: 'soporte', password, role: 'admin' }];
}

function announce(config: Config, { port, demoKeys }: Served, boardUsers: readonly BoardUser[] | undefined) {
  if (port !== undefined) process.stdout.write(banner(config, port, boardUsers, demoKeys));
}

/** Settings that have no effect, or are missing. */
function warningsOf(config: Config, served: Served): string[] {
  const { port, role, isLocal, publicUrl, webConcurrency } = config;
  const warnings: [applies: boolean, warning: string][] = [
    [
      served.port === undefined,
      `port ${port} is in use: this worker runs without /livez, /readyz and /metrics; set PORT to get them`,
    ],
    [
      role === 'worker' && isLocal && publicUrl === undefined,
      'PUBLIC_URL is not set: links in messages point to this machine, at the port of this worker',
    ],
    [
      webConcurrency !== undefined && webConcurrency !== '1',
      'WEB_CONCURRENCY is ignored: this is one process; start several with Compose, systemd or PM2, as docs/scaling.md says',
    ],
  ];
  const applying = warnings.filter(([applies]) => applies).map(([, warning]) => warning);
  return [...applying, ...missingForLive(config).map((name) => GOING_LIVE[name])];
}
