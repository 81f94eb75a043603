import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type ServiceProcess } from '../support/service-process.js';

/** A process of the service that is killed and restarted repeatedly. */
export class Victim {
  kills = 0;
  /** What it must not do: exit by itself, or log an error. */
  readonly complaints: string[] = [];
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
   */
  async kill(afterMs = 0): Promise<void> {
    const service = await this.starting;
    await sleep(afterMs);
    this.isEnding = true;
    this.kills++;
    await service.stop('SIGKILL');
    this.isEnding = false;
    this.starting = this.start();
    this.starting.catch(() => undefined);
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    const service = await this.starting.catch(() => undefined);
    this.isEnding = true;
    await service?.stop('SIGKILL');
  }

  private async start(): Promise<ServiceProcess> {
    const service = await startService(this.env);
    this.url = service.url;
    const role = this.env.ROLE;
    service.child.once('exit', (code) => {
      if (!this.isEnding) this.complaints.push(`${role} ended by itself with ${code}: ${service.output()}`);
      const errors = service.output().match(/^.*"level":[56]0.*$/gm) ?? [];
      this.complaints.push(...errors.map((line) => `${role} logged ${line}`));
    });
    return service;
  }
}
