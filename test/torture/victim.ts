import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type ServiceProcess } from '../support/service-process.js';

/** What a process may log as an error: PostgreSQL went away. */
const AWAY = /\b(57P0[123]|08\w{3}|ECONNREFUSED|ECONNRESET)\b|[Cc]onnection terminated/;

/** A process of the service that is killed and restarted, or frozen, repeatedly. */
export class Victim {
  /** What it must not do: exit by itself, or log an error. */
  readonly complaints: string[] = [];
  /** What its ended processes printed. */
  output = '';
  /** Its current or last URL. */
  url = '';
  private starting: Promise<ServiceProcess>;
  private isEnding = false;

  constructor(private readonly env: Record<string, string>) {
    this.starting = this.start();
    // Whoever waits for it gets the error.
    this.starting.catch(() => undefined);
  }

  /** Waits until it is up. */
  async up(): Promise<void> {
    await this.starting;
  }

  /**
   * Waits until it is up, then so many ms, kills it with SIGKILL, and begins to restart it.
   * @param between what is done while it is dead.
   */
  async kill(afterMs = 0, between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const service = await this.starting;
    await sleep(afterMs);
    this.isEnding = true;
    await service.stop('SIGKILL');
    await between();
    this.isEnding = false;
    this.starting = this.start();
    this.starting.catch(() => undefined);
  }

  /** Waits until it is up, then `afterMs`; freezes it until what `during` does is done. */
  async freeze(afterMs: number, during: () => Promise<void>): Promise<void> {
    const { child } = await this.starting;
    await sleep(afterMs);
    child.kill('SIGSTOP');
    await during();
    child.kill('SIGCONT');
  }

  /**
   * Asks until it answers, as phones and other systems do: for requests that are safe to repeat.
   * @returns the answer's body, with its status.
   */
  async ask(path: string, key?: string, body?: object, method = body ? 'POST' : 'GET'): Promise<any> {
    for (;;) {
      try {
        const response = await fetch(this.url + path, {
          method,
          headers: {
            ...(key && { authorization: `Bearer ${key}` }),
            ...(body && { 'content-type': 'application/json' }),
          },
          body: body && JSON.stringify(body),
        });
        const text = await response.text();
        if (response.status < 500) return { status: response.status, ...(text && JSON.parse(text)) };
      } catch {
        // The connection was cut; the answer may be lost.
      }
      await sleep(50);
    }
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    const service = await this.starting.catch(() => undefined);
    this.isEnding = true;
    await service?.stop('SIGKILL');
  }

  /** As a supervisor does: where PostgreSQL goes away during a start, the process says so and ends. */
  private async startAgain(): Promise<ServiceProcess> {
    for (;;) {
      try {
        return await startService(this.env);
      } catch (error) {
        if (this.isEnding || !String(error).includes('DATABASE_URL: the database cannot be used'))
          throw error;
      }
    }
  }

  private async start(): Promise<ServiceProcess> {
    const service = await this.startAgain();
    this.url = service.url;
    const role = this.env.ROLE;
    service.child.once('exit', (code) => {
      if (!this.isEnding) this.complaints.push(`${role} ended by itself with ${code}: ${service.output()}`);
      this.output += service.output();
      const errors = service.output().match(/^.*"level":[56]0.*$/gm) ?? [];
      this.complaints.push(
        ...errors.filter((line) => !AWAY.test(line)).map((line) => `${role} logged ${line}`),
      );
    });
    return service;
  }
}
