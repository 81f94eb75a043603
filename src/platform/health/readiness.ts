import { Injectable } from '@nestjs/common';
import { Config } from '../config/env.js';
import { Database } from '../database/database.js';
import { withTimeout } from '../timeouts/with-timeout.js';
import { findAttention, type Attention } from './attention.queries.js';

/** Milliseconds for the database to answer. */
const DATABASE_LIMIT_MS = 1_000;

@Injectable()
export class Readiness {
  private draining = false;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
  ) {}

  drain(): void {
    this.draining = true;
  }

  /**
   * @returns problems that need a person, which do not affect readiness; undefined when the process is stopping or the
   * database does not answer in time.
   */
  async check(): Promise<Attention | undefined> {
    return this.draining
      ? undefined
      : withTimeout(DATABASE_LIMIT_MS, this.attention()).catch(() => undefined);
  }

  async attention(): Promise<Attention> {
    const { rows } = await this.database.query<Attention>(findAttention(this.config.messagingProvider));
    return rows[0]!;
  }
}
