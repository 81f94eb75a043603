import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Operator } from '../auth/decorators.js';
import { readDatabaseError } from '../database/database-error.reader.js';
import { AppError } from '../errors/app-error.js';
import { GuiaMovesService, type Registro } from '../guias/changes/guia-moves.service.js';
import { InjectLogger } from '../logging/logging.module.js';
import type { BatchItem } from '../validation/input.decorators.js';
import {
  toMovimiento,
  toRegistro,
  type EventoDeLoteDto,
  type EventoRechazadoDto,
  type RegistrarEventoDto,
  type RegistroDto,
} from './dto/registrar-evento.dto.js';

/** Milliseconds after which the rest of a batch is refused: its answer must leave within 5 s. */
export const BATCH_LIMIT_MS = 4_000;

const LATE =
  'No se alcanzó a registrar, o no se sabe. Repita este evento; con el mismo `ref` no se registra dos veces.';

/** Registers operators' events, one at a time or in a batch. */
@Injectable()
export class OperationsService {
  constructor(
    private readonly moves: GuiaMovesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws AppError as `GuiaMovesService.move` */
  register(operator: Operator, guia: string, dto: RegistrarEventoDto): Promise<Registro> {
    return this.moves.move({ operadorId: operator.id, isTest: operator.isTest }, guia, toMovimiento(dto));
  }

  /** One result for each event, in order. Sequential, so that a guide's events keep their order. */
  async registerBatch(
    operator: Operator,
    items: BatchItem<EventoDeLoteDto>[],
  ): Promise<(RegistroDto | EventoRechazadoDto)[]> {
    const results: (RegistroDto | EventoRechazadoDto)[] = [];
    const timer = new AbortController();
    const deadline = this.batchDeadline(timer.signal);
    let isUnavailable = false;
    for (const item of items) {
      try {
        if ('errors' in item) throw AppError.validation(item.errors);
        if (isUnavailable) throw new AppError('no_disponible', { detail: LATE });
        const registering = this.register(operator, item.value.guia, item.value);
        const registro = await Promise.race([registering, deadline]);
        if (!registro) throw new AppError('no_disponible', { detail: LATE });
        results.push(toRegistro(registro));
      } catch (error) {
        const refusal = this.toAppError(error);
        isUnavailable ||= refusal.codigo === 'no_disponible';
        results.push(toRefusal(refusal));
      }
    }
    timer.abort();
    return results;
  }

  /** Resolves when the rest of a batch is refused, or when aborted. */
  async batchDeadline(signal: AbortSignal): Promise<void> {
    await sleep(BATCH_LIMIT_MS, undefined, { signal }).catch(() => undefined);
  }

  private toAppError(error: unknown): AppError {
    if (error instanceof AppError) return error;
    const known = readDatabaseError(error);
    if (!known) this.logger.error({ err: error }, 'an event of a batch failed');
    return known ?? new AppError('error_interno', { cause: error });
  }
}

function toRefusal({ status, codigo, detail, errores }: AppError): EventoRechazadoDto {
  return { ok: false, status, codigo, detail, ...(errores && { errores }) };
}
