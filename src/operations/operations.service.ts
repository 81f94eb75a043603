import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Operator } from '../auth/operators/operator.js';
import type { AppError } from '../errors/app-error.js';
import { TimeoutError, withTimeout } from '../timeouts/with-timeout.js';
import { GuiaMovesService, type Registro } from '../guias/changes/guia-moves.service.js';
import { toItemError } from '../guias/lote/item-error.js';
import { InjectLogger } from '../logging/logging.module.js';
import { readInput } from '../validation/read-input.js';
import {
  EventoDeLoteDto,
  toMovimiento,
  toRegistro,
  type EventoRechazadoDto,
  type RegistrarEventoDto,
  type RegistroDto,
} from './dto/registrar-evento.dto.js';

/** ms before the answer is due; what is left of a batch by then is refused. */
const ANSWER_MARGIN_MS = 200;

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

  /**
   * Reads and registers each event by itself; one result for each, in order. Sequential, so that a guide's events keep their order.
   * @param deadline when the answer is due, as `performance.now()` counts.
   */
  async registerBatch(
    operator: Operator,
    eventos: unknown[],
    deadline: number,
  ): Promise<(RegistroDto | EventoRechazadoDto)[]> {
    const results: (RegistroDto | EventoRechazadoDto)[] = [];
    let isUnavailable = false;
    for (const sent of eventos) {
      try {
        const evento = readInput(EventoDeLoteDto, sent, {});
        const leftMs = deadline - ANSWER_MARGIN_MS - performance.now();
        if (isUnavailable || leftMs <= 0) throw new TimeoutError();
        const registro = await withTimeout(leftMs, this.register(operator, evento.guia, evento));
        results.push(toRegistro(registro));
      } catch (error) {
        const refusal = toItemError(error, LATE, this.logger);
        isUnavailable ||= refusal.codigo === 'no_disponible';
        results.push(toRefusal(refusal));
      }
    }
    return results;
  }
}

function toRefusal({ status, codigo, detail, errores }: AppError): EventoRechazadoDto {
  return { ok: false, status, codigo, detail, ...(errores && { errores }) };
}
