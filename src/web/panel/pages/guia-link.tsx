import { inFours } from '../../../guias/guia-digits.js';

/** The number of a guide, which leads to its page. */
export function GuiaLink({ guia }: { guia: string }) {
  return (
    <a class="num" href={`/panel/guias/${guia}`}>
      {inFours(guia)}
    </a>
  );
}
