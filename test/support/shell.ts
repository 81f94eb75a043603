import { spawn, type ChildProcess } from 'node:child_process';

/** Stands after the output of what was typed. */
const END = '__fin__';

/** A terminal: what is typed runs in one shell, one command after the other. */
export class Shell {
  private readonly child: ChildProcess;
  private output = '';
  private heard: () => void = () => undefined;

  constructor(options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.child = spawn('bash', ['-e'], { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    for (const stream of [this.child.stdout!, this.child.stderr!])
      stream.on('data', (data: Buffer) => {
        this.output += data.toString();
        this.heard();
      });
    this.child.once('exit', () => this.heard());
  }

  /** Types commands, and returns what they print. @throws where one of them fails. */
  async type(commands: string): Promise<string> {
    this.output = '';
    this.child.stdin!.write(`${commands}\nprintf '\\n${END}\\n'\n`);
    while (!this.output.includes(`\n${END}\n`)) {
      if (this.child.exitCode !== null) throw new Error(`it failed: ${commands}\n${this.output}`);
      await new Promise<void>((resolve) => (this.heard = resolve));
    }
    return this.output.split(`\n${END}\n`)[0]!;
  }

  end(): void {
    this.child.stdin!.end();
  }
}
