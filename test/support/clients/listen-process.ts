import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const CLI = resolve(import.meta.dirname, '../../../clients/typescript/src/cli.ts');

/** A run of `guias-client webhooks listen`. */
export interface ListenProcess {
  /** Standard output and error. */
  output: () => string;
  /** Waits for its end, after a signal if one is given. @returns exit code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

/** Runs the command of the client's package, with a home folder of its own. */
export class ListenCommand {
  private readonly folder = mkdtempSync(join(tmpdir(), 'guias-listen-'));
  /** Where it keeps how far it has come. */
  readonly state = join(this.folder, '.local/state/guias-client');
  private readonly running: ListenProcess[] = [];

  constructor() {
    buildSync({
      ...{ entryPoints: [CLI], outfile: join(this.folder, 'cli.mjs') },
      ...{ bundle: true, format: 'esm', platform: 'node' },
    });
  }

  run(args: string[], env: Record<string, string> = {}): ListenProcess {
    const child = spawn(process.execPath, [join(this.folder, 'cli.mjs'), 'webhooks', 'listen', ...args], {
      env: { PATH: process.env.PATH, HOME: this.folder, ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    const exited = once(child, 'exit') as Promise<[number | null]>;
    const listening = {
      output: () => output,
      end: async (signal?: NodeJS.Signals) => {
        if (signal) child.kill(signal);
        return (await exited)[0];
      },
    };
    this.running.push(listening);
    return listening;
  }

  /** Ends all that run. */
  async end(): Promise<void> {
    for (const { end } of this.running.splice(0)) await end('SIGKILL');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true });
  }
}
