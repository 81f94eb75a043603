import { AppError } from '../../errors/app-error.js';
import type { GuiaAdvertencia } from '../guia-advertencia.js';
import type { LockedGuia } from './guia-changes.queries.js';

/** A correction by an operator of the amount collected of a delivered guide. */
export interface Correccion {
  cod_cobrado: number;
  nota?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

/** The amount of a guide as it is stored. */
export interface StoredCobro {
  liquidacion_id: string | null;
}

/**
 * Decides a correction; a pure function.
 * @param cobro undefined for a guide of which nothing was due or collected.
 * @returns the guide's warnings, and whether the amount stays in `cobros`: of nothing due and nothing collected it does not.
 * @throws AppError `transicion_invalida` for a guide that is not delivered; `cobro_liquidado`
 */
export function decideCorrection(
  { estado, cod_amount, advertencias }: Pick<LockedGuia, 'estado' | 'cod_amount' | 'advertencias'>,
  cobro: StoredCobro | undefined,
  cod_cobrado: number,
): { advertencias: string[]; isKept: boolean } {
  if (estado !== 'entregado') throw notDelivered(estado);
  if (cobro && cobro.liquidacion_id !== null) throw new AppError('cobro_liquidado');
  const different: GuiaAdvertencia = 'cod_distinto';
  const others = advertencias.filter((advertencia) => advertencia !== different);
  return {
    advertencias: cod_cobrado === cod_amount ? others : [...others, different],
    isKept: cod_amount > 0 || cod_cobrado > 0,
  };
}

function notDelivered(estado: string): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en \`${estado}\`; lo cobrado se corrige cuando está en \`entregado\`.`,
  });
}
