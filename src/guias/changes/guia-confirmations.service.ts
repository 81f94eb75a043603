import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { isFarOutside } from '../../locations/plausibility.js';
import type { Coordinates } from '../../locations/reading.js';
import { askRefusal, type AskRefusal, type PhoneRefusal } from './ask-again.js';
import { by, type Author } from './author.js';
import type { GuiaScope, CurrentGuia } from './guia-changes.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { GuiaChangesService, type Decision } from './guia-changes.service.js';
import { clearing, type GuiaWrite } from './guia-write.js';
import { NOTE_ADVERTENCIAS } from '../guia/guia-advertencia.js';
import {
  ANSWER_CONTEXT,
  findWaitingRequest,
  REPORT,
  type AnswerContextRow,
  type ReportRow,
  type WaitingRow,
} from './guia-confirmations.queries.js';
import { placeVersion } from './place-version.js';
import {
  decideConfirmation,
  decideDenial,
  nonReceipt,
  type AnsweredGuia,
  type Confirmation,
  type ConfirmedPlace,
  type DenialOutcome,
  type MessageAnswer,
} from './recipient-answer.js';

export interface SavedPlace extends Coordinates {
  version: string;
}

@Injectable()
export class GuiaConfirmationsService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * Confirms the destination, corrects it, or keeps a note for the driver.
   * @param answer is applied once, and not after a newer one.
   * @returns whether all of it is saved; `older` if a newer answer is; `closed` if the guide takes no answer, or the phone
   *   has changed since; when the recipient may correct again (ISO 8601) after too many corrections; the saved place where
   *   it is another one than the answer's sender was shown.
   */
  async confirm(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    place: ConfirmedPlace,
    answer?: MessageAnswer,
  ): Promise<'saved' | 'older' | 'closed' | { correctableFrom: string } | { savedPlace: SavedPlace }> {
    type Confirmed = Awaited<ReturnType<GuiaConfirmationsService['confirm']>>;
    const decide = (guia: CurrentGuia & AnswerContextRow): Decision<Confirmed> => {
      const { lat, lng } = place;
      const isFar = lat !== undefined && lng !== undefined && isFarOutside(guia.pais, { lat, lng });
      const decision = decideConfirmation(guia, { place, isFar, answer, telefonoSecuencia }, guia);
      if (decision === 'closed' || decision === 'older') return { result: decision };
      if (decision === 'moved') return { result: { savedPlace: savedPlaceOf(guia) } };
      if (decision === 'too_many') return { result: { correctableFrom: guia.corregible_desde! } };
      return { result: 'saved', ...(decision !== 'known' && { write: toWrite(decision) }) };
    };
    return this.changes.change(guiaId, { comercioId }, decide, { answer: ANSWER_CONTEXT });
  }

  /** Warns the merchant that the recipient says the parcel is not theirs, unless the guide has ended. Idempotent. */
  async deny(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    author: Author = { actor: 'destinatario' },
  ): Promise<DenialOutcome> {
    return this.changes.change(guiaId, { comercioId }, (guia): Decision<DenialOutcome> => {
      const decision = decideDenial(guia, telefonoSecuencia, author);
      return typeof decision === 'string'
        ? { result: decision }
        : { result: 'denied', write: toWrite(decision) };
    });
  }

  /**
   * Warns that the recipient of a delivered guide says that it did not arrive. Idempotent for each delivery.
   * @param texto what they add, if anything.
   */
  async reportNonReceipt(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    texto: string | undefined,
  ): Promise<'reported' | 'closed' | 'other_phone'> {
    const decide = (guia: CurrentGuia & ReportRow): Decision<'reported' | 'closed' | 'other_phone'> => {
      if (guia.telefono_secuencia !== telefonoSecuencia) return { result: 'other_phone' };
      if (guia.reclamada) return { result: 'reported' };
      if (!guia.reclamable) return { result: 'closed' };
      return { result: 'reported', write: toWrite(nonReceipt(guia, texto)) };
    };
    return this.changes.change(guiaId, { comercioId }, decide, { report: REPORT });
  }

  /** Takes back the warnings that a note of the staff clears. Idempotent. */
  async settleByNote(guia: string): Promise<void> {
    await this.changes.change(guia, 'all', ({ advertencias }) => ({
      result: undefined,
      write: clearing(advertencias, NOTE_ADVERTENCIAS),
    }));
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
    phoneRefusal: (guia: CurrentGuia, tx: GuiaTransaction) => Promise<PhoneRefusal | undefined>,
  ): Promise<{ messageId: string } | { waits: true } | { refused: AskRefusal }> {
    return this.changes.lock(guia, scope, async (locked, tx) => {
      const refused = askRefusal(locked);
      if (refused) return { refused };
      const { rows } = await tx.query<WaitingRow>(findWaitingRequest(locked));
      if (rows[0]!.espera) return { waits: true };
      const phoneRefused = await phoneRefusal(locked, tx);
      if (phoneRefused) return { refused: phoneRefused };
      const messageId = v7();
      const datos = locked.direccion_confirmada ? { confirmada: true } : {};
      await tx.write({
        columns: {},
        eventos: [by(author, { id: messageId, tipo: 'guia.confirmacion_pedida', datos })],
      });
      return { messageId };
    });
  }
}

const toWrite = ({ columns, evento }: Confirmation): GuiaWrite => ({ columns, eventos: [evento] });

function savedPlaceOf(guia: CurrentGuia): SavedPlace {
  return { lat: guia.destino_lat!, lng: guia.destino_lng!, version: placeVersion(guia) };
}
