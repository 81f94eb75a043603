import { Injectable } from '@nestjs/common';
import { SenderPausesService, type Pause } from '../notifications/sending/sender-pauses.service.js';

/** ms for the database to answer. */
const DATABASE_LIMIT_MS = 1_000;

/** Whether this process can serve requests. */
@Injectable()
export class Readiness {
  private draining = false;

  constructor(private readonly pauses: SenderPausesService) {}

  /** Marks the process as not ready, because it is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /**
   * @returns the paused senders, which do not affect readiness; undefined when the process is stopping or the
   * database does not answer in time.
   */
  async check(): Promise<Pause[] | undefined> {
    return this.draining ? undefined : this.askDatabase();
  }

  private askDatabase(): Promise<Pause[] | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<undefined>((resolve) => {
      timer = setTimeout(() => resolve(undefined), DATABASE_LIMIT_MS);
    });
    const answer = this.pauses.list().catch(() => undefined);
    return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
  }
}
