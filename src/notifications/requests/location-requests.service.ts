import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { ASK_REFUSALS, type PhoneRefusal } from '../../guias/changes/ask-again.js';
import type { Author } from '../../guias/changes/author.js';
import type { GuiaScope, CurrentGuia } from '../../guias/changes/guia-changes.queries.js';
import { GuiaConfirmationsService } from '../../guias/changes/guia-confirmations.service.js';
import type { GuiaTransaction } from '../../guias/changes/guia-transaction.js';
import { SendOutlookService, type SendOutlook } from '../sending/send-outlook.service.js';

@Injectable()
export class LocationRequestsService {
  constructor(
    private readonly confirmations: GuiaConfirmationsService,
    private readonly outlooks: SendOutlookService,
  ) {}

  /**
   * Sends the request again, also where the address is confirmed.
   * @param guia id or number.
   * @returns the id of the new message; undefined if one has yet to be sent.
   * @throws AppError `no_encontrado`; `mensaje_no_permitido` with the reason as `motivo`.
   */
  async ask(guia: string, scope: GuiaScope, author: Author): Promise<string | undefined> {
    const outcome = await this.confirmations.askAgain(guia, scope, author, (locked, tx) =>
      this.phoneRefusal(locked, tx),
    );
    if ('refused' in outcome)
      throw new AppError('mensaje_no_permitido', {
        detail: ASK_REFUSALS[outcome.refused].detail,
        members: { motivo: outcome.refused },
      });
    return 'messageId' in outcome ? outcome.messageId : undefined;
  }

  /** A test guide's message goes to nobody, and nothing keeps it. */
  private async phoneRefusal(guia: CurrentGuia, tx: GuiaTransaction): Promise<PhoneRefusal | undefined> {
    if (guia.de_prueba) return undefined;
    const { rows } = await tx.query<SendOutlook>(this.outlooks.find(guia.telefono));
    const { de_baja, sin_cupo } = rows[0]!;
    if (de_baja) return 'baja';
    return sin_cupo ? 'cupo' : undefined;
  }
}
