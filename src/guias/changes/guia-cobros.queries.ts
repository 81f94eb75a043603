import type { QueryConfig } from 'pg';
import { v7 } from 'uuid';
import type { LockedGuia } from './guia-changes.queries.js';
import type { GuiaKey } from '../guia/guia-key.js';
import type { Collected } from '../guia/pago.js';
import { TAKEN_BACK } from '../guia/uncollected.js';
import type { StoredCobro } from './cobro-correction.js';

type Guia = Pick<LockedGuia, 'comercio_id' | 'id' | 'cod_amount'>;

/** The amount of a guide, locked. */
export interface LockedCobro extends StoredCobro, Collected<string | null> {
  /** The driver who carries it. */
  piloto_id: string | null;
}

const LOCK =
  'select liquidacion_id, cod_cobrado, pago, piloto_id from cobros where comercio_id = $1 and guia_id = $2 for update';

/** Locks the amount of a guide, which waits for a settlement of it. No row where nothing was due or collected. */
export function lockCobro({ comercio_id, id }: Guia): QueryConfig {
  return { name: 'cobro-lock', text: LOCK, values: [comercio_id, id] };
}

const SAVE = `insert into cobros (comercio_id, guia_id, cod_amount, cod_cobrado, cobrado_en, piloto_id, pago, estado)
  values ($1, $2, $3, $4, greatest(least($5::timestamptz, clock_timestamp()), to_timestamp(0)), $6, $7, $8)
  on conflict on constraint cobros_pkey do update set cod_cobrado = excluded.cod_cobrado, pago = excluded.pago,
    estado = excluded.estado, cobrado_en = coalesce(cobros.cobrado_en, excluded.cobrado_en),
    piloto_id = coalesce(cobros.piloto_id, excluded.piloto_id)
  where cobros.liquidacion_id is null`;

/**
 * Records the amount collected of a delivered guide. No row where it has a settled amount, from a delivery that was taken
 * back: see `saveSettled`.
 * @param at ISO 8601, when it was delivered; now if null. Time and driver of a recorded amount stay.
 * @param pilotoId the driver who delivered the guide.
 */
export function saveCobro(
  { comercio_id, id, cod_amount }: Guia,
  { cod_cobrado, pago }: Collected,
  at: string | null,
  pilotoId: string | null,
): QueryConfig {
  const estado = pago === 'directo' ? 'sin_cobro' : 'cobrado';
  const values = [comercio_id, id, cod_amount, cod_cobrado, at, pilotoId, pago, estado];
  return { name: 'cobro-save', text: SAVE, values };
}

const SAVE_SETTLED = `update cobros set liquidado = coalesce(liquidado, cod_cobrado), cod_amount = $3, cod_cobrado = $4,
    pago = $5, piloto_id = $6
  where comercio_id = $1 and guia_id = $2 and liquidacion_id is not null`;

/** Changes a settled amount: it stays in its settlement with the settled one. @param pago null of a delivery that is taken back. */
export function saveSettled(
  { comercio_id, id, cod_amount }: Guia,
  { cod_cobrado, pago }: Collected,
  pilotoId: string | null,
): QueryConfig {
  return { text: SAVE_SETTLED, values: [comercio_id, id, cod_amount, cod_cobrado, pago, pilotoId] };
}

/**
 * Sets the amount due of a settled amount whose delivery was taken back; nothing of any other, nor without one: guides do not
 * change it once they are delivered.
 */
export function saveDue({ comercioId, guiaId }: GuiaKey, cod_amount: number): QueryConfig {
  const text = `update cobros set cod_amount = $3 where comercio_id = $1 and guia_id = $2 and ${TAKEN_BACK}`;
  return { text, values: [comercioId, guiaId, cod_amount] };
}

const ADJUST = `insert into ajustes (comercio_id, id, guia_id, moneda, monto, motivo, creado_en, operador_id, automatico)
  select $1, $2, $3, c.moneda, $4::numeric - $5::numeric, $6, clock_timestamp(), $7, true
  from comercios c where c.id = $1 and $4::numeric <> $5::numeric`;

/** Adds the difference of a settled amount to the next settlement; nothing where it is the same. */
export function adjust(
  { comercio_id, id }: Guia,
  { now, before }: { now: number; before: string | null },
  motivo: string,
  operadorId: string | null,
): QueryConfig {
  const values = [comercio_id, v7(), id, now, before ?? 0, motivo, operadorId];
  return { text: ADJUST, values };
}

/**
 * Whether a locked amount is one that was settled, and of which nothing is collected since its delivery was taken back: another
 * delivery with nothing due leaves it so.
 */
export function isTakenBack({ liquidacion_id, pago, cod_cobrado }: Omit<LockedCobro, 'piloto_id'>): boolean {
  return liquidacion_id !== null && pago === null && Number(cod_cobrado) === 0;
}

/** The currency of a guide's amounts. */
export function findMoneda({ comercio_id }: Guia): QueryConfig {
  return { text: 'select moneda from comercios where id = $1', values: [comercio_id] };
}

/** Removes the amount of a guide of which nothing was due, and nothing was collected after all. */
export function deleteCobro({ comercio_id, id }: Guia): QueryConfig {
  const text = 'delete from cobros where comercio_id = $1 and guia_id = $2';
  return { name: 'cobro-delete', text, values: [comercio_id, id] };
}
