import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import type { Operator } from '../../auth/operators/operator.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { deleteCobro, lockCobro, saveCobro, type LockedCobro } from './guia-cobros.queries.js';
import { changeCaja, lockPiloto } from './guia-caja.queries.js';
import { checkCollected } from './collected-limit.js';
import { decideCorrection, type Correccion } from './cobro-correction.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { findByRef, type RecordedEvento } from './recorded-eventos.queries.js';

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

/** Corrects the amounts collected of delivered guides. */
@Injectable()
export class GuiaCobrosService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * @param guia id or number, of any merchant.
   * @throws AppError `no_encontrado`; as `decideCorrection`; `validacion` for a `ref` of another kind of event.
   */
  async correct(
    { id: operadorId, isTest }: Operator,
    guia: string,
    correccion: Correccion,
  ): Promise<CobroCorregido> {
    const { cod_cobrado, nota, ref } = correccion;
    return this.changes.change(guia, { isTest }, async (actual, tx) => {
      const named = { guia: actual.guia, id: actual.id };
      if (ref !== undefined) {
        const { rows } = await tx.query<RecordedEvento>(findByRef(actual, operadorId, ref));
        if (rows[0]) return { ...named, ...toRepeat(rows[0], correccion) };
      }
      await checkCollected(actual, cod_cobrado, tx);
      const { rows } = await tx.query<LockedCobro>(lockCobro(actual));
      const { advertencias, isKept } = decideCorrection(actual, rows[0], cod_cobrado);
      const evento = v7();
      await tx.write({ advertencias }, [
        {
          id: evento,
          tipo: 'guia.cobro_corregido',
          actor: 'operador',
          operador_id: operadorId,
          ref,
          datos: { cod_cobrado, nota, cod_antes: Number(rows[0]?.cod_cobrado ?? 0) },
        },
      ]);
      // A delivered guide keeps its driver.
      const piloto = rows[0] ? rows[0].piloto_id : actual.piloto_id;
      await tx.query(isKept ? saveCobro(actual, cod_cobrado, actual.estado_en, piloto) : deleteCobro(actual));
      if (piloto !== null) {
        await tx.query(lockPiloto(piloto));
        const before = rows[0]?.cod_cobrado ?? null;
        await tx.query(changeCaja(actual, piloto, { now: cod_cobrado, before }));
      }
      const secuencia = actual.version + 1;
      return { ...named, evento, secuencia, cod_cobrado, isDuplicate: false, differing: [] };
    });
  }
}

function toRepeat(
  { id, tipo, secuencia, datos }: RecordedEvento,
  correccion: Correccion,
): Omit<CobroCorregido, 'guia' | 'id'> {
  if (tipo !== 'guia.cobro_corregido') throw refTaken();
  return {
    evento: id,
    secuencia,
    cod_cobrado: datos.cod_cobrado as number,
    isDuplicate: true,
    differing: differingFromRecorded(correccion, datos),
  };
}
