#!/usr/bin/env node
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Command, CommanderError } from 'commander';
import { pino } from 'pino';
import { AppModule } from './app.module.js';
import { addGuiaCommands } from './commands/guia.commands.js';
import { addKeyCommands } from './commands/keys.commands.js';
import { addMerchantCommands } from './commands/merchants.commands.js';
import { addMessageCommands } from './commands/messages.commands.js';
import { jsonCommand, run, type JsonOption } from './commands/run-command.js';
import { loadConfig } from './config/env.js';
import { Secrets } from './config/secrets.js';
import { createOpenApiDocument } from './openapi.js';

const program = new Command('guias')
  .description('Operator commands of Guías. They work while the service runs and while it is stopped.')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

addMerchantCommands(program);
addKeyCommands(program);
addMessageCommands(program);
addGuiaCommands(program);

jsonCommand(program.command('migrate').description('bring the database schema up to date')).action(
  (options: JsonOption) =>
    run(options, ({ applied }) =>
      Promise.resolve({
        json: { applied },
        text: applied.length ? `applied: ${applied.join(', ')}` : 'nothing to apply',
      }),
    ),
);

program
  .command('openapi')
  .description('write the OpenAPI document')
  .option('--out <file>', 'where to', 'openapi.json')
  .action(writeOpenApi);

async function writeOpenApi({ out }: { out: string }): Promise<void> {
  const options = {
    config: loadConfig({}),
    secrets: new Secrets(''),
    databaseUrl: 'postgres://unused',
    boardUsers: undefined,
  };
  const app = await NestFactory.create<NestFastifyApplication>(
    AppModule.register(options, pino({ level: 'silent' })),
    new FastifyAdapter(),
    {
      preview: true,
      logger: false,
      abortOnError: false,
    },
  );
  writeFileSync(out, `${JSON.stringify(createOpenApiDocument(app), null, 2)}\n`);
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError && error.exitCode === 0) process.exit(0);
  const isIncomplete = error instanceof CommanderError && error.code === 'commander.help';
  const message = isIncomplete
    ? 'this is not a whole command; add --help to see what can follow'
    : (error as Error).message;
  process.stderr.write(`${message.replace(/^error: /, '').replaceAll('\n', '; ')}\n`);
  process.exit(1);
}
process.exit(0);
