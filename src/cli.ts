#!/usr/bin/env node
import './commands/service/compile-cache.js';
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { exitWritten } from './commands/exit-written.js';

const readVersion = () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
};

const program = new Command('guias')
  .description('Operator commands of Guías. They work while the service runs and while it is stopped.')
  .version(readVersion(), '-V, --version', 'print the version')
  .exitOverride()
  .configureOutput({ writeErr: () => undefined });

/** Each command is imported only when called: loading the whole service takes seconds. */
const COMMANDS: [name: string, description: string, add: (command: Command) => Promise<void>][] = [
  [
    'merchants',
    'merchants (comercios)',
    async (command) => (await import('./commands/merchants.commands.js')).addMerchantCommands(command),
  ],
  [
    'keys',
    'API keys (claves de API)',
    async (command) => (await import('./commands/keys.commands.js')).addKeyCommands(command),
  ],
  [
    'sandbox',
    'the messaging provider that sends nothing',
    async (command) => (await import('./commands/messages.commands.js')).addSandboxCommands(command),
  ],
  [
    'messages',
    'messages to recipients',
    async (command) => (await import('./commands/messages.commands.js')).addMessageCommands(command),
  ],
  [
    'guias',
    'shipping guides (guías)',
    async (command) => (await import('./commands/guia.commands.js')).addGuiaCommands(command),
  ],
  [
    'show',
    'the whole story of a guide: history, messages, deliveries',
    async (command) => (await import('./commands/guia.commands.js')).addShow(command),
  ],
  [
    'migrate',
    'bring the database schema up to date',
    async (command) => (await import('./commands/migrate.command.js')).addMigrate(command),
  ],
  [
    'backup',
    'copy the embedded database and its secrets, also while the service runs',
    async (command) => (await import('./commands/backup.command.js')).addBackup(command),
  ],
  [
    'restored',
    'after a restore: skip the guide numbers that lost guides may have',
    async (command) => (await import('./commands/restored.command.js')).addRestored(command),
  ],
];
/** Also of `help keys`. */
const called = process.argv.slice(2).find((word) => !['help', '--'].includes(word));
for (const [name, description, add] of COMMANDS) {
  const command = program.command(name).description(description);
  if (name === called) await add(command);
}

program
  .command('openapi')
  .description('write the OpenAPI document')
  .option('--out <file>', 'where to', 'openapi.json')
  .action(async (options: { out: string }) =>
    (await import('./commands/service/write-openapi.js')).writeOpenApi(options),
  );

function lineOf(error: unknown): string {
  const line = (error as Error).message.replace(/^error: /, '').replaceAll('\n', '; ');
  if (!(error instanceof CommanderError)) return line;
  if (error.code === 'commander.help')
    return 'this is not a whole command; add --help to see what can follow';
  return `${line.replace(/\.$/, '')}; add --help to see what it takes`;
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError && error.exitCode === 0) await exitWritten(0);
  process.stderr.write(`${lineOf(error)}\n`);
  await exitWritten(1);
}
await exitWritten(0);
