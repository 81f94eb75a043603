import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { IsNull, type Repository } from 'typeorm';
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
import { nextGuias, type LeftGuia } from './bulk.queries.js';
import { MasivaGuia } from './masiva-guia.entity.js';
import { Masiva } from './masiva.entity.js';

/** Guides that are worked on at once. */
const AT_ONCE = 8;

interface GuiaOutcome {
  /** The message that is sent now; the earlier one stays where it is undefined. */
  mensajeId?: string | undefined;
  /** Why not, in Spanish; null: done. */
  motivo: string | null;
}

/** Does an action on many guides, guide by guide; a guide that cannot be done holds up none. */
@Injectable()
export class BulkRunService {
  constructor(
    private readonly database: Database,
    @InjectRepository(Masiva) private readonly masivas: Repository<Masiva>,
    @InjectRepository(MasivaGuia) private readonly guias: Repository<MasivaGuia>,
    private readonly requests: LocationRequestsService,
    private readonly confirmations: GuiaConfirmationsService,
    private readonly retries: MessageRetriesService,
    private readonly asignaciones: AsignacionesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** Does what is left of an action, until somebody stops it. @returns the outcome in Spanish, for the board. */
  async run(id: string): Promise<string> {
    const masiva = await this.masivas.findOneBy({ id });
    if (!masiva) return 'La acción no existe.';
    for (;;) {
      const { rows } = await this.database.query<LeftGuia>(nextGuias(id, AT_ONCE));
      if (rows.length === 0) break;
      await Promise.all(rows.map((guia) => this.settle(masiva, guia)));
    }
    await this.masivas.update({ id, terminado_en: IsNull() }, { terminado_en: () => 'now()' });
    return 'Terminó.';
  }

  private async settle(masiva: Masiva, guia: LeftGuia): Promise<void> {
    const { mensajeId, motivo } = await this.act(masiva, guia).catch((error: unknown): GuiaOutcome => {
      if (error instanceof AppError && error.status < 500) return { motivo: error.detail };
      if (isOutage(error)) throw error;
      this.logger.error({ err: error, masiva: masiva.id, guia: guia.guia }, 'a guide of an action failed');
      return { motivo: 'Hubo una falla interna; vuelva a intentar.' };
    });
    await this.guias.update(
      { masiva_id: masiva.id, guia_id: guia.guia_id, resultado: IsNull() },
      { resultado: motivo === null ? 'hecho' : 'no', motivo, mensaje_id: mensajeId },
    );
  }

  private async act({ id, accion, usuario, texto, piloto_id }: Masiva, guia: LeftGuia): Promise<GuiaOutcome> {
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
