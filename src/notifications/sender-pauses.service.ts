import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../database/database.js';
import { InjectLogger } from '../logging/logging.module.js';
import type { SendError } from './providers/messaging-provider.js';

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

const PAUSE = `insert into pausas (proveedor, codigo, causa, desde) values ($1, $2, $3, now())
  on conflict (proveedor) do update set codigo = excluded.codigo, causa = excluded.causa
  where pausas.codigo <> excluded.codigo
  returning proveedor`;

/** Senders that wait for a person: said once in the log, and on /readyz for as long as it lasts. */
@Injectable()
export class SenderPauses implements OnApplicationBootstrap {
  /** Whether there may be a pause to end; spares a query for every message sent. */
  private mayBePaused = true;

  constructor(
    private readonly database: Database,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    // A pause of before the start may be over: whoever mended it has started us again.
    this.mayBePaused = true;
  }

  async begin(proveedor: string, { code, causa }: SendError): Promise<void> {
    const { rowCount } = await this.database.query({ text: PAUSE, values: [proveedor, code, causa] });
    // Not before: a message sent meanwhile would look for a row that is still to come.
    this.mayBePaused = true;
    if (rowCount) this.logger.error({ proveedor, code, causa }, 'sender paused: messages wait, none is lost');
  }

  async end(proveedor: string): Promise<void> {
    if (!this.mayBePaused) return;
    this.mayBePaused = false;
    const text = 'delete from pausas where proveedor = $1 returning proveedor';
    const { rowCount } = await this.database.query({ text, values: [proveedor] });
    if (rowCount) this.logger.info({ proveedor }, 'sender works again');
  }

  async list(): Promise<Pause[]> {
    const text = 'select proveedor, codigo, causa, desde from pausas order by proveedor';
    const { rows } = await this.database.query<Omit<Pause, 'desde'> & { desde: Date }>({ text });
    return rows.map((row) => ({ ...row, desde: row.desde.toISOString() }));
  }
}
