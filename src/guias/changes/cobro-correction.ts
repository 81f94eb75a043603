import { AppError } from '../../platform/errors/app-error.js';
import type { GuiaAdvertencia } from '../guia/guia-advertencia.js';
import { USUAL_PAGO, type Collected, type Pago } from '../guia/pago.js';
import type { CurrentGuia } from './guia-changes.queries.js';

/** How a settled amount is changed. */
export interface Ajuste {
  /** Whether it is changed at all, with an adjustment of the difference. */
  ajustar?: boolean;
  /** The amount that the person saw before; absent: whichever it is. */
  cod_visto?: number;
}

export interface Correccion extends Ajuste {
  /** Absent where it was paid to the merchant. */
  cod_cobrado?: number;
  /** How it was paid; absent: as before. */
  pago?: Pago;
  nota?: string;
  /** The operator's idempotency key: one event for each operator, guide and `ref`. */
  ref?: string;
}

export interface StoredCobro {
  liquidacion_id: string | null;
  cod_cobrado: string | null;
  pago: Pago | null;
}

/** @throws AppError `cobro_liquidado` for a settled amount without `ajustar`, or which is another than the person saw. */
export function checkAjuste(
  cobro: Pick<StoredCobro, 'liquidacion_id' | 'cod_cobrado'> | undefined,
  { ajustar = false, cod_visto }: Ajuste,
): void {
  if (!cobro || cobro.liquidacion_id === null) return;
  const isSeen = cod_visto === undefined || cod_visto === Number(cobro.cod_cobrado);
  if (!ajustar || !isSeen) throw new AppError('cobro_liquidado');
}

/**
 * Decides a correction; a pure function.
 * @param cobro undefined for a guide of which nothing was due or collected.
 * @returns the guide's warnings, what is collected now, and whether that stays in `cobros`: of nothing due and nothing
 *   collected it does not.
 * @throws AppError `transicion_invalida` for a guide that is not delivered; `cobro_liquidado`; `validacion` for an amount that
 *   was paid to the merchant.
 */
export function decideCorrection(
  { estado, cod_amount, advertencias }: Pick<CurrentGuia, 'estado' | 'cod_amount' | 'advertencias'>,
  cobro: StoredCobro | undefined,
  { cod_cobrado = 0, pago: paidNow, ...ajuste }: Correccion,
): { advertencias: string[]; isKept: boolean; corregido: Collected } {
  if (estado !== 'entregado') throw notDelivered(estado);
  checkAjuste(cobro, ajuste);
  const pago = cod_amount === 0 ? null : (paidNow ?? cobro?.pago ?? USUAL_PAGO);
  if (pago === 'directo' && cod_cobrado > 0) throw paidToMerchant();
  const different: GuiaAdvertencia = 'cod_distinto';
  const others = advertencias.filter((advertencia) => advertencia !== different);
  return {
    advertencias: cod_cobrado === cod_amount || pago === 'directo' ? others : [...others, different],
    isKept: cod_amount > 0 || cod_cobrado > 0,
    corregido: { cod_cobrado, pago },
  };
}

function paidToMerchant(): AppError {
  const mensaje = 'Se pagó directo al comercio, y no se cobra nada. Si no fue así, envíe también `pago`.';
  return AppError.validation([{ campo: 'cod_cobrado', codigo: 'fuera_de_rango', mensaje }]);
}

function notDelivered(estado: string): AppError {
  return new AppError('transicion_invalida', {
    detail: `La guía está en \`${estado}\`; lo cobrado se corrige cuando está en \`entregado\`.`,
  });
}
