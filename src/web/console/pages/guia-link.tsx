import { inFours } from '../../../guias/guia/guia-digits.js';

/** The number of a guide, which leads to its page. */
export function GuiaLink({ guia }: { guia: string }) {
  return <a href={`/admin/guias/${guia}`}>{inFours(guia)}</a>;
}
