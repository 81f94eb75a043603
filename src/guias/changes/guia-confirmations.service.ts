import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { isFarOutside } from '../../locations/plausibility.js';
import { askRefusal, type Asker, type AskRefusal } from './ask-again.js';
import { GuiaChangesService } from './guia-changes.service.js';
import {
  findAnswerContext,
  findRequests,
  type AnswerContextRow,
  type RequestsRow,
} from './guia-confirmations.queries.js';
import {
  decideConfirmation,
  decideDenial,
  type AnsweredGuia,
  type ConfirmedPlace,
  type DenialOutcome,
} from './recipient-answer.js';

/** Confirms destinations with what recipients answer, and asks recipients again. */
@Injectable()
export class GuiaConfirmationsService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * Confirms the destination, or corrects it within 15 minutes of the first confirmation.
   * @param answerId UUID version 7 of an answer that may arrive late or twice. It is applied once, and not after a newer
   *   one, by which the guide is confirmed too.
   * @returns when it was first confirmed (ISO 8601; null if its merchant gave the destination), and whether the place is
   *   far from the merchant's country; undefined if the guide is closed, the correction comes too late, or the phone has
   *   changed since.
   */
  async confirm(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    place: ConfirmedPlace,
    answerId?: string,
  ): Promise<{ confirmedAt: string | null; isFar: boolean } | undefined> {
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      const { rows } = await tx.query<AnswerContextRow>(findAnswerContext(comercioId));
      const { pais, ahora } = rows[0]!;
      const isFar = isFarOutside(pais, place);
      const decision = decideConfirmation(guia, { place, isFar, answerId, telefonoSecuencia }, ahora);
      if (decision === 'closed') return undefined;
      if (decision === 'known') return { confirmedAt: guia.confirmada_en, isFar };
      await tx.write(decision.columns, [decision.evento]);
      return { confirmedAt: decision.columns.confirmada_en, isFar };
    });
  }

  /** Warns the merchant that the recipient says the parcel is not theirs, unless the guide has ended. Idempotent. */
  async deny({ comercioId, guiaId, telefonoSecuencia }: AnsweredGuia): Promise<DenialOutcome> {
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      const decision = decideDenial(guia, telefonoSecuencia);
      if (typeof decision === 'string') return decision;
      await tx.write(decision.columns, [decision.evento]);
      return 'denied';
    });
  }

  /**
   * Asks the recipient of a guide again.
   * @param guia guide number, of any merchant.
   * @param asker whom the history names; support's name is shown to support alone.
   * @returns the id of the new message, or why there is none.
   * @throws AppError `no_encontrado`
   */
  async askAgain(
    guia: string,
    asker: Asker = { actor: 'sistema' },
  ): Promise<{ messageId: string } | { refused: AskRefusal }> {
    const { actor, ...who } = asker;
    return this.changes.change(guia, 'all', async (locked, tx) => {
      const { rows } = await tx.query<RequestsRow>(
        findRequests({ comercioId: locked.comercio_id, guiaId: locked.id }),
      );
      const refused = askRefusal(locked, rows[0]!, actor);
      if (refused) return { refused };
      const messageId = v7();
      await tx.write({}, [{ id: messageId, tipo: 'guia.confirmacion_pedida', actor, datos: who }]);
      return { messageId };
    });
  }
}
