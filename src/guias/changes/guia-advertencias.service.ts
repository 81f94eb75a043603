import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import type { GuiaKey } from '../guia/guia-key.js';
import { findAdvertencias, findEvento, findFailedMensaje } from './guia-advertencias.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { without } from '../guia/advertencia-rules.js';

/** The event that a warning is recorded with. */
export interface MensajeEvento {
  /** The same for the same occasion, so that a repeat changes nothing. */
  id: string;
  tipo: 'guia.mensaje_fallido' | 'guia.mensaje_omitido';
  datos: Record<string, unknown>;
}

/** Sets and clears the warnings of a guide whose recipient could not be asked. A confirmed guide gets none. */
@Injectable()
export class GuiaAdvertenciasService {
  constructor(
    private readonly database: Database,
    private readonly changes: GuiaChangesService,
  ) {}

  /**
   * Records the event, and adds the warning unless the guide is confirmed or has it already; neither where the guide got
   * another phone while the message was on its way. Idempotent.
   * @param mensajeId of the message, which is that of the event that asked for it.
   */
  async add(
    key: GuiaKey,
    advertencia: GuiaAdvertencia,
    mensajeId: string,
    evento: MensajeEvento,
  ): Promise<void> {
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, async (guia, tx) => {
      const { rowCount } = await tx.query(findEvento(key, evento.id));
      if (rowCount! > 0) return;
      const ofFormerPhone = await tx.query(findEvento(key, mensajeId, guia.telefono_secuencia ?? 0));
      if (ofFormerPhone.rowCount! > 0) return;
      const isWarned = guia.direccion_confirmada || guia.advertencias.includes(advertencia);
      const advertencias = isWarned ? guia.advertencias : [...guia.advertencias, advertencia];
      await tx.write({ advertencias }, [{ ...evento, actor: 'sistema' }]);
    });
  }

  /**
   * Adds the warning unless the guide is confirmed or has it already. Records its `guia.advertencia` alone, no event of a
   * message.
   */
  async warn(key: GuiaKey, advertencia: GuiaAdvertencia): Promise<void> {
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, async (guia, tx) => {
      if (guia.direccion_confirmada || guia.advertencias.includes(advertencia)) return;
      await tx.write({ advertencias: [...guia.advertencias, advertencia] }, []);
    });
  }

  /** Removes warnings because of a message; keeps them if that has failed meanwhile. */
  async remove(key: GuiaKey, advertencias: readonly GuiaAdvertencia[], mensajeId: string): Promise<void> {
    // Most guides have no warning, and each report of a message comes here.
    const { rowCount } = await this.database.query(findAdvertencias(key, advertencias));
    if (rowCount === 0) return;
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, async (guia, tx) => {
      const others = without(guia.advertencias, advertencias);
      if (others.length === guia.advertencias.length) return;
      const failed = await tx.query(findFailedMensaje(mensajeId));
      if (failed.rowCount! > 0) return;
      await tx.write({ advertencias: others }, []);
    });
  }
}
