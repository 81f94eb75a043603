import { Injectable } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Operator } from '../../auth/operators/operator.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { Author } from '../../guias/changes/author.js';
import { GuiaChangesService } from '../../guias/changes/guia-changes.service.js';
import { assignment } from '../../guias/changes/guia-write.js';
import type { PilotoNombradoDto } from '../../guias/dto/piloto-nombrado.dto.js';
import { FINAL_ESTADOS, OPEN_ESTADOS } from '../../guias/guia/guia-estado.js';
import { InjectLogger } from '../../platform/logging/logging.module.js';
import type { EventoRechazadoDto } from '../../operations/dto/registrar-evento.dto.js';
import { serveBatch } from '../../operations/batch.js';
import { PilotosService } from '../pilotos.service.js';
import type { AsignacionDto, AsignarDto } from './asignacion.dto.js';

const LATE = 'No se alcanzó a asignar, o no se sabe. Repita la solicitud: asignar dos veces no hace daño.';

@Injectable()
export class AsignacionesService {
  constructor(
    private readonly changes: GuiaChangesService,
    private readonly pilotos: PilotosService,
    @InjectLogger() private readonly logger: Logger,
  ) {}

  /**
   * Assigns each guide by itself; one result for each, in the order of the request.
   * @param deadline when the answer is due, as `performance.now()` counts.
   * @param author whom the history names. Default: the operator.
   * @throws AppError `no_encontrado` for an unknown driver; `piloto_inactivo`
   */
  async assign(
    operator: Operator,
    dto: AsignarDto,
    deadline: number,
    author: Author = { actor: 'operador', operador_id: operator.id },
  ): Promise<(AsignacionDto | EventoRechazadoDto)[]> {
    const piloto = dto.piloto === null ? null : await this.findActive(dto.piloto);
    const read = (guia: unknown) => () => this.assignOne(operator, (guia as string).trim(), piloto, author);
    return serveBatch(dto.guias, { read, deadline, late: LATE, logger: this.logger });
  }

  /**
   * Assigns one guide, or takes its driver away, as somebody of the staff asks.
   * @throws AppError `no_encontrado`, `piloto_inactivo`; as a single assignment of operators
   */
  async assignAsStaff(guia: string, pilotoId: string | null, usuario: string): Promise<void> {
    const piloto = pilotoId === null ? null : await this.findActive(pilotoId);
    await this.assignOne({ isTest: false }, guia, piloto, { actor: 'soporte', usuario });
  }

  /**
   * Assigns to a driver a guide that nobody has, because they have its parcel. Repeating it does no harm.
   * @throws AppError `no_encontrado`, `guia_de_otro`; `transicion_invalida` once it is not to be delivered any more.
   */
  take(piloto: PilotoNombradoDto, guia: string): Promise<AsignacionDto> {
    return this.changes.change(guia, { isTest: false }, (actual) => {
      const isNobodys = actual.piloto_id === null;
      if (!isNobodys && actual.piloto_id !== piloto.id) throw new AppError('guia_de_otro');
      if (!OPEN_ESTADOS.includes(actual.estado)) throw closed(actual.estado);
      return {
        result: { ok: true, guia: actual.guia, id: actual.id, piloto },
        ...(isNobodys && { write: assignment(piloto.id, { actor: 'piloto', operador_id: piloto.id }) }),
      };
    });
  }

  private async findActive(id: string): Promise<PilotoNombradoDto> {
    const { activo, nombre, ...piloto } = await this.pilotos.find(id);
    if (!activo) throw new AppError('piloto_inactivo');
    return { id: piloto.id, nombre };
  }

  private assignOne(
    { isTest }: Pick<Operator, 'isTest'>,
    guia: string,
    piloto: PilotoNombradoDto | null,
    author: Author,
  ): Promise<AsignacionDto> {
    return this.changes.change(guia, { isTest }, (actual) => {
      if (FINAL_ESTADOS.includes(actual.estado)) throw ended(actual.estado);
      const pilotoId = piloto?.id ?? null;
      return {
        result: { ok: true, guia: actual.guia, id: actual.id, piloto },
        ...(actual.piloto_id !== pilotoId && { write: assignment(pilotoId, author) }),
      };
    });
  }
}

function closed(estado: string): AppError {
  return new AppError('transicion_invalida', { detail: `La guía está en \`${estado}\`: ya no se entrega.` });
}

function ended(estado: string): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en \`${estado}\`, un estado final: ya no se asigna.`,
  });
}
