import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { raw, sql } from '../../platform/database/sql.js';
import { inCash, type Pago } from '../guia/pago.js';
import { by, type Author } from './author.js';
import type { GuiaScope, CurrentGuia } from './guia-changes.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { deleteCobro, isTakenBack, lockCobro, saveCobro, type LockedCobro } from './guia-cobros.queries.js';
import { changeCaja, lockPiloto } from './guia-caja.queries.js';
import { checkCollected } from './collected-limit.js';
import { decideCorrection, type Correccion } from './cobro-correction.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { findDeliverer } from './guia-piloto.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { changeSettled } from './settled-cobro.js';
import { ofMerchant, repeatedBy, type RecordedEvento } from './guia-context.queries.js';

/** The reason of an adjustment, where the correction has none. */
const CORRECTED = 'Se corrigió lo cobrado de una guía ya liquidada';

export interface CobroCorregido {
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The amount as it was corrected; for a repeat, by the event it repeats. */
  cod_cobrado: number;
  /** How it was paid; null where nothing was due. */
  pago: Pago | null;
  /** A repeat by `ref`: nothing new was recorded. */
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the recorded event. */
  differing: string[];
}

@Injectable()
export class GuiaCobrosService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * @param guia id or number.
   * @throws AppError `no_encontrado`; as `decideCorrection`; `validacion` for a `ref` of another kind of event.
   */
  async correct(
    author: Author,
    scope: GuiaScope,
    guia: string,
    correccion: Correccion,
  ): Promise<CobroCorregido> {
    const { nota, ref } = correccion;
    const courierId = 'operador_id' in author ? author.operador_id : null;
    const context = sql`${repeatedBy(courierId, ref)}, ${raw(ofMerchant('moneda'))} as moneda`;
    return this.changes.lock(guia, scope, async (actual, tx) => {
      const named = { guia: actual.guia, id: actual.id };
      const { repetido, moneda } = await tx.look<{ repetido: RecordedEvento | null; moneda: string }>(
        context,
      );
      if (repetido) return { ...named, ...toRepeat(repetido, correccion, actual) };
      checkCollected(correccion.cod_cobrado, moneda);
      const { rows } = await tx.query<LockedCobro>(lockCobro(actual));
      const cobro = rows[0];
      const { advertencias, isKept, corregido } = decideCorrection(actual, cobro, correccion);
      const { cod_cobrado, pago } = corregido;
      const evento = v7();
      const cod_antes = Number(cobro?.cod_cobrado ?? 0);
      const datos = { cod_cobrado, ...(pago !== null && { pago }), nota, cod_antes };
      await tx.write({
        columns: { advertencias },
        eventos: [{ ...by(author, { id: evento, tipo: 'guia.cobro_corregido', datos }), ref }],
      });
      const piloto = cobro && !isTakenBack(cobro) ? cobro.piloto_id : await delivererOf(actual, tx);
      if (cobro && cobro.liquidacion_id !== null)
        await changeSettled(actual, { cobro, now: corregido, motivo: nota ?? CORRECTED, author, piloto }, tx);
      else {
        const kept = { ...corregido, at: actual.estado_en, piloto };
        await tx.query(isKept ? saveCobro(actual, kept) : deleteCobro(actual));
      }
      if (piloto !== null) {
        await tx.query(lockPiloto(piloto));
        const before = cobro ? inCash(cobro) : null;
        await tx.query(changeCaja(actual, piloto, { now: inCash(corregido), before }));
      }
      const secuencia = actual.version + 1;
      return { ...named, evento, secuencia, cod_cobrado, pago, isDuplicate: false, differing: [] };
    });
  }
}

/** The driver of a delivery that collected nothing; null for nobody. */
async function delivererOf(guia: CurrentGuia, tx: GuiaTransaction): Promise<string | null> {
  const { rows } = await tx.query<{ piloto: string | null }>(findDeliverer(guia));
  return rows[0] ? rows[0].piloto : guia.piloto_id;
}

function toRepeat(
  { id, tipo, secuencia, datos }: RecordedEvento,
  { pago: sent, ajustar: _, cod_visto: __, ...correccion }: Correccion,
  { cod_amount }: CurrentGuia,
): Omit<CobroCorregido, 'guia' | 'id'> {
  if (tipo !== 'guia.cobro_corregido') throw refTaken();
  return {
    evento: id,
    secuencia,
    cod_cobrado: datos.cod_cobrado as number,
    pago: (datos.pago as Pago | undefined) ?? null,
    isDuplicate: true,
    differing: differingFromRecorded({ ...correccion, ...(cod_amount > 0 && { pago: sent }) }, datos),
  };
}
