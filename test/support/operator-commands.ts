import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startHttpStub, type HttpStub } from './http-stub.js';
import { environment, ROOT, type Finished } from './service-process.js';

const CHILD = join(import.meta.dirname, 'operator-commands-child.mjs');

/**
 * For the tests of one `describe`: the built operator commands, and starts that fail, all in one process, which loads the
 * service once. `runNode(…)` runs one in a process of its own.
 */
export function useOperatorCommands(): {
  /** Runs a command to its end. Not two at once. */
  run: (args: string[], env: Record<string, string>) => Promise<Finished>;
  /** Runs a start to its end. Not two at once. */
  failToStart: (env: Record<string, string>) => Promise<Finished>;
  /** Runs a command with `--json` and returns what it prints. @throws Error if it fails. */
  guias: (args: string[], env: Record<string, string>) => Promise<any>;
  /** Serves commands to shells. @returns what defines `guias` in one, which needs curl. */
  serve: (env: Record<string, string>) => Promise<string>;
} {
  const servers: HttpStub[] = [];
  let running: { child: ChildProcess; ended: Promise<unknown> } | undefined;

  const start = () => {
    const child = fork(CHILD, { cwd: ROOT, execArgv: [] });
    return { child, ended: once(child, 'exit') };
  };
  const end = async (file: string, args: string[], env: Record<string, string>): Promise<Finished> => {
    running ??= start();
    const { child, ended } = running;
    const failed = ended.then(() => Promise.reject(new Error('the process of the commands ended')));
    child.send({ file, args, env: environment(env) });
    const [finished] = (await Promise.race([once(child, 'message'), failed])) as [Finished];
    return finished;
  };
  const run = (args: string[], env: Record<string, string>) => end('cli.js', args, env);

  afterAll(async () => {
    if (running?.child.connected) running.child.disconnect();
    await running?.ended;
    for (const server of servers) await server.close();
  });

  return {
    run,
    failToStart: (env) => end('main.js', [], { PORT: '0', ...env }),
    guias: async (args, env) => {
      const { code, stdout, stderr } = await run([...args, '--json'], env);
      if (code !== 0) throw new Error(`guias ${args.join(' ')} exited with ${code}: ${stderr}`);
      return JSON.parse(stdout);
    },
    serve: async (env) => {
      const server = await startHttpStub();
      servers.push(server);
      server.otherwise(async ({ rawBody }) => {
        const { code, stdout, stderr } = await run(rawBody.toString().split('\n').slice(0, -1), env);
        return code === 0 ? { body: stdout } : { status: 500, body: stderr };
      });
      return `guias() { printf '%s\\n' "$@" | command curl -s --fail-with-body --data-binary @- ${server.url}; }`;
    },
  };
}
