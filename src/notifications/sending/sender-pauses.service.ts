import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../../config/env.js';
import { Database } from '../../database/database.js';
import { InjectLogger } from '../../logging/logging.module.js';
import type { SendError } from '../providers/messaging-provider.js';

/** A sender that cannot send until a person mends it. */
export interface Pause {
  proveedor: string;
  /** The provider's code. */
  codigo: string;
  /** Spanish: what happened and what to do. */
  causa: string;
  /** ISO 8601. */
  desde: string;
}

/** Milliseconds. */
const LOOK_EVERY_MS = 30_000;

const PAUSE = `insert into pausas (proveedor, codigo, causa, desde) values ($1, $2, $3, now())
  on conflict (proveedor) do update set codigo = excluded.codigo, causa = excluded.causa
  where pausas.codigo <> excluded.codigo
  returning proveedor`;

/** Senders that wait for a person: said once in the log, and on /readyz for as long as it lasts. */
@Injectable()
export class SenderPausesService {
  /** When to look next for a pause that is over; spares a query for every message sent. */
  private lookAt = 0;

  constructor(
    private readonly database: Database,
    private readonly config: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  async begin(proveedor: string, { code, causa }: Pick<SendError, 'code' | 'causa'>): Promise<void> {
    const { rowCount } = await this.database.query({ text: PAUSE, values: [proveedor, code, causa] });
    // Not before: a message sent meanwhile would look for a row that is still to come.
    this.lookAt = 0;
    if (rowCount) this.logger.error({ proveedor, code, causa }, 'sender paused: messages wait, none is lost');
  }

  /** The sender has sent: whoever paused it, in whichever process, it is mended. */
  async end(proveedor: string): Promise<void> {
    if (Date.now() < this.lookAt) return;
    this.lookAt = Date.now() + LOOK_EVERY_MS;
    const text = 'delete from pausas where proveedor = $1 returning proveedor';
    const { rowCount } = await this.database.query({ text, values: [proveedor] });
    if (rowCount) this.logger.info({ proveedor }, 'sender works again');
  }

  /** Of the provider in use; what an earlier one suffered from is over with it. */
  async list(): Promise<Pause[]> {
    const text = 'select proveedor, codigo, causa, desde from pausas where proveedor = $1';
    const values = [this.config.messagingProvider];
    const { rows } = await this.database.query<Omit<Pause, 'desde'> & { desde: Date }>({ text, values });
    return rows.map((row) => ({ ...row, desde: row.desde.toISOString() }));
  }
}
