import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { isFarOutside } from '../../locations/plausibility.js';
import type { Coordinates } from '../../locations/reading.js';
import { askRefusal, type AskRefusal, type PhoneRefusal } from './ask-again.js';
import { by, type Author } from './author.js';
import type { GuiaScope, LockedGuia } from './guia-changes.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { without } from '../guia/advertencia-rules.js';
import { NOTE_ADVERTENCIAS } from '../guia/guia-advertencia.js';
import {
  findAnswerContext,
  findReport,
  findWaitingRequest,
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
  type ConfirmedPlace,
  type DenialOutcome,
  type MessageAnswer,
} from './recipient-answer.js';

/** The place that a guide has. */
export interface SavedPlace extends Coordinates {
  version: string;
}

/** Confirms destinations with what recipients answer, and asks recipients again. */
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
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      const { rows } = await tx.query<AnswerContextRow>(findAnswerContext({ comercioId, guiaId }));
      const { lat, lng } = place;
      const isFar = lat !== undefined && lng !== undefined && isFarOutside(rows[0]!.pais, { lat, lng });
      const decision = decideConfirmation(guia, { place, isFar, answer, telefonoSecuencia }, rows[0]!);
      if (decision === 'closed' || decision === 'older') return decision;
      if (decision === 'moved') return { savedPlace: savedPlaceOf(guia) };
      if (decision === 'too_many') return { correctableFrom: rows[0]!.corregible_desde! };
      if (decision !== 'known') await tx.write(decision.columns, [decision.evento]);
      return 'saved';
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
   * Warns that the recipient of a delivered guide says that it did not arrive. Idempotent for each delivery.
   * @param texto what they add, if anything.
   */
  async reportNonReceipt(
    { comercioId, guiaId, telefonoSecuencia }: AnsweredGuia,
    texto: string | undefined,
  ): Promise<'reported' | 'closed' | 'other_phone'> {
    return this.changes.change(guiaId, { comercioId }, async (guia, tx) => {
      if (guia.telefono_secuencia !== telefonoSecuencia) return 'other_phone';
      const { rows } = await tx.query<ReportRow>(findReport({ comercioId, guiaId }));
      const { reclamable, reclamada } = rows[0]!;
      if (reclamada) return 'reported';
      if (!reclamable) return 'closed';
      const { columns, evento } = nonReceipt(guia, texto);
      await tx.write(columns, [evento]);
      return 'reported';
    });
  }

  /** Takes back the warnings that a note of the staff clears. Idempotent. */
  async settleByNote(guia: string): Promise<void> {
    await this.changes.change(guia, 'all', async ({ advertencias }, tx) => {
      const others = without(advertencias, NOTE_ADVERTENCIAS);
      if (others.length < advertencias.length) await tx.write({ advertencias: others }, []);
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

function savedPlaceOf(guia: LockedGuia): SavedPlace {
  return { lat: guia.destino_lat!, lng: guia.destino_lng!, version: placeVersion(guia) };
}
