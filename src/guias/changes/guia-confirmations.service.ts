import { Injectable } from '@nestjs/common';
import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import { Database } from '../../database/database.js';
import { RelayService } from '../../events/relay.service.js';
import { isFarOutside } from '../../locations/plausibility.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import {
  askAgain,
  confirmGuia,
  denyGuia,
  findConfirmedSince,
  type AnsweredGuia,
  type AskedRow,
  type Asker,
  type AskRefusal,
  type ConfirmedPlace,
} from './guia-confirmations.queries.js';

/** Confirms destinations with what recipients answer, and asks recipients again. */
@Injectable()
export class GuiaConfirmationsService {
  constructor(
    private readonly database: Database,
    private readonly relay: RelayService,
  ) {}

  /**
   * Confirms the destination, or corrects it within 15 minutes of the first confirmation.
   * @param answerId UUID version 7 of an answer that may arrive late or twice. It is applied once, and not after a newer
   *   one, by which the guide is confirmed too.
   * @returns when it was first confirmed, and whether the place is far from the merchant's country; undefined
   *   if the guide is closed, the correction comes too late, or the phone has changed since.
   */
  async confirm(
    guia: AnsweredGuia,
    place: ConfirmedPlace,
    answerId?: string,
  ): Promise<{ confirmedAt: Date; isFar: boolean } | undefined> {
    const isFar = isFarOutside(await this.countryOf(guia.comercioId), place);
    const advertencias: GuiaAdvertencia[] = isFar ? ['destino_fuera_del_pais'] : [];
    const query = (config: QueryConfig) => this.database.query<{ confirmada_en: Date }>(config);
    let { rows } = await query(confirmGuia(guia, place, advertencias, answerId));
    this.relay.wake();
    if (!rows[0] && answerId !== undefined) ({ rows } = await query(findConfirmedSince(guia, answerId)));
    return rows[0] && { confirmedAt: rows[0].confirmada_en, isFar };
  }

  /** Warns the merchant that the recipient says the parcel is not theirs, unless the guide has ended. Idempotent. */
  async deny(guia: AnsweredGuia): Promise<void> {
    await this.database.query(denyGuia(guia));
    this.relay.wake();
  }

  /**
   * Asks the recipient of a guide again, by guide number.
   * @param asker whom the history names; support's name is shown to support alone.
   * @returns the id of the new message, or why there is none; undefined if the guide does not exist.
   */
  async askAgain(
    guia: string,
    asker: Asker = { actor: 'sistema' },
  ): Promise<{ messageId: string } | { refused: AskRefusal } | undefined> {
    const eventoId = v7();
    for (;;) {
      const { rows } = await this.database.query<AskedRow>(askAgain(guia, eventoId, asker));
      if (!rows[0]) return undefined;
      const { motivo, pedida } = rows[0];
      if (motivo !== null) return { refused: motivo };
      if (!pedida) continue;
      this.relay.wake();
      return { messageId: eventoId };
    }
  }

  private async countryOf(comercioId: string): Promise<string> {
    const { rows } = await this.database.query<{ pais: string }>({
      name: 'comercio-pais',
      text: 'select pais from comercios where id = $1',
      values: [comercioId],
    });
    return rows[0]?.pais ?? '';
  }
}
