import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import { v5 } from 'uuid';
import { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors/app-error.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import { GuiaConfirmationsService } from '../../guias/changes/guia-confirmations.service.js';
import { MessageRetriesService } from '../../notifications/sending/message-retries.service.js';
import { LocationRequestsService } from '../../notifications/requests/location-requests.service.js';
import { AsignacionesService } from '../../pilotos/asignaciones/asignaciones.service.js';
import { isOutage } from '../../platform/queues/store-away.js';
import { insertNota } from '../guia/guia-notas.queries.js';
import {
  endMasiva,
  findMasiva,
  nextGuias,
  settleGuia,
  type GuiaOutcome,
  type LeftGuia,
} from './bulk.queries.js';
import type { Masiva } from './masiva.entity.js';

/** Guides that are worked on at once. */
const AT_ONCE = 8;

type RunningMasiva = Pick<Masiva, 'accion' | 'usuario' | 'texto' | 'piloto_id'> & { id: string };

/** Does an action on many guides, guide by guide; a guide that cannot be done holds up none. */
@Injectable()
export class BulkRunService {
  constructor(
    private readonly database: Database,
    private readonly requests: LocationRequestsService,
    private readonly confirmations: GuiaConfirmationsService,
    private readonly retries: MessageRetriesService,
    private readonly asignaciones: AsignacionesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Does what is left of an action, until somebody stops it. @returns the outcome in Spanish, for the board. */
  async run(id: string): Promise<string> {
    const found = await this.database.query<Omit<RunningMasiva, 'id'>>(findMasiva(id));
    if (!found.rows[0]) return 'La acción no existe.';
    const masiva = { id, ...found.rows[0] };
    for (;;) {
      const { rows } = await this.database.query<LeftGuia>(nextGuias(id, AT_ONCE));
      if (rows.length === 0) break;
      await Promise.all(rows.map((guia) => this.settle(masiva, guia)));
    }
    await this.database.query(endMasiva(id));
    return 'Terminó.';
  }

  private async settle(masiva: RunningMasiva, guia: LeftGuia): Promise<void> {
    const outcome = await this.act(masiva, guia).catch((error: unknown): GuiaOutcome => {
      if (error instanceof AppError && error.status < 500) return { motivo: error.detail };
      if (isOutage(error)) throw error;
      this.logger.error({ err: error, masiva: masiva.id, guia: guia.guia }, 'a guide of an action failed');
      return { motivo: 'Hubo una falla interna; vuelva a intentar.' };
    });
    await this.database.query(settleGuia(masiva.id, guia.guia_id, outcome));
  }

  private async act(
    { id, accion, usuario, texto, piloto_id }: RunningMasiva,
    guia: LeftGuia,
  ): Promise<GuiaOutcome> {
    switch (accion) {
      case 'pedir': {
        const author = { actor: 'soporte' as const, usuario };
        const mensajeId = await this.requests.ask(guia.guia, { comercioId: guia.comercio_id }, author);
        return { mensajeId, motivo: mensajeId === undefined ? 'Ya hay un mensaje por salir.' : null };
      }
      case 'reenviar':
        return {
          motivo: (await this.retries.retry(guia.mensaje_id!)) ? null : 'El mensaje ya no está fallido.',
        };
      case 'anotar':
        await this.database.query(insertNota(v5(guia.guia, id), guia.guia, usuario, texto!));
        await this.confirmations.settleByNote(guia.guia);
        return { motivo: null };
      case 'asignar':
        await this.asignaciones.assignAsStaff(guia.guia, piloto_id, usuario);
        return { motivo: null };
      case 'atender':
        return { motivo: null };
    }
  }
}
