import cluster, { type Worker } from 'node:cluster';
import { fileURLToPath } from 'node:url';
import { StartupError } from '../errors/startup-error.js';
import type { FromChild, FromSupervisor, Ready } from './messages.js';

/** The program of a forked process. */
const ENTRY = fileURLToPath(new URL('../child-main.js', import.meta.url));

/** Signals that a terminal or an init system sends to the whole process group; they end a process that has just started. */
const GROUP_SIGNALS: (NodeJS.Signals | null)[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** ms that it was ready; 0 if it never was. */
  readyMs: number;
}

/** One forked process, as the supervisor sees it. */
export class Child {
  /** @throws StartupError with the process's own message, or with how it ended before it was ready. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<End>;
  private readonly worker: Worker;
  private readyAt: number | undefined;

  /** @param port of all processes. */
  constructor(port: number, onMessage: (child: Child, message: FromChild) => void) {
    cluster.setupPrimary({ exec: ENTRY, args: [] });
    this.worker = cluster.fork({ PORT: String(port) });
    const heard = new Promise<Ready>((resolve, reject) => {
      this.worker.on('message', (message: FromChild) => {
        if (message.type === 'ready') {
          this.readyAt = performance.now();
          resolve(message);
        } else if (message.type === 'failed') reject(new StartupError(message.message));
        else onMessage(this, message);
      });
    });
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        const readyMs = this.readyAt === undefined ? 0 : performance.now() - this.readyAt;
        resolve({ code, signal, readyMs });
      };
      this.worker.once('exit', (code: number, signal: string) =>
        end(code, (signal as NodeJS.Signals) ?? null),
      );
      // Also emitted if a message cannot be delivered to a process that is exiting; then `exit` follows.
      this.worker.on('error', () => this.pid === undefined && end(null, null));
    });
    const endedEarly = this.ended.then(({ code, signal }) => {
      throw new StartupError(`a process exited with ${signal ?? `code ${code}`} before it was ready`);
    });
    this.ready = Promise.race([heard, endedEarly]);
    this.ready.catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.worker.process.pid;
  }

  get isReady(): boolean {
    return this.readyAt !== undefined && !this.worker.isDead();
  }

  /** Whether it died of a signal that was meant for the supervisor. */
  static isGroupSignal({ signal, readyMs }: End): boolean {
    return readyMs === 0 && GROUP_SIGNALS.includes(signal);
  }

  send(message: FromSupervisor): void {
    // A process that has disconnected is stopping; it needs no more messages.
    if (this.worker.isConnected()) this.worker.send(message, () => undefined);
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }
}
