import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Merchant } from '../auth/merchants/merchant.js';
import { Database } from '../platform/database/database.js';
import { AppError } from '../platform/errors/app-error.js';
import { noSuchGuia } from '../guias/guia/guia-lookup.js';
import { WorkService } from '../platform/work/work.service.js';
import { DEFAULT_EVERY_S, type SimularDto } from './dto/simulacion.dto.js';
import { pasosFrom } from './guiones.js';
import {
  findCandidate,
  findLastSimulacion,
  insertSimulacion,
  lockStarts,
  type CandidateRow,
  type SimulacionRow,
} from './simulaciones.queries.js';
import { SIMULATIONS } from './simulaciones.work.js';

/** Simulations of a merchant that may run at once. */
const MAX_AT_ONCE = 50;

export interface SimulacionStart {
  simulacion: SimulacionRow;
  isDuplicate: boolean;
}

@Injectable()
export class SimulacionesService {
  constructor(
    private readonly database: Database,
    private readonly work: WorkService,
  ) {}

  /**
   * Starts a simulation. While one with the same script runs for the guide, a repeat returns that one.
   * @throws AppError `no_encontrado`; `transicion_invalida` if the script does not lead on from the guide's state;
   *   `simulacion_en_curso`; `limite_de_simulaciones`
   */
  async start(merchant: Merchant, idOrGuia: string, dto: SimularDto): Promise<SimulacionStart> {
    const isNew = await this.insert(merchant, idOrGuia, dto);
    const simulacion = await this.last(merchant, idOrGuia);
    if (isNew) await this.work.enqueue(SIMULATIONS, [simulacion]);
    return { simulacion, isDuplicate: !isNew };
  }

  /** The last simulation of a guide. @throws AppError `no_encontrado`, also for a guide without one. */
  async last(merchant: Merchant, idOrGuia: string): Promise<SimulacionRow> {
    const { rows } = await this.database.query<SimulacionRow>(findLastSimulacion(merchant.id, idOrGuia));
    if (!rows[0])
      throw new AppError('no_encontrado', {
        detail: 'No existe una guía con ese `id` o número, o no se ha simulado nada con ella.',
      });
    return rows[0];
  }

  /** Returns false if the same simulation is already running. */
  private insert(
    { id: comercioId }: Merchant,
    idOrGuia: string,
    { guion, cada_segundos = DEFAULT_EVERY_S }: SimularDto,
  ): Promise<boolean> {
    return this.database.managed(comercioId, async (manager) => {
      const run = <Row>({ text, values }: { text: string; values?: unknown[] }): Promise<Row[]> =>
        manager.query<Row[]>(text, values);
      await run(lockStarts(comercioId));
      const [guia] = await run<CandidateRow>(findCandidate(comercioId, idOrGuia));
      if (!guia) throw noSuchGuia();
      const [last] = await run<SimulacionRow>(findLastSimulacion(comercioId, idOrGuia));
      if (last?.estado === 'en_curso') {
        if (last.guion === guion) return false;
        throw new AppError('simulacion_en_curso');
      }
      if (guia.en_curso >= MAX_AT_ONCE) throw new AppError('limite_de_simulaciones');
      const pasos = pasosFrom(guion, { estado: guia.estado, isConfirmed: guia.direccion_confirmada });
      if (!pasos) throw leadsNowhere(guion, guia);
      await run(insertSimulacion(v7(), { comercioId, guiaId: guia.id }, { guion, cada_segundos, pasos }));
      return true;
    });
  }
}

function leadsNowhere(guion: string, { estado }: CandidateRow): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en \`${estado}\`; de ahí el guion \`${guion}\` no sigue. Cree otra guía y simule con ella.`,
  });
}
