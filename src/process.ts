import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { banner, BOARD_PASSWORD } from './banner.js';
import type { BoardUser } from './config/board-users.js';
import { keepSecret } from './config/data-dir.js';
import { loadConfig, type Config } from './config/env.js';
import { loadSecrets } from './config/secrets.js';
import { STOP_LIMIT_MS, stopLimits, type StopLimits } from './config/stop-limits.js';
import { openDatabase, type JoinedDatabase } from './database/open-database.js';
import { startupFault } from './database/startup-fault.js';
import { reportAndExit } from './errors/report-and-exit.js';
import type { Siblings } from './health/metrics.js';
import { checkListenAddress } from './listen-address.js';
import { createLogger, flushLogs } from './logging/logger.js';
import { checkCluster } from './queues/check-cluster.js';
import type { Served } from './serve.js';

/** ms in which a second signal is ignored: npm forwards a terminal's Ctrl-C, so that one press arrives twice. */
const SAME_SIGNAL_MS = 250;

/** A service that runs. */
export interface Service {
  /** @param since when the stop began, as `performance.now()` counts. */
  stop(since: number): Promise<void>;
}

interface StartOptions {
  open: () => Promise<JoinedDatabase>;
  /** Called with a function that leaves the database without waiting. */
  onDatabase: (kill: () => void) => void;
  /** Whether to make a demo merchant, in embedded mode on this machine. */
  makesDemoKeys: boolean;
  /** The processes that share the port. */
  siblings: Siblings | undefined;
}

interface Started extends Service, Pick<Served, 'port' | 'demoKeys'> {
  boardUsers: readonly BoardUser[] | undefined;
}

/** Opens the database and starts the service on it. @throws StartupError */
export async function startServing(
  config: Config,
  logger: Logger,
  { open, onDatabase, makesDemoKeys, siblings }: StartOptions,
): Promise<Started> {
  // Start-up time is mostly module loading; the database starts meanwhile.
  const loading = import('./serve.js');
  loading.catch(() => undefined);
  const secrets = loadSecrets(config);
  const database = await open();
  onDatabase(() => database.kill());
  try {
    const boardUsers = boardUsersOf(config, database.isEmbedded);
    const options = { config, secrets, databaseUrl: database.url, boardUsers };
    const hasDemoKeys = makesDemoKeys && database.isEmbedded && config.isLocal;
    const { serve } = await loading;
    const { stop, ...served } = await serve(options, { hasDemoKeys, siblings }, logger);
    return {
      ...served,
      boardUsers,
      stop: async (since) => {
        const limits = stopLimits(database);
        const left = (step: keyof StopLimits) => Math.max(0, since + limits[step] - performance.now());
        await stop(left);
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

/** Prints where the service listens, and warns of missing settings. */
export function announce(
  config: Config,
  { port, demoKeys, boardUsers }: Pick<Started, 'port' | 'demoKeys' | 'boardUsers'>,
  logger: Logger,
): void {
  if (port === undefined) {
    logger.warn(
      `port ${config.port} is in use: this worker runs without /livez, /readyz and /metrics; set PORT to get them`,
    );
  } else process.stdout.write(banner(config, port, boardUsers, demoKeys));
  if (config.role === 'worker' && config.publicUrl === undefined) {
    logger.warn('PUBLIC_URL is not set: links in messages point to this machine, at the port of this worker');
  }
}

/** Users of /admin: BOARD_USERS, or in embedded mode one whose password the first start generates. */
export function boardUsersOf(config: Config, isEmbedded: boolean): readonly BoardUser[] | undefined {
  if (config.boardUsers || !isEmbedded) return config.boardUsers;
  const password = keepSecret(config.dataDir, BOARD_PASSWORD, () => randomBytes(12).toString('base64url'));
  return [{ name: 'soporte', password, role: 'soporte' }];
}

async function start(
  config: Config,
  logger: Logger,
  onDatabase: (kill: () => void) => void,
): Promise<Service> {
  await checkListenAddress(config);
  await checkCluster(config.redis);
  const open = () => openDatabase(config, (message) => logger.warn(message));
  const started = await startServing(config, logger, {
    open,
    onDatabase,
    makesDemoKeys: true,
    siblings: undefined,
  });
  announce(config, started, logger);
  return started;
}

/** Starts several processes, whose code is loaded only here. */
async function startSeveral(...args: Parameters<typeof start>): Promise<Service> {
  const { supervise } = await import('./supervise.js');
  return supervise(...args);
}

/**
 * The first signal waits for the start, stops in order and exits with 0. The second exits at once.
 * @param kill ends what must not outlive this process, without waiting.
 */
function handleSignals(starting: Promise<Service>, kill: () => void, logger: Logger): void {
  const stopInOrder = handleEnd(starting, kill, logger);
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      if (performance.now() - stoppingSince < SAME_SIGNAL_MS) return;
      kill();
      process.exit(1);
    }
    stoppingSince = performance.now();
    logger.info({ signal }, 'stopping');
    stopInOrder(stoppingSince);
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

/**
 * Ends the process at an uncaught exception.
 * @returns a function that waits for the start, stops in order and exits with 0.
 */
export function handleEnd(
  starting: Promise<Service>,
  kill: () => void,
  logger: Logger,
): (since: number) => void {
  let service: Service | undefined;
  void starting.then(
    (started) => (service = started),
    () => undefined,
  );
  // The program that reads our output may have ended; the service continues without a log.
  process.stdout.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    kill();
    process.exit(1);
  });
  return (since) => {
    // Cutting off a start that has not finished is no failure: it has served no request.
    const hasServed = service !== undefined;
    setTimeout(
      () => {
        logger.error('shutdown time limit exceeded; exiting now');
        kill();
        process.exit(hasServed ? 1 : 0);
      },
      since + STOP_LIMIT_MS - performance.now(),
    );
    void starting
      .then((started) => started.stop(since))
      .then(() => flushLogs(logger))
      .then(
        () => process.exit(0),
        (error: unknown) => {
          logger.error({ err: error }, 'shutdown failed');
          process.exit(1);
        },
      );
  };
}

/** Starts the configured roles, and runs until a signal. Handles signals from the call on. */
export async function runService(): Promise<void> {
  try {
    const config = loadConfig();
    const logger = createLogger(config);
    let kill = () => undefined as void;
    const run = config.processes.count > 1 ? startSeveral : start;
    const starting = run(config, logger, (killWhatRuns) => (kill = killWhatRuns));
    handleSignals(starting, () => kill(), logger);
    await starting;
  } catch (error) {
    reportAndExit(error);
  }
}
