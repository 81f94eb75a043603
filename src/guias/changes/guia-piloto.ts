import { FINAL_ESTADOS } from '../guia-estado.js';
import { noSuchGuia } from '../guia-lookup.js';
import type { LockedGuia } from './guia-changes.queries.js';
import { findPilotoAt } from './guia-piloto.queries.js';
import type { GuiaTransaction } from './guia-transaction.js';

/** Hours for which a driver still has a guide that has ended. */
export const ENDED_H = 24;

/** The driver of a guide at a time. @param at ISO 8601; absent: now. */
export async function pilotoAt(
  guia: LockedGuia,
  at: string | undefined,
  tx: GuiaTransaction,
): Promise<string | null> {
  if (at === undefined) return guia.piloto_id;
  const { rows } = await tx.query<{ piloto: string | null }>(findPilotoAt(guia, at));
  return rows[0] ? rows[0].piloto : guia.piloto_id;
}

/**
 * A guide is a driver's while it is assigned to them, or where it was at that time.
 * @param at when the driver did something with it, ISO 8601; absent: now.
 * @throws AppError `no_encontrado`, also once the guide had ended more than `ENDED_H` before.
 */
export async function expectOfPiloto(
  pilotoId: string,
  guia: LockedGuia,
  at: string | undefined,
  tx: GuiaTransaction,
): Promise<void> {
  const isTheirs = guia.piloto_id === pilotoId || (await pilotoAt(guia, at, tx)) === pilotoId;
  if (!isTheirs || isLongEnded(guia, at)) throw noSuchGuia();
}

function isLongEnded({ estado, estado_en }: LockedGuia, at: string | undefined): boolean {
  if (!FINAL_ESTADOS.includes(estado) || estado_en === null) return false;
  const then = at === undefined ? Date.now() : Date.parse(at);
  return then - Date.parse(estado_en) > ENDED_H * 3_600_000;
}
