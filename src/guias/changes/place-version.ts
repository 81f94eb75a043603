import { createHash } from 'node:crypto';
import type { CurrentGuia } from './guia-changes.queries.js';

/** Characters of a version: enough to tell the places of one guide from each other. */
const LENGTH = 12;

/**
 * Names the known place of a guide, so that an answer can say on which one it was given; empty where none is shown. It tells
 * of the point alone: the same point saved again is the same place.
 */
export function placeVersion({
  direccion_confirmada,
  destino_lat,
  destino_lng,
}: Pick<CurrentGuia, 'direccion_confirmada' | 'destino_lat' | 'destino_lng'>): string {
  if (!direccion_confirmada || destino_lat === null || destino_lng === null) return '';
  return createHash('sha256').update(`${destino_lat},${destino_lng}`).digest('base64url').slice(0, LENGTH);
}
