import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/database.js';
import { msOfId } from '../../../platform/database/row-id.js';
import { GuiaConfirmationsService } from '../../../guias/changes/guia-confirmations.service.js';
import { toAnsweredGuia } from '../../../guias/changes/recipient-answer.js';
import { findSandboxGuia, type SandboxGuiaRow } from './sandbox-recipient.queries.js';

/** Guatemala City, for pickup points without coordinates. */
const FALLBACK = { lat: 14.6349, lng: -90.5069 };

/** Degrees: about a kilometre. */
const NEARBY = 0.01;

/** The sandbox's simulated recipient: lets integrators see a guide being confirmed. */
@Injectable()
export class SandboxRecipientService {
  constructor(
    private readonly database: Database,
    private readonly guias: GuiaConfirmationsService,
  ) {}

  /** Confirms the guide of a message at a place near its pickup point. */
  async answer(mensajeId: string): Promise<string> {
    const { rows } = await this.database.query<SandboxGuiaRow>(findSandboxGuia(mensajeId));
    const guia = rows[0];
    if (!guia) return 'El mensaje no existe.';
    return (await this.confirm(guia))
      ? 'Confirmada por el destinatario de prueba.'
      : 'La guía ya no esperaba respuesta.';
  }

  /**
   * Confirms a guide at a place near its pickup point. Returns whether it is confirmed.
   * @param answerId UUID version 7 of the answer, so that a repeat changes nothing.
   */
  async confirm(guia: SandboxGuiaRow, answerId?: string): Promise<boolean> {
    const lat = Math.min((guia.recogida_lat ?? FALLBACK.lat) + NEARBY, 90);
    const lng = guia.recogida_lng ?? FALLBACK.lng;
    const place = { lat, lng, origen: 'sandbox' as const };
    const answer =
      answerId === undefined ? undefined : { id: answerId, sentAt: new Date(msOfId(answerId)).toISOString() };
    return (await this.guias.confirm(toAnsweredGuia(guia), place, answer)) === 'saved';
  }
}
