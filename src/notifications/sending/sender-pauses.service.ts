import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { InjectLogger } from '../../logging/logging.module.js';
import type { SendError } from '../providers/messaging-provider.js';
import { beginPause } from './sender-pauses.queries.js';

/** A provider that cannot send until a person corrects its configuration or account. */
export interface Pause {
  proveedor: string;
  /** The provider's code. */
  codigo: string;
  /** Spanish: what happened and what to do. */
  causa: string;
  /** ISO 8601. */
  desde: string;
}

/** Milliseconds between queries for a pause to end; spares one for every message sent. */
const LOOK_EVERY_MS = 30_000;

/** Paused providers: logged once, and reported by /readyz while the pause lasts. */
@Injectable()
export class SenderPausesService {
  /** Timestamp of the next query. */
  private lookAt = 0;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async begin(proveedor: string, { code, causa }: Pick<SendError, 'code' | 'causa'>): Promise<void> {
    const { rowCount } = await this.database.query(beginPause(proveedor, code, causa));
    // After the insert: a message sent before it would look too early for the row.
    this.lookAt = 0;
    if (rowCount) this.logger.error({ proveedor, code, causa }, 'sender paused: messages wait, none is lost');
  }

  /** To be called after each successful send: a pause, also one begun by another process, is over. */
  async end(proveedor: string): Promise<void> {
    if (Date.now() < this.lookAt) return;
    this.lookAt = Date.now() + LOOK_EVERY_MS;
    const text = 'delete from pausas where proveedor = $1 returning proveedor';
    const { rowCount } = await this.database.query({ text, values: [proveedor] });
    if (rowCount) this.logger.info({ proveedor }, 'sender works again');
  }

  /** The pause of the provider in use; pauses of providers used before no longer matter. */
  async list(): Promise<Pause[]> {
    const text = 'select proveedor, codigo, causa, desde from pausas where proveedor = $1';
    const values = [this.config.messagingProvider];
    const { rows } = await this.database.query<Omit<Pause, 'desde'> & { desde: Date }>({ text, values });
    return rows.map((row) => ({ ...row, desde: row.desde.toISOString() }));
  }
}
