import { MAX } from '../guia/limits.js';
import { inCash, type Collected } from '../guia/pago.js';
import type { Author } from './author.js';
import type { CurrentGuia } from './guia-changes.queries.js';
import {
  adjust,
  lockCobro,
  saveCobro,
  saveSettled,
  type DeliveredCobro,
  type LockedCobro,
} from './guia-cobros.queries.js';
import { changeCaja } from './guia-caja.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';

interface Change {
  cobro: LockedCobro;
  /** Of a delivery that is taken back nothing. */
  now: Collected;
  /** Why; the merchant reads it. */
  motivo: string;
  author: Author;
  /** The driver who delivered the guide; absent: as before. */
  piloto?: string | null;
}

/** Changes a settled amount, and adjusts the next settlement by the difference. */
export async function changeSettled(
  guia: CurrentGuia,
  { cobro, now, motivo, author, piloto = cobro.piloto_id }: Change,
  tx: GuiaTransaction,
): Promise<void> {
  await tx.query(saveSettled(guia, now, piloto));
  const difference = { now: now.cod_cobrado, before: cobro.cod_cobrado };
  const operadorId = author.actor === 'operador' ? author.operador_id : null;
  await tx.query(adjust(guia, difference, cut(motivo), operadorId));
}

/** The reason of an adjustment by another delivery. */
const AGAIN = 'Se entregó otra vez una guía ya liquidada';

/** Records what was collected of a locked guide that may have an amount of a delivery before. */
export async function saveCollected(
  guia: CurrentGuia,
  cobro: DeliveredCobro,
  author: Author,
  tx: GuiaTransaction,
): Promise<void> {
  const { rowCount } = await tx.query(saveCobro(guia, cobro));
  const { piloto } = cobro;
  if (rowCount === 0) {
    const { rows } = await tx.query<LockedCobro>(lockCobro(guia));
    await changeSettled(guia, { cobro: rows[0]!, now: cobro, motivo: AGAIN, author, piloto }, tx);
  }
  const cash = inCash(cobro);
  if (piloto !== null && cash > 0) await tx.query(changeCaja(guia, piloto, { now: cash, before: null }));
}

/** As long as a reason may be. */
function cut(motivo: string): string {
  const characters = [...motivo];
  return characters.length <= MAX.motivo ? motivo : `${characters.slice(0, MAX.motivo - 1).join('')}…`;
}
