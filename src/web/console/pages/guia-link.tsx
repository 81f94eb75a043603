import { GuiaNumber } from '../../kit/guia.js';

/** The number of a guide, which leads to its page. */
export function GuiaLink({ guia }: { guia: string }) {
  return (
    <a href={`/admin/guias/${guia}`}>
      <GuiaNumber guia={guia} />
    </a>
  );
}
