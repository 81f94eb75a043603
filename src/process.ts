import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { keepSecret } from './config/data-dir.js';
import { loadConfig, type Config } from './config/env.js';
import { openDatabase } from './database/open-database.js';
import { reportAndExit } from './errors/report-and-exit.js';
import { createLogger } from './logging/logger.js';
import { loadSecrets } from './config/secrets.js';

/** ms for an orderly stop, also of a start that waits for another process's migration. */
const STOP_LIMIT_MS = 9_500;

/** ms between /readyz failing and the close, for a load balancer to notice; embedded mode has none. */
const DRAIN_MS = 2_000;

/** ms. npm forwards a terminal's Ctrl-C, so one press arrives twice, a few milliseconds apart. */
const SAME_SIGNAL_MS = 250;

interface Service {
  stop(): Promise<void>;
}

async function start(
  config: Config,
  logger: Logger,
  onDatabase: (kill: () => void) => void,
): Promise<Service> {
  // Start-up time is mostly module loading; the database starts meanwhile.
  const loading = import('./serve.js');
  loading.catch(() => undefined);
  const database = await openDatabase(config, (message) => logger.warn(message));
  onDatabase(() => database.kill());
  try {
    const board = boardAccess(config, database.isEmbedded);
    const options = {
      config,
      secrets: loadSecrets(config),
      databaseUrl: database.url,
      boardUsers: board && new Map(board),
    };
    const { serve } = await loading;
    const { port, demoKey, stop } = await serve(options, { hasDemoKey: database.isEmbedded }, logger);
    printBanner(config, port, demoKey, board?.[0]);
    if (config.role === 'worker' && config.publicUrl === undefined) {
      logger.warn(
        'PUBLIC_URL is not set: links in messages lead to this machine, at the port of this worker',
      );
    }
    return {
      stop: async () => {
        await stop({ drainMs: database.isEmbedded ? 0 : DRAIN_MS });
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

type BoardUser = [name: string, password: string];

/** Users of the queue board: BOARD_USERS, or in embedded mode one that the first start generates. */
function boardAccess(config: Config, isEmbedded: boolean): BoardUser[] | undefined {
  if (config.boardUsers) return [...config.boardUsers];
  if (!isEmbedded) return undefined;
  return [
    ['soporte', keepSecret(config.dataDir, 'board-password', () => randomBytes(12).toString('base64url'))],
  ];
}

function printBanner(
  config: Config,
  port: number | undefined,
  demoKey: string | undefined,
  boardUser: BoardUser | undefined,
): void {
  if (port === undefined) return;
  const isThisMachine = ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(config.host);
  const base = `http://${isThisMachine ? 'localhost' : config.host}:${port}`;
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
      if (Date.now() - stoppingSince < SAME_SIGNAL_MS) return;
      kill();
      process.exit(1);
    }
    stoppingSince = Date.now();
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('stopping takes too long; ending now');
      kill();
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
