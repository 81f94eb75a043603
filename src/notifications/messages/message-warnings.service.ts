import { Injectable } from '@nestjs/common';
import { v5 } from 'uuid';
import { GuiaAdvertenciasService } from '../../guias/changes/guia-advertencias.service.js';
import { MENSAJE_ADVERTENCIAS } from '../../guias/guia/guia-advertencia.js';
import type { GuiaKey } from '../../guias/guia/guia-key.js';
import { OMISIONES, type Omision } from './send-decision.js';
import type { MensajeRow } from './messages.queries.js';

type WarningMessage = Pick<MensajeRow, 'id' | 'tipo' | 'comercio_id' | 'guia_id'>;

/** Warns merchants, on the guide, that a recipient was not asked to confirm. All methods are idempotent. */
@Injectable()
export class MessageWarningsService {
  constructor(private readonly advertencias: GuiaAdvertenciasService) {}

  /**
   * Warns that the recipient could not be reached: once, and again if the message was accepted in between.
   * @param proveedorId of the last acceptance, if any.
   */
  async addFailure(mensaje: WarningMessage, proveedorId: string | null, code: string): Promise<void> {
    if (mensaje.tipo !== 'confirmacion_ubicacion') return;
    await this.advertencias.add(guiaOf(mensaje), 'mensaje_fallido', mensaje.id, {
      id: v5(proveedorId === null ? 'fallido' : `fallido ${proveedorId}`, mensaje.id),
      tipo: 'guia.mensaje_fallido',
      datos: { codigo: code },
    });
  }

  /** Removes the warning of a failure, unless the message has failed again. */
  async removeFailure(mensaje: WarningMessage): Promise<void> {
    if (!concernsPlace(mensaje)) return;
    await this.advertencias.remove(guiaOf(mensaje), ['mensaje_fallido'], mensaje.id);
  }

  /**
   * Removes the warnings that the recipient was not asked, unless the message has failed again. Call it when the message was
   * accepted: what is reported of it later says nothing about one that was omitted since.
   */
  async removeUnasked(mensaje: WarningMessage): Promise<void> {
    if (!concernsPlace(mensaje)) return;
    await this.advertencias.remove(guiaOf(mensaje), MENSAJE_ADVERTENCIAS, mensaje.id);
  }

  /** Warns that the question cannot reach the recipient, as the service is not configured for it. */
  async addUnsent(mensaje: WarningMessage): Promise<void> {
    if (mensaje.tipo !== 'confirmacion_ubicacion') return;
    await this.advertencias.warn(guiaOf(mensaje), 'mensaje_no_enviado');
  }

  /** Removes that warning once the service is configured and the recipient was asked. */
  async removeUnsent(mensaje: WarningMessage): Promise<void> {
    if (!concernsPlace(mensaje)) return;
    await this.advertencias.remove(guiaOf(mensaje), ['mensaje_no_enviado'], mensaje.id);
  }

  async addOmission(mensaje: WarningMessage, reason: Omision): Promise<void> {
    const { advertencia } = OMISIONES[reason];
    if (!advertencia || mensaje.tipo !== 'confirmacion_ubicacion') return;
    await this.advertencias.add(guiaOf(mensaje), advertencia, mensaje.id, {
      id: v5('omitido', mensaje.id),
      tipo: 'guia.mensaje_omitido',
      datos: { por: reason },
    });
  }
}

/** Whether a message is part of asking for the place of a guide: a PIN that arrives does not mend a question that did not. */
const concernsPlace = ({ guia_id, tipo }: WarningMessage) => guia_id !== null && tipo !== 'pin_de_entrega';

function guiaOf({ comercio_id, guia_id }: WarningMessage): GuiaKey {
  return { comercioId: comercio_id!, guiaId: guia_id! };
}
