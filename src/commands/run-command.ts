import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { Command } from 'commander';
import { pino } from 'pino';
import { AuthModule } from '../auth/auth.module.js';
import { ConfigModule } from '../platform/config/config.module.js';
import { loadConfig, type Config } from '../platform/config/env.js';
import { loadSecrets } from '../platform/config/secrets.js';
import { DatabaseModule } from '../platform/database/database.module.js';
import { openDatabase } from '../platform/database/open-database.js';
import { LoggingModule } from '../platform/logging/logging.module.js';
import { unescapedText } from '../platform/validation/html-text.js';

/** A mistake in the command line: printed as one line, without a stack. */
export class UsageError extends Error {}

export interface CommandContext {
  get: INestApplicationContext['get'];
  config: Config;
  /** Migrations applied while the database was opened. */
  applied: string[];
}

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Output of a command: `json` with `--json`, `text` without. */
interface Output {
  json: object;
  text: string;
}

export type CommandAction = (context: CommandContext) => Promise<Output>;

export interface JsonOption {
  json?: true;
}

/** Adds `--json`, which every command that uses the database has. */
export function jsonCommand(command: Command): Command {
  return command.option('--json', 'print one JSON object');
}

/**
 * Opens the database, runs one command, prints its output and closes everything.
 * @param modulesOf what the command needs beside `AuthModule`.
 */
export async function run(
  options: JsonOption,
  action: CommandAction,
  modulesOf: (databaseUrl: string) => (Type | DynamicModule)[] = () => [],
): Promise<void> {
  const config = loadConfig();
  const secrets = loadSecrets(config);
  const opening = openDatabase(config);
  // An interrupted command must stop the embedded server if it has started it.
  const abort = () => void opening.then((opened) => opened.kill()).finally(() => process.exit(1));
  for (const signal of SIGNALS) process.once(signal, abort);
  const database = await opening;
  try {
    const app = await NestFactory.createApplicationContext(
      {
        module: class CommandModule {},
        imports: [
          LoggingModule.register(pino({ level: 'silent' })),
          ConfigModule.register(config, secrets),
          DatabaseModule.register(database.url),
          AuthModule,
          ...modulesOf(database.url),
        ],
      },
      { logger: false, abortOnError: false },
    );
    const context = { get: app.get.bind(app), config, applied: database.applied };
    let output: Output;
    try {
      output = await action(context);
    } finally {
      await app.close();
    }
    process.stdout.write(`${options.json ? JSON.stringify(output.json) : output.text}\n`);
  } finally {
    await database.close();
    for (const signal of SIGNALS) process.off(signal, abort);
  }
}

/** Reads a name or label, as `TextField` reads them. @throws UsageError */
export function oneLine(value: string, option: string): string {
  const trimmed = unescapedText(value, true).trim();
  if (trimmed === '' || [...trimmed].length > 120 || /[\p{Cc}\p{Cs}]/u.test(trimmed)) {
    throw new UsageError(`${option}: must be 1 to 120 characters on one line`);
  }
  return trimmed;
}
