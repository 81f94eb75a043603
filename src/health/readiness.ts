import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';

const DATABASE_LIMIT_MS = 1_000;

/** Whether this process should be sent requests. */
@Injectable()
export class Readiness {
  private draining = false;

  constructor(private readonly database: Database) {}

  /** From now on not ready: the process is about to stop. */
  drain(): void {
    this.draining = true;
  }

  /** Ready: not stopping, and the database answers within a second. */
  async isReady(): Promise<boolean> {
    return !this.draining && (await this.databaseAnswers());
  }

  private async databaseAnswers(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), DATABASE_LIMIT_MS);
    });
    const answer = this.database.query({ text: 'select 1' }).then(
      () => true,
      () => false,
    );
    return Promise.race([answer, limit]).finally(() => clearTimeout(timer));
  }
}
