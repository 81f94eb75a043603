import { Injectable } from '@nestjs/common';
import { v7 } from 'uuid';
import { raw, sql } from '../../platform/database/sql.js';
import { AppError } from '../../platform/errors/app-error.js';
import { MENSAJE_ADVERTENCIAS, type GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { ESTADOS, OPEN_ESTADOS, type GuiaEstado } from '../guia/guia-estado.js';
import { inCash } from '../guia/pago.js';
import { askRefusal } from './ask-again.js';
import { by, type Author } from './author.js';
import type { GuiaScope, CurrentGuia } from './guia-changes.queries.js';
import { GuiaChangesService } from './guia-changes.service.js';
import { changeCaja, findHandedOver, lockPiloto } from './guia-caja.queries.js';
import { deleteCobro, isTakenBack, lockCobro, type LockedCobro } from './guia-cobros.queries.js';
import { findOmittedRequest } from './guia-undo.queries.js';
import { decideUndo, notTheirs, tooLate, type MoveRow } from './guia-undo.js';
import { isFormerOf } from './guia-piloto.js';
import { clampedTime } from './piloto-clock.js';
import type { Ajuste } from './cobro-correction.js';
import type { GuiaTransaction } from './guia-transaction.js';
import { differingFromRecorded, refTaken } from './operator-ref.js';
import { changeSettled } from './settled-cobro.js';
import {
  assignmentTo,
  MOVES,
  repeatedBy,
  type Assignment,
  type RecordedEvento,
} from './guia-context.queries.js';

export interface Deshacer extends Ajuste {
  motivo: string;
  /** Idempotency key of an operator or a driver: one event for each of them, guide and `ref`. */
  ref?: string;
  /** When a driver took it back, ISO 8601; absent: now. */
  ocurrido_en?: string;
  /** `secuencia` of the last change of state that the person saw, 0 for none; absent: whichever it is. */
  visto?: number;
}

export interface EstadoCorregido {
  guia: string;
  id: string;
  evento: string;
  secuencia: number;
  /** The state that the guide is in again. */
  estado: GuiaEstado;
  /** The state that was wrong. */
  estado_anterior: GuiaEstado;
  /** A repeat by `ref`: nothing new was recorded. */
  isDuplicate: boolean;
  /** Fields of a repeat that differ from the recorded event. */
  differing: string[];
}

interface UndoContext extends Assignment {
  repetido: RecordedEvento | null;
  movimientos: MoveRow[];
}

@Injectable()
export class GuiaUndoService {
  constructor(private readonly changes: GuiaChangesService) {}

  /**
   * Takes back the last move of any operator or driver, with what was collected by it. Done again, it takes back the move
   * before.
   * @param guia id or number.
   * @throws AppError `no_encontrado`; as `decideUndo`; `nada_que_deshacer` if the guide moved since `visto`, and for a driver
   *   who is late, which is kept and warns, or has the guide no more; `efectivo_entregado` for a driver whose cash of it was
   *   handed over; `validacion` for a `ref` of another kind of event.
   */
  async undo(author: Author, scope: GuiaScope, guia: string, deshacer: Deshacer): Promise<EstadoCorregido> {
    const { motivo, ref, visto } = deshacer;
    const courierId = 'operador_id' in author ? author.operador_id : null;
    const context = sql`${assignmentTo(courierId)}, ${repeatedBy(courierId, ref)}, ${raw(MOVES)} as movimientos`;
    const result = await this.changes.lock(guia, scope, async (actual, tx) => {
      const named = { guia: actual.guia, id: actual.id };
      const { repetido, movimientos: moves, ...assigned } = await tx.look<UndoContext>(context);
      if (repetido?.datos.deshacer === true) return 'late';
      if (repetido) return { ...named, ...toRepeat(repetido, deshacer) };
      const { ocurrido_en: said } = deshacer;
      const isPiloto = author.actor === 'piloto';
      if (isPiloto && isFormerOf(author.operador_id, { ...actual, ...assigned }, said)) throw notTheirs();
      if (visto !== undefined && visto !== (moves.at(-1)?.secuencia ?? 0))
        throw movedMeanwhile(actual.estado);
      const { rows: cobros } = await tx.query<LockedCobro>(lockCobro(actual));
      // A delivery with nothing due touched no amount that was taken back before it.
      const cobro = cobros.find((one) => actual.estado === 'entregado' && !isTakenBack(one));
      const { ahora } = assigned;
      const dicho_en = said ?? ahora;
      const undo = decideUndo(author, actual, moves, cobro, { ahora, dicho_en }, deshacer);
      const { creada_en } = actual;
      const bounds = { ahora, recibido_en: ahora, creada_en, desde: null, estado_en: actual.estado_en };
      const ocurrido_en = said && clampedTime(said, bounds);
      const moved = ocurrido_en !== said ? { dicho_en: said } : {};
      if (undo === 'late') {
        const warned: GuiaAdvertencia = 'deshacer_tarde';
        const { advertencias, estado } = actual;
        const datos = { motivo, deshacer: true, estado, ...moved };
        await tx.write({
          columns: advertencias.includes(warned) ? {} : { advertencias: [...advertencias, warned] },
          eventos: [{ ...by(author, { tipo: 'guia.evento_tardio', datos }), ref, ocurrido_en }],
        });
        return undo;
      }
      const { estado, estado_en, advertencias, deshecho } = undo;
      const evento = v7();
      const estado_anterior = actual.estado;
      if (cobro) {
        const { piloto_id, liquidacion_id } = cobro;
        if (piloto_id !== null) {
          // A hand-over that runs at the same time has taken this cash, or waits.
          await tx.query(lockPiloto(piloto_id));
          if (isPiloto && (await tx.query(findHandedOver(actual, piloto_id))).rowCount! > 0)
            throw new AppError('efectivo_entregado');
          await tx.query(changeCaja(actual, piloto_id, { now: 0, before: inCash(cobro) }));
        }
        const now = { cod_cobrado: 0, pago: null };
        if (liquidacion_id === null) await tx.query(deleteCobro(actual));
        else await changeSettled(actual, { cobro, now, motivo, author }, tx);
      }
      const datos = { motivo, estado_anterior, deshecho, ...moved };
      const asks = await isToBeAsked(actual, estado, tx);
      await tx.write({
        columns: { estado, estado_en, advertencias },
        takesBack: true,
        eventos: [
          { ...by(author, { id: evento, tipo: 'guia.estado_corregido', datos }), ref, ocurrido_en },
          ...(asks ? [by({ actor: 'sistema' }, { tipo: 'guia.confirmacion_pedida' })] : []),
        ],
      });
      const secuencia = actual.version + 1;
      return { ...named, evento, secuencia, estado, estado_anterior, isDuplicate: false, differing: [] };
    });
    // After the commit, which keeps it.
    if (result === 'late') throw tooLate();
    return result;
  }
}

/**
 * Whether the undo asks the recipient: the last request was left out because the guide's state forbade it, and the restored
 * state allows it. A request that was left out for another reason has a warning.
 */
async function isToBeAsked(guia: CurrentGuia, estado: GuiaEstado, tx: GuiaTransaction): Promise<boolean> {
  const { direccion_confirmada, advertencias } = guia;
  const isOpenAgain =
    !OPEN_ESTADOS.includes(guia.estado) && askRefusal({ estado, advertencias }) === undefined;
  const isExplained = MENSAJE_ADVERTENCIAS.some((codigo) => advertencias.includes(codigo));
  if (direccion_confirmada || !isOpenAgain || isExplained) return false;
  return (await tx.query(findOmittedRequest(guia))).rowCount === 1;
}

function movedMeanwhile(actual: GuiaEstado): AppError {
  return new AppError('nada_que_deshacer', {
    detail: `La guía cambió mientras tanto: ahora está en «${ESTADOS[actual].name}». Mírela antes de deshacer.`,
  });
}

function toRepeat(
  { id, tipo, secuencia, datos }: RecordedEvento,
  { ocurrido_en: _, visto: __, ajustar: ___, cod_visto: ____, ...deshacer }: Deshacer,
): Omit<EstadoCorregido, 'guia' | 'id'> {
  if (tipo !== 'guia.estado_corregido') throw refTaken();
  return {
    evento: id,
    secuencia,
    estado: datos.estado as GuiaEstado,
    estado_anterior: datos.estado_anterior as GuiaEstado,
    isDuplicate: true,
    differing: differingFromRecorded(deshacer, datos),
  };
}
