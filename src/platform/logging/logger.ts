import type { LoggerService } from '@nestjs/common';
import { pino, type DestinationStream, type Logger } from 'pino';
import { MIB } from '../config/body-limit.js';
import type { Config } from '../config/env.js';
import { withTimeout } from '../timeouts/with-timeout.js';
import { traceOfLog } from '../tracing/spans.js';

type LogConfig = Pick<Config, 'logLevel'> & Partial<Pick<Config, 'tracing'>>;

/** Writes JSON lines. With tracing, they contain their trace id. */
export function createLogger({ logLevel, tracing }: LogConfig, destination: DestinationStream): Logger {
  const serializers = { err: safeError };
  return pino(
    { level: logLevel, base: undefined, serializers, ...(tracing && { mixin: traceOfLog }) },
    destination,
  );
}

/** Bytes; lines are buffered until so many, or for `FLUSH_MS`, because one write per line is expensive. */
const BUFFER = 12_288;

const FLUSH_MS = 200;

/** Readable text on a terminal, else buffered lines, which are written at exit; SIGKILL loses them. */
export async function standardOutput(): Promise<DestinationStream> {
  if (!process.stdout.isTTY) return boundedOutput(1);
  const { default: pretty } = await import('pino-pretty');
  return pretty({ sync: true, translateTime: 'HH:MM:ss.l' });
}

/** Bytes that wait for a program that does not read our output; further lines are dropped. */
const MAX_UNREAD = 4 * MIB;

/**
 * Buffered lines for a file, up to a bound; how many more there were is said once, when it takes lines again.
 * @param dest its descriptor.
 */
export function boundedOutput(dest: number, maxLength = MAX_UNREAD): ReturnType<typeof pino.destination> {
  const options = { dest, sync: false, periodicFlush: FLUSH_MS, minLength: BUFFER, maxLength };
  const output = pino.destination(options);
  let dropped = 0;
  output.on('drop', () => dropped++);
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    createLogger({ logLevel: 'warn' }, output).warn(
      { lines },
      'lines of the log were dropped: nobody read it',
    );
  });
  return output;
}

/** ms; a program that no longer reads our output must not keep the process from ending. */
const FLUSH_LIMIT_MS = 500;

/** Writes the buffered lines. Await it before an orderly exit: the flush at the exit itself fails if the reader has ended. */
export async function flushLogs(logger: Logger): Promise<void> {
  const flushed = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await withTimeout(FLUSH_LIMIT_MS, flushed).catch(() => undefined);
}

/** Maximum depth of logged causes; an error may be its own cause. */
const MAX_CAUSES = 3;

/**
 * An error without personal data. What PostgreSQL and TypeORM attach (values, statements, details) may contain a phone
 * or address, and so may the message of a database error.
 */
export function safeError(error: unknown, causes = MAX_CAUSES): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { driverError, code, constraint, table, severity } = error as Error & Record<string, unknown>;
  if (driverError instanceof Error && driverError !== error) return safeError(driverError, causes);
  return {
    type: error.constructor.name,
    ...(code !== undefined && { code }),
    ...(severity !== undefined ? { constraint, table } : { message: error.message }),
    stack: frames(error),
    ...(error.cause !== undefined && causes > 0 && { cause: safeError(error.cause, causes - 1) }),
  };
}

/** The stack frames, without the message that V8 puts in front. */
function frames({ stack = '', message }: Error): string {
  const start = stack.indexOf(message);
  const rest = start < 0 ? stack : stack.slice(start + message.length);
  return rest
    .split('\n')
    .filter((line) => line.startsWith('    at '))
    .join('\n');
}

/** Logs Nest's own messages (modules, routes) at debug, and its warnings and errors at their level. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context }, String(message));
  }

  debug(message: unknown, ...context: unknown[]): void {
    this.logger.debug({ context }, String(message));
  }

  verbose(message: unknown, ...context: unknown[]): void {
    this.logger.trace({ context }, String(message));
  }

  warn(message: unknown, ...context: unknown[]): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, ...context: unknown[]): void {
    if (message instanceof Error) this.logger.error({ err: message }, message.name);
    else this.logger.error({ context }, String(message));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context }, String(message));
  }
}
