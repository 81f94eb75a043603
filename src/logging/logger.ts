import type { LoggerService } from '@nestjs/common';
import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Config } from '../config/env.js';

/** JSON lines on standard output; readable text where that is a terminal. */
export function createLogger({ logLevel }: Pick<Config, 'logLevel'>, destination = standardOutput()): Logger {
  return pino({ level: logLevel, base: undefined, serializers: { err: safeError } }, destination);
}

function standardOutput(): DestinationStream {
  return process.stdout.isTTY ? pretty({ sync: true, translateTime: 'HH:MM:ss.l' }) : pino.destination(1);
}

/**
 * An error without data: what PostgreSQL and TypeORM attach (values, statements, details) may hold a
 * person's phone or address, and so may the message of a database error.
 */
export function safeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { driverError, code, constraint, table, severity } = error as Error & Record<string, unknown>;
  if (driverError instanceof Error && driverError !== error) return safeError(driverError);
  const isFromDatabase = severity !== undefined;
  const { stack = '' } = stdSerializers.err(error);
  return {
    type: error.constructor.name,
    ...(code !== undefined && { code }),
    ...(isFromDatabase ? { constraint, table } : { message: error.message }),
    stack: isFromDatabase ? frames(stack) : stack,
  };
}

function frames(stack: string): string {
  return stack.slice(Math.max(0, stack.indexOf('\n    at ')));
}

/** Nest's own messages (modules, routes) at debug; its warnings and errors as ours. */
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
    this.logger.error(message instanceof Error ? { err: message } : { context }, String(message));
  }

  fatal(message: unknown, ...context: unknown[]): void {
    this.logger.fatal({ context }, String(message));
  }
}
