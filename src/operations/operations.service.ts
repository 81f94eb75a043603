import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Operator } from '../auth/operators/operator.js';
import { GuiaMovesService } from '../guias/changes/guia-moves.service.js';
import type { Registro } from '../guias/changes/guia-registro.js';
import { toAnswer } from '../platform/http/repeat.interceptor.js';
import { InjectLogger } from '../platform/logging/logging.module.js';
import { readInput } from '../platform/validation/read-input.js';
import { serveBatch } from './batch.js';
import {
  EventoDeLoteDto,
  toMovimiento,
  type EventoRechazadoDto,
  type RegistrarEventoDto,
  type RegistroDto,
} from './dto/registrar-evento.dto.js';

const LATE =
  'No se alcanzó a registrar, o no se sabe. Repita este evento; con el mismo `ref` no se registra dos veces.';

@Injectable()
export class OperationsService {
  constructor(
    private readonly moves: GuiaMovesService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /** @throws AppError as `GuiaMovesService.move` */
  register(operator: Operator, guia: string, dto: RegistrarEventoDto): Promise<Registro> {
    const { id: operador_id, isTest } = operator;
    return this.moves.move({ actor: 'operador', operador_id, scope: { isTest } }, guia, toMovimiento(dto));
  }

  /**
   * Reads and registers each event by itself; one result for each, in the order of the request.
   * @param deadline when the answer is due, as `performance.now()` counts.
   */
  registerBatch(
    operator: Operator,
    eventos: unknown[],
    deadline: number,
  ): Promise<(RegistroDto | EventoRechazadoDto)[]> {
    const read = (sent: unknown) => {
      const evento = readInput(EventoDeLoteDto, sent, {});
      return async () => toAnswer(await this.register(operator, evento.guia, evento));
    };
    return serveBatch(eventos, { read, deadline, late: LATE, logger: this.logger });
  }
}
