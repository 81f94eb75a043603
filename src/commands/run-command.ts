import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule, INestApplicationContext, Type } from '@nestjs/common';
import type { Command } from 'commander';
import { pino } from 'pino';
import { AuthModule } from '../auth/auth.module.js';
import { ConfigModule } from '../config/config.module.js';
import { loadConfig, type Config } from '../config/env.js';
import { loadSecrets } from '../config/secrets.js';
import { DatabaseModule } from '../database/database.module.js';
import { openDatabase } from '../database/open-database.js';
import { LoggingModule } from '../logging/logging.module.js';

/** A mistake of the operator: one line, no stack. */
export class UsageError extends Error {}

/** What a command works with. */
export interface CommandContext {
  get: INestApplicationContext['get'];
  config: Config;
  /** Migrations that opening the database applied. */
  applied: string[];
}

/** What a command prints: one JSON object, or the same for people. */
export interface Output {
  json: object;
  text: string;
}

export interface JsonOption {
  json?: true;
}

/** Every command that touches the database can speak JSON. */
export function jsonCommand(command: Command): Command {
  return command.option('--json', 'print one JSON object');
}

/** Parts of the service, on a database. */
export type Parts = (databaseUrl: string) => (Type | DynamicModule)[];

/**
 * Opens the database, runs one command, prints its output and gives everything back.
 * @param parts what the command needs beside merchants and keys.
 */
export async function run(
  options: JsonOption,
  action: (context: CommandContext) => Promise<Output>,
  parts: Parts = () => [],
): Promise<void> {
  const config = loadConfig();
  const secrets = loadSecrets(config);
  const opening = openDatabase(config);
  // An interrupted command must not leave a server behind that it has started.
  const leave = () => void opening.then((opened) => opened.kill()).finally(() => process.exit(1));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave);
  const database = await opening;
  try {
    const app = await NestFactory.createApplicationContext(
      {
        module: class Operator {},
        imports: [
          LoggingModule.register(pino({ level: 'silent' })),
          ConfigModule.register(config, secrets),
          DatabaseModule.register(database.url),
          AuthModule,
          ...parts(database.url),
        ],
      },
      { logger: false, abortOnError: false },
    );
    const context = { get: app.get.bind(app), config, applied: database.applied };
    const output = await action(context).finally(() => app.close());
    process.stdout.write(`${options.json ? JSON.stringify(output.json) : output.text}\n`);
  } finally {
    await database.close();
  }
}

/** A name or label given on the command line. @throws UsageError */
export function oneLine(value: string, option: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || [...trimmed].length > 120 || /[\p{Cc}\p{Cs}]/u.test(trimmed)) {
    throw new UsageError(`${option}: must be 1 to 120 characters on one line`);
  }
  return trimmed;
}
