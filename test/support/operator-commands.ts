import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { environment, ROOT, type Finished } from './service-process.js';

const CHILD = join(import.meta.dirname, 'operator-commands-child.mjs');

/**
 * For the tests of one `describe`: the built operator commands, all in one process, which loads the service once.
 * `runNode('cli.js', …)` runs a command in a process of its own.
 */
export function useOperatorCommands(): {
  /** Runs a command to its end. Not two at once. */
  run: (args: string[], env: Record<string, string>) => Promise<Finished>;
  /** Runs a command with `--json` and returns what it prints. @throws Error if it fails. */
  guias: (args: string[], env: Record<string, string>) => Promise<any>;
} {
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined;

  const start = () => {
    const child = fork(CHILD, { cwd: ROOT, execArgv: [] });
    return { child, ended: once(child, 'exit') };
  };
  const run = async (args: string[], env: Record<string, string>): Promise<Finished> => {
    running ??= start();
    const { child, ended } = running;
    const failed = ended.then(() => Promise.reject(new Error('the process of the commands ended')));
    child.send({ args, env: environment(env) });
    const [finished] = (await Promise.race([once(child, 'message'), failed])) as [Finished];
    return finished;
  };

  afterAll(async () => {
    if (running?.child.connected) running.child.disconnect();
    await running?.ended;
  });

  return {
    run,
    guias: async (args, env) => {
      const { code, stdout, stderr } = await run([...args, '--json'], env);
      if (code !== 0) throw new Error(`guias ${args.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
  };
}
