import type { QueryConfig } from 'pg';
import { firstIdAt } from '../../../database/row-id.js';
import { textTypes } from '../../../database/text-types.js';
import { DETAILED } from '../../../guias/guia-row.js';

/** Guides to one phone that are compared with a new one. */
const MAX_COMPARED = 20;

/**
 * A merchant's newest guides to a phone, without a reference and not cancelled. The index is of the reversed phone.
 * @param since ms, when the oldest was made
 */
export function newGuiasTo(comercioId: string, telefono: string, since: number): QueryConfig {
  const text = `select ${DETAILED} from guias where comercio_id = $1 and reverse(telefono) = reverse($2)
    and id >= $3 and external_ref is null and estado <> 'cancelado'
    order by id desc limit ${MAX_COMPARED}`;
  return { text, values: [comercioId, telefono, firstIdAt(since)], types: textTypes };
}
