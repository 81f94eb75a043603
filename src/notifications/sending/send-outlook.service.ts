import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { Config } from '../../platform/config/env.js';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { sql, statement } from '../../platform/database/sql.js';
import { phoneHash } from './phone-hash.js';
import type { PausedSender } from '../pauses/sender-pauses.queries.js';

type SenderPause = Pick<PausedSender, 'causa' | 'por_informe'>;

export interface SendOutlook {
  /** The recipient opted out. */
  de_baja: boolean;
  /** The phone got its messages of 24 hours. */
  sin_cupo: boolean;
  /** Null if the sender is not paused. */
  pausa: SenderPause | null;
}

/** Tells what would become of a message before it is made. Each message is checked again when it is sent. */
@Injectable()
export class SendOutlookService {
  constructor(
    private readonly database: Database,
    private readonly config: Config,
    private readonly secrets: Secrets,
  ) {}

  /** @param telefono E.164, of a guide that is no test. */
  async of(telefono: string): Promise<SendOutlook> {
    const { rows } = await this.database.query<SendOutlook>(this.find(telefono));
    return rows[0]!;
  }

  /** One `SendOutlook`. @param telefono E.164, of a guide that is no test. */
  find(telefono: string): QueryConfig {
    const { messagesPerPhonePerDay, messagingProvider } = this.config;
    const hash = phoneHash(telefono, this.secrets.phoneKey);
    return statement(sql`select
      exists (select from bajas where destinatario = ${telefono} and vigente) as de_baja,
      (select count(*) from cupos_telefono c, unnest(c.enviados) e
        where c.huella = ${hash} and e > now() - interval '24 hours') >= ${messagesPerPhonePerDay} as sin_cupo,
      (select json_build_object('causa', causa, 'por_informe', por_informe) from pausas
        where proveedor = ${messagingProvider} and responde_en is null) as pausa`);
  }
}
