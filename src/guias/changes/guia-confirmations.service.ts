import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { isFarOutside } from '../../locations/plausibility.js';
import { askRefusal, type AskRefusal, type PhoneRefusal } from './ask-again.js';
import { by, type Author } from './author.js';
import type { GuiaScope, LockedGuia } from './guia-changes.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { GuiaChangesService } from './guia-changes.service.js';
import {
  findAnswerContext,
  findWaitingRequest,
  type AnswerContextRow,
  type WaitingRow,
} from './guia-confirmations.queries.js';
import {
  decideConfirmation,
  decideDenial,
  type AnsweredGuia,
  type ConfirmedPlace,
  type DenialOutcome,
  type MessageAnswer,
} from './recipient-answer.js';

interface ConfirmedGuia {
  /** ISO 8601; when it was first confirmed, null if its merchant gave the destination. */
  confirmedAt: string | null;
  /** Whether the place is far from the merchant's country. */
  isFar: boolean;
  /** Whether the answer was sent before the saved one, and so changed nothing. */
  isOlder: boolean;
}

/** Confirms destinations with what recipients answer, and asks recipients again. */
@Injectable()
export class GuiaConfirmationsService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * Confirms the destination, or corrects it within 15 minutes of the first confirmation.
   * @param answer is applied once, and not after a newer one.
   * @returns undefined if the guide is closed, the correction comes too late, or the phone has changed since.
   */
  async confirm(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    place: ConfirmedPlace,
    answer?: MessageAnswer,
  ): Promise<ConfirmedGuia | undefined> {
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      const { rows } = await tx.query<AnswerContextRow>(findAnswerContext(comercioId));
      const { pais, ahora } = rows[0]!;
      const isFar = isFarOutside(pais, place);
      const decision = decideConfirmation(guia, { place, isFar, answer, telefonoSecuencia }, ahora);
      if (decision === 'closed') return undefined;
      if (typeof decision === 'string')
        return { confirmedAt: guia.confirmada_en, isFar, isOlder: decision === 'older' };
      await tx.write(decision.columns, [decision.evento]);
      return { confirmedAt: decision.columns.confirmada_en, isFar, isOlder: false };
    });
  }

  /** Warns the merchant that the recipient says the parcel is not theirs, unless the guide has ended. Idempotent. */
  async deny(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    author: Author = { actor: 'destinatario' },
  ): Promise<DenialOutcome> {
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      const decision = decideDenial(guia, telefonoSecuencia, author);
      if (typeof decision === 'string') return decision;
      await tx.write(decision.columns, [decision.evento]);
      return 'denied';
    });
  }

  /**
   * Asks the recipient of a guide again, also where the address is confirmed.
   * @param guia id or number.
   * @param phoneRefusal why the phone of the locked guide gets no message, if it gets none.
   * @returns the id of the new message; `waits` if one has yet to be sent; or why there is none.
   * @throws AppError `no_encontrado`
   */
  async askAgain(
    guia: string,
    scope: GuiaScope,
    author: Author,
    phoneRefusal: (guia: LockedGuia, tx: GuiaTransaction) => Promise<PhoneRefusal | undefined>,
  ): Promise<{ messageId: string } | { waits: true } | { refused: AskRefusal }> {
    return this.changes.change(guia, scope, async (locked, tx) => {
      const refused = askRefusal(locked);
      if (refused) return { refused };
      const { rows } = await tx.query<WaitingRow>(findWaitingRequest(locked));
      if (rows[0]!.espera) return { waits: true };
      const phoneRefused = await phoneRefusal(locked, tx);
      if (phoneRefused) return { refused: phoneRefused };
      const messageId = v7();
      const datos = locked.direccion_confirmada ? { confirmada: true } : {};
      await tx.write({}, [by(author, { id: messageId, tipo: 'guia.confirmacion_pedida', datos })]);
      return { messageId };
    });
  }
}
