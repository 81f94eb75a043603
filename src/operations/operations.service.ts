import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Operator } from '../auth/operators/operator.js';
import type { AppError } from '../errors/app-error.js';
import { TimeoutError, withTimeout } from '../timeouts/with-timeout.js';
import { GuiaMovesService, type Registro } from '../guias/changes/guia-moves.service.js';
import { isUuid } from '../database/row-id.js';
import { isGuiaNumero } from '../guias/guia-numero.js';
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

/** Guides of a batch whose events are registered at the same time. */
const GUIAS_AT_ONCE = 4;

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
   * Reads and registers each event by itself; one result for each, in the order of the request. Guides are served side by
   * side; the events of one guide keep their order, and those after one that was not registered in time are refused.
   * @param deadline when the answer is due, as `performance.now()` counts.
   */
  async registerBatch(
    operator: Operator,
    eventos: unknown[],
    deadline: number,
  ): Promise<(RegistroDto | EventoRechazadoDto)[]> {
    const results: (RegistroDto | EventoRechazadoDto)[] = [];
    const waiting = indexesByGuia(eventos).values();
    const serve = async () => {
      for (const indexes of waiting) {
        let isUnavailable = false;
        for (const i of indexes) {
          const leftMs = isUnavailable ? 0 : deadline - ANSWER_MARGIN_MS - performance.now();
          const result = await this.registerItem(operator, eventos[i], leftMs);
          isUnavailable = 'codigo' in result && result.codigo === 'no_disponible';
          results[i] = result;
        }
      }
    };
    await Promise.all(Array.from({ length: GUIAS_AT_ONCE }, serve));
    return results;
  }

  /** @param leftMs until it is refused. */
  private async registerItem(
    operator: Operator,
    sent: unknown,
    leftMs: number,
  ): Promise<RegistroDto | EventoRechazadoDto> {
    try {
      const evento = readInput(EventoDeLoteDto, sent, {});
      if (leftMs <= 0) throw new TimeoutError();
      return toRegistro(await withTimeout(leftMs, this.register(operator, evento.guia, evento)));
    } catch (error) {
      return toRefusal(toItemError(error, LATE, this.logger));
    }
  }
}

/** The indexes of the events of each guide, in order; of all as one where a guide may be named by its id and by its number. */
function indexesByGuia(eventos: unknown[]): number[][] {
  const names = eventos.map((sent) => {
    const { guia } = (sent ?? {}) as { guia?: unknown };
    return typeof guia === 'string' ? guia.trim().toLowerCase() : '';
  });
  const isMixed = names.some(isUuid) && names.some(isGuiaNumero);
  const byName = new Map<string, number[]>();
  for (const [i, name] of names.entries()) {
    const key = isMixed ? '' : name;
    const indexes = byName.get(key);
    if (indexes) indexes.push(i);
    else byName.set(key, [i]);
  }
  return [...byName.values()];
}

function toRefusal({ status, codigo, detail, errores }: AppError): EventoRechazadoDto {
  return { ok: false, status, codigo, detail, ...(errores && { errores }) };
}
