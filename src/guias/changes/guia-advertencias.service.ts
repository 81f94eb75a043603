import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database.js';
import { RelayService } from '../../events/relay.service.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { GuiaKey } from '../guia-key.js';
import { addAdvertencia, removeAdvertencia, type MensajeEvento } from './guia-advertencias.queries.js';

/** Sets and clears the warnings that follow from messages. */
@Injectable()
export class GuiaAdvertenciasService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /** Records the event, and adds the warning unless the guide is confirmed or has it already. Idempotent. */
  async add(guia: GuiaKey, advertencia: GuiaAdvertencia, evento: MensajeEvento): Promise<void> {
    await this.database.query(addAdvertencia(guia, advertencia, evento));
    this.relay.wake();
  }

  /** Removes the warning because of a message, unless that has failed since. */
  async remove(guia: GuiaKey, advertencia: GuiaAdvertencia, mensajeId: string): Promise<void> {
    await this.database.query(removeAdvertencia(guia, advertencia, mensajeId));
  }
}
