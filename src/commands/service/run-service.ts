import type { Logger } from 'pino';
import { loadConfig } from '../../platform/config/env.js';
import { STOP_LIMIT_MS } from '../../platform/config/stop-limits.js';
import { reportAndExit } from '../../platform/errors/report-and-exit.js';
import { createLogger, flushLogs, standardOutput } from '../../platform/logging/logger.js';
import { startService, type Service } from './start-service.js';

/** ms in which a second signal is ignored: npm forwards a terminal's Ctrl-C, so that one press arrives twice. */
const SAME_SIGNAL_MS = 250;

/** Awaited here, while `main` handles signals: `runService` must handle them before it awaits anything. */
const output = await standardOutput();

/** Starts the configured roles, and runs until a signal. Handles signals from the call on. */
export async function runService(): Promise<void> {
  try {
    const config = loadConfig();
    const logger = createLogger(config, output);
    let kill = () => undefined as void;
    const starting = startService(config, logger, (killDatabase) => (kill = killDatabase));
    handleSignals(starting, () => kill(), logger);
    await starting;
  } catch (error) {
    reportAndExit(error);
  }
}

/**
 * The first signal waits for the start, stops in order and exits with 0. The second exits at once, and so does an uncaught
 * exception.
 * @param kill ends, without waiting, the PostgreSQL that must not outlive this process.
 */
function handleSignals(starting: Promise<Service>, kill: () => void, logger: Logger): void {
  const exit = (code: number): never => {
    kill();
    process.exit(code);
  };
  let service: Service | undefined;
  void starting.then(
    (started) => (service = started),
    () => undefined,
  );
  // The program that reads our output may have ended; the service continues without a log.
  process.stdout.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    logger.fatal({ err: error }, 'uncaught exception');
    exit(1);
  });
  let stoppingSince: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (stoppingSince !== undefined) {
      if (now - stoppingSince >= SAME_SIGNAL_MS) exit(1);
      return;
    }
    stoppingSince = now;
    logger.info({ signal }, 'stopping');
    // Cutting off a start that has not finished is no failure: it has served no request.
    const hasServed = service !== undefined;
    setTimeout(() => {
      logger.error('shutdown time limit exceeded; exiting now');
      exit(hasServed ? 1 : 0);
    }, STOP_LIMIT_MS);
    stop(starting, now, logger).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'shutdown failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}

async function stop(starting: Promise<Service>, since: number, logger: Logger): Promise<void> {
  const service = await starting;
  await service.stop(since);
  await flushLogs(logger);
}
