import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import type { Logger } from 'pino';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { RetryLater } from '../../platform/queues/job-errors.js';
import { QueuesService } from '../../platform/queues/queues.service.js';
import { SweepsService } from '../../platform/queues/sweeps.service.js';
import { CORREOS, correoJob, type QueueableCorreo } from '../correos.queue.js';
import {
  acceptCorreo,
  claimCorreo,
  failCorreo,
  findDue,
  keepCorreo,
  newCorreos,
  retryCorreo,
  type ClaimedCorreo,
} from '../correos.queries.js';
import { CorreosService } from '../correos.service.js';
import { readRefusal, retryDelay } from './refusal.js';
import { SmtpClient } from './smtp.client.js';

/** ms between two looks for new mails: people wait for a link. */
const EVERY_MS = 2_000;

/** ms before what came of a try is written again: together less than what is left of its lease. */
const RECORD_AGAIN_MS = [100, 1_000, 5_000, 15_000];

@Injectable()
export class CorreoSenderService implements OnModuleInit {
  private readonly client: SmtpClient | undefined;

  constructor(
    private readonly database: Database,
    private readonly correos: CorreosService,
    private readonly queues: QueuesService,
    private readonly sweeps: SweepsService,
    { mail }: Config,
    @InjectLogger() private readonly logger: Logger,
  ) {
    this.client = mail && new SmtpClient(mail.server, mail.from, correos.from);
  }

  onModuleInit(): void {
    this.sweeps.every('new mails', EVERY_MS, () => this.enqueueNew());
  }

  /** Adds the jobs of mails that were written just now; a job that exists is not added again. */
  async enqueueNew(): Promise<void> {
    const { rows } = await this.database.query<QueueableCorreo>(newCorreos());
    if (rows.length > 0) await this.queues.addOrLeave(CORREOS, rows.map(correoJob));
  }

  /**
   * Sends a mail if it is still to be sent: at least once, and not by two processes at a time.
   * @returns the outcome in Spanish, for the board.
   * @throws RetryLater
   */
  async send(id: string): Promise<string> {
    if (!this.client) {
      await this.database.query(keepCorreo(id));
      return 'No hay servidor de correo (SMTP_URL): se guarda.';
    }
    const { rows } = await this.database.query<ClaimedCorreo>(claimCorreo(id));
    const correo = rows[0];
    if (!correo) return this.leave(id);
    try {
      await this.client.send(correo, this.correos.bajaUrl(correo.comercio_id, correo.clase));
    } catch (error) {
      return this.settleFailure(correo, error);
    }
    await this.record(acceptCorreo(id));
    return 'Enviado.';
  }

  private async leave(id: string): Promise<string> {
    const { rows } = await this.database.query<{ ms: number }>(findDue(id));
    if (!rows[0]) return 'No había nada que enviar.';
    throw new RetryLater('Espera su próximo intento.', Math.max(rows[0].ms, 0) + 100);
  }

  private async settleFailure(correo: ClaimedCorreo, error: unknown): Promise<string> {
    const { causa, code, isPermanent, isOfAddress } = readRefusal(error);
    const ageMs = Date.now() - correo.creado_en.getTime();
    const delay = isPermanent
      ? undefined
      : retryDelay({ tries: correo.intentos, clase: correo.clase, ageMs });
    this.logger.warn(
      { correo: correo.id, clase: correo.clase, code, try: correo.intentos },
      'mail not taken',
    );
    if (delay === undefined) {
      await this.record(failCorreo(correo, causa, isOfAddress));
      return `No se pudo enviar. ${causa}`;
    }
    await this.record(retryCorreo(correo, causa, delay));
    throw new RetryLater(causa, delay);
  }

  /** Writes what came of a try, also where the database is away for a moment: unwritten, the mail would be sent again. */
  private async record(outcome: QueryConfig): Promise<void> {
    for (const ms of RECORD_AGAIN_MS) {
      try {
        await this.database.query(outcome);
        return;
      } catch {
        await sleep(ms);
      }
    }
    await this.database.query(outcome);
  }
}
