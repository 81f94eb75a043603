import { Command } from 'commander';
import { addKeyCommands } from '../../src/commands/keys.commands.js';

/**
 * Runs `guias keys …` in this process, which is many times faster than in its own.
 * @returns what it prints, parsed.
 * @throws what `src/cli.ts` would print before it exits with 1.
 */
export async function runKeysCommand(args: string[], env: Record<string, string>): Promise<any> {
  const program = new Command('guias').exitOverride().configureOutput({ writeErr: () => undefined });
  addKeyCommands(program.command('keys'));
  const environment = { ...process.env };
  Object.assign(process.env, env);
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    await program.parseAsync(['keys', ...args, '--json'], { from: 'user' });
    return JSON.parse(write.mock.calls.map(([text]) => String(text)).join(''));
  } finally {
    write.mockRestore();
    for (const name of Object.keys(env)) delete process.env[name];
    Object.assign(process.env, environment);
  }
}
