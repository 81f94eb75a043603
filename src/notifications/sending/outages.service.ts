import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { Database } from '../../platform/database/database.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { WorkService } from '../../platform/work/work.service.js';
import type { MensajeEstado } from '../messages/mensaje-estado.js';
import { MESSAGES } from '../notifications.work.js';
import { PROVIDER, type MessagingProvider, type SendError } from '../providers/messaging-provider.js';
import {
  beginOutage,
  chooseProbe,
  endOutage,
  forgetOutage,
  HELD,
  probeWith,
  takeTurn,
  type Turn,
} from './outages.queries.js';

/** Messages a second that leave after an outage. */
const RELEASED_PER_S = 50;

/** Messages of one release, where the last one was some time ago. */
const MAX_RELEASED = 200;

/**
 * Outages of the provider: it fails for all messages, and no person has to act. Meanwhile messages wait, and one is sent as a
 * probe from time to time. Once it takes one, all that wait are sent, the oldest first.
 */
@Injectable()
export class OutagesService {
  constructor(
    private readonly database: Database,
    private readonly work: WorkService,
    @Inject(PROVIDER) private readonly provider: MessagingProvider,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Records that the provider is out, or that its probe failed. */
  async begin(error: SendError): Promise<void> {
    const { name: proveedor } = this.provider;
    const { rows } = await this.database.query<{ es_nueva: boolean }>(beginOutage(proveedor, error));
    if (!rows[0]?.es_nueva) return;
    const { code, message: causa, answer } = error;
    this.logger.error({ proveedor, code, causa, answer }, 'sender out: messages wait, none is lost');
  }

  /** Call it when a probe was accepted. */
  async end(): Promise<void> {
    const { name: proveedor } = this.provider;
    const { rowCount } = await this.database.query(endOutage(proveedor));
    if (rowCount) this.logger.info({ proveedor }, 'sender works again: what waited is sent');
  }

  /** Probes, or releases messages, if that is due. @returns whether there is an outage, or was one just now. */
  async takeTurn(): Promise<boolean> {
    const { rows } = await this.database.query<Turn>(takeTurn(this.provider.name));
    const turn = rows[0];
    if (!turn) return false;
    const { responde_en: since, espera_s } = turn;
    if (since === null) await this.probe();
    else
      await this.release(since, Math.min(Math.max(1, Math.round(RELEASED_PER_S * espera_s)), MAX_RELEASED));
    return true;
  }

  /** Sends a message that waits now, also while the provider is out. @returns false if it does not wait. */
  async sendNow(guiaId: string, mensajeId: string): Promise<boolean> {
    await this.database.query(probeWith(this.provider.name, mensajeId));
    const where = 't.estado = any ($1) and t.id = $2 and t.guia_id = $3';
    const rows = await this.work.startAgain(MESSAGES, { where, values: [this.waiting, mensajeId, guiaId] });
    return rows.length > 0;
  }

  private async probe(): Promise<void> {
    const { name } = this.provider;
    const { rows } = await this.database.query<{ prueba_id: string }>(chooseProbe(name, this.waiting));
    const probe = rows[0]?.prueba_id;
    if (probe === undefined) await this.database.query(forgetOutage(name));
    else await this.work.startAgain(MESSAGES, { where: 't.id = $1', values: [probe] });
  }

  private async release(since: Date, limit: number): Promise<void> {
    const rows = await this.work.startAgain(MESSAGES, { where: HELD, values: [this.waiting, since], limit });
    if (rows.length === 0) await this.database.query(forgetOutage(this.provider.name));
  }

  /** States that wait. A message without an answer may have arrived: only a provider that knows a repeat gets it again. */
  private get waiting(): MensajeEstado[] {
    return this.provider.isIdempotent ? ['pendiente', 'incierto'] : ['pendiente'];
  }
}
