import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Operator } from '../../auth/operators/operator.js';
import { againIfRepeat } from '../../database/again-if-repeat.js';
import { Database } from '../../database/database.js';
import { AppError } from '../../errors/app-error.js';
import { noSuchGuia } from '../guia-lookup.js';
import { correctCobro, type Correccion, type CorreccionRow } from './guia-cobros.queries.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';

/** The result of a correction. */
export interface CobroCorregido {
  /** Guide number. */
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The amount as it was corrected; for a repeat, by the event it repeats. */
  cod_cobrado: number;
  /** A repeat by `ref`: nothing new was recorded. */
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the recorded event. */
  differing: string[];
}

/** Corrects what was collected of delivered guides. */
@Injectable()
export class GuiaCobrosService {
  constructor(private readonly database: Database) {}

  /**
   * @param guia id or number, of any merchant.
   * @throws AppError `no_encontrado`; `transicion_invalida` for a guide that is not delivered; `cobro_liquidado`
   */
  async correct(operator: Operator, guia: string, correccion: Correccion): Promise<CobroCorregido> {
    const eventoId = v7();
    const statement = correctCobro(guia, correccion, operator, eventoId);
    const run = async () => (await this.database.query<CorreccionRow>(statement)).rows[0];
    const row = await againIfRepeat(
      run,
      'eventos_ref_key',
      (found) => correccion.ref !== undefined && found?.secuencia === null && found.repetido === null,
    );
    if (!row) throw noSuchGuia();
    const { repetido, secuencia, estado, ...named } = row;
    if (repetido !== null) {
      if (repetido.tipo !== 'guia.cobro_corregido') throw refTaken();
      const cod_cobrado = repetido.datos.cod_cobrado as number;
      const differing = differingFromRecorded(correccion, repetido.datos);
      return {
        ...named,
        evento: repetido.id,
        secuencia: repetido.secuencia,
        cod_cobrado,
        isDuplicate: true,
        differing,
      };
    }
    if (secuencia === null)
      throw estado === 'entregado' ? new AppError('cobro_liquidado') : notDelivered(estado);
    const { cod_cobrado } = correccion;
    return { ...named, evento: eventoId, secuencia, cod_cobrado, isDuplicate: false, differing: [] };
  }
}

function notDelivered(estado: string): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en \`${estado}\`; lo cobrado se corrige cuando está en \`entregado\`.`,
  });
}
