import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/database.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import type { GuiaKey } from '../guia/guia-key.js';
import { findAdvertencias, hasFailed, ofMensaje, type MensajeContext } from './guia-advertencias.queries.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import { GuiaChangesService, type Decision } from './guia-changes.service.js';
import { clearing } from './guia-write.js';

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
    const decide = (guia: CurrentGuia & MensajeContext): Decision<void> => {
      if (guia.registrado || guia.de_otro_telefono) return { result: undefined };
      const advertencias = isWarned(guia, advertencia)
        ? guia.advertencias
        : [...guia.advertencias, advertencia];
      const eventos = [{ ...evento, actor: 'sistema' as const }];
      return { result: undefined, write: { columns: { advertencias }, eventos } };
    };
    const beside = { message: ofMensaje(mensajeId, evento.id) };
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, decide, beside);
  }

  /** Adds the warning unless the guide is confirmed or has it already. Records its `guia.advertencia` alone. */
  async warn(key: GuiaKey, advertencia: GuiaAdvertencia): Promise<void> {
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, (guia) => {
      if (isWarned(guia, advertencia)) return { result: undefined };
      const advertencias = [...guia.advertencias, advertencia];
      return { result: undefined, write: { columns: { advertencias }, eventos: [] } };
    });
  }

  /** Removes warnings because of a message; keeps them if that has failed meanwhile. */
  async remove(key: GuiaKey, advertencias: readonly GuiaAdvertencia[], mensajeId: string): Promise<void> {
    // Most guides have no warning, and each report of a message comes here.
    const { rowCount } = await this.database.query(findAdvertencias(key, advertencias));
    if (rowCount === 0) return;
    const decide = (guia: CurrentGuia & { fallido: boolean }): Decision<void> => ({
      result: undefined,
      write: guia.fallido ? undefined : clearing(guia.advertencias, advertencias),
    });
    const beside = { failed: hasFailed(mensajeId) };
    await this.changes.change(key.guiaId, { comercioId: key.comercioId }, decide, beside);
  }
}

/** Whether a guide gets no further warning. */
const isWarned = ({ direccion_confirmada, advertencias }: CurrentGuia, advertencia: GuiaAdvertencia) =>
  direccion_confirmada || advertencias.includes(advertencia);
