import { GuiaNumber } from '../../kit/guia.js';

/** The number of a guide, which leads to its page. */
export function GuiaLink({ guia }: { guia: string }) {
  return (
    <a href={`/admin/guias/${guia}`}>
      <GuiaNumber guia={guia} />
    </a>
  );
}

/** A guide by its recipient, above its number. */
export const NamedGuia = ({ guia, nombre }: { guia: string; nombre: string | undefined }) => (
  <>
    <b>{nombre || 'Sin nombre'}</b>
    <br />
    <GuiaLink guia={guia} />
  </>
);
