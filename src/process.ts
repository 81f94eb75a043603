import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { banner, BOARD_PASSWORD } from './banner.js';
import { keepSecret } from './config/data-dir.js';
import type { BoardUser } from './config/board-users.js';
import { loadConfig, type Config } from './config/env.js';
import { STOP_LIMIT_MS, stopLimits, type StopLimits } from './config/stop-limits.js';
import { openDatabase } from './database/open-database.js';
import { startupFault } from './database/startup-fault.js';
import { reportAndExit } from './errors/report-and-exit.js';
import { checkListenAddress } from './listen-address.js';
import { createLogger, flushLogs } from './logging/logger.js';
import { loadSecrets } from './config/secrets.js';

/** ms. npm forwards a terminal's Ctrl-C, so one press arrives twice, a few milliseconds apart. */
const SAME_SIGNAL_MS = 250;

interface Service {
  /** @param since when the stop began, as `performance.now()` counts. */
  stop(since: number): Promise<void>;
}

async function start(
  config: Config,
  logger: Logger,
  onDatabase: (kill: () => void) => void,
): Promise<Service> {
  await checkListenAddress(config);
  // Start-up time is mostly module loading; the database starts meanwhile.
  const loading = import('./serve.js');
  loading.catch(() => undefined);
  const database = await openDatabase(config, (message) => logger.warn(message));
  onDatabase(() => database.kill());
  try {
    const boardUsers = boardUsersOf(config, database.isEmbedded);
    const options = { config, secrets: loadSecrets(config), databaseUrl: database.url, boardUsers };
    const hasDemoKeys = database.isEmbedded && config.isLocal;
    const { serve } = await loading;
    const { port, demoKeys, stop } = await serve(options, { hasDemoKeys }, logger);
    if (port !== undefined) process.stdout.write(banner(config, port, boardUsers, demoKeys));
    if (config.role === 'worker' && config.publicUrl === undefined) {
      logger.warn(
        'PUBLIC_URL is not set: links in messages lead to this machine, at the port of this worker',
      );
    }
    return {
      stop: async (since) => {
        const limits = stopLimits(database);
        const left = (step: keyof StopLimits) => Math.max(0, since + limits[step] - performance.now());
        await stop(left);
        await database.close(left('database'));
      },
    };
  } catch (error) {
    // What fails from here on, fails because this start did.
    logger.level = 'silent';
    await database.close();
    throw startupFault(error);
  }
}

/** Users of /admin: BOARD_USERS, or in embedded mode one whose password the first start generates. */
function boardUsersOf(config: Config, isEmbedded: boolean): readonly BoardUser[] | undefined {
  if (config.boardUsers || !isEmbedded) return config.boardUsers;
  const password = keepSecret(config.dataDir, BOARD_PASSWORD, () => randomBytes(12).toString('base64url'));
  return [{ name: 'soporte', password, role: 'soporte' }];
}

/**
 * First signal: stops in order and exits with 0, after the start has finished. Second: exits at once.
 * @param kill ends everything that must not outlive this process, without waiting.
 */
function handleSignals(starting: Promise<Service>, kill: () => void, logger: Logger): void {
  let stoppingSince: number | undefined;
  let service: Service | undefined;
  void starting.then(
    (started) => (service = started),
    () => undefined,
  );
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
      kill();
      process.exit(1);
    }
    const since = (stoppingSince = performance.now());
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping takes too long; ending now');
      kill();
      // A start that never finished had nothing to stop.
      process.exit(service ? 1 : 0);
    }, STOP_LIMIT_MS);
    void starting
      .then((started) => started.stop(since))
      .then(() => flushLogs(logger))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  // The reader of our output may be gone; the service goes on without a log.
  process.stdout.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'defect');
    kill();
    process.exit(1);
  });
}

/** Starts the configured roles and runs until a signal; it handles signals from the moment it is called. */
export async function runService(): Promise<void> {
  try {
    const config = loadConfig();
    const logger = createLogger(config);
    let kill = () => undefined as void;
    const starting = start(config, logger, (killDatabase) => (kill = killDatabase));
    handleSignals(starting, () => kill(), logger);
    await starting;
  } catch (error) {
    reportAndExit(error);
  }
}
