import { Injectable } from '@nestjs/common';
import { SenderPausesService, type Pause } from '../notifications/sending/sender-pauses.service.js';

const DATABASE_LIMIT_MS = 1_000;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private draining = false;

  constructor(private readonly pauses: SenderPausesService) {}

  /** From now on not ready: the process is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /**
   * Ready: not stopping, and the database answers within a second.
   * @returns what waits for a person meanwhile: guides are made all the same. Undefined when not ready.
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
