import type { Comercio } from '../../../auth/merchants/comercio.entity.js';
import { money } from '../../../guias/guia/local-format.js';
import { MAX_COUNTED } from '../../../support/closing/closings.service.js';
import { atMost, Badge, Time, type Fact } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import type { MerchantClosing } from './merchant-closing.service.js';

type Closable = Pick<Comercio, 'cerrado_en'>;

/** Beside the name of a merchant that is closed. */
export const closedBadge = ({ cerrado_en }: Closable) =>
  cerrado_en !== null && <Badge tone="off">cerrado</Badge>;

/** Since when a merchant is closed, and by whom; nothing while it is open. */
export function closedFacts(
  { cerrado_en, cerrado_por, cierre_hecho_en }: Closable & Pick<Comercio, 'cerrado_por' | 'cierre_hecho_en'>,
  zone: string,
): Fact[] {
  if (cerrado_en === null) return [];
  return [
    [
      'Cerrado',
      <>
        <Time at={cerrado_en.toISOString()} zone={zone} />
        {cerrado_por !== null && `, por ${cerrado_por}`}
        {cierre_hecho_en === null && '; todavía se cancelan guías'}
      </>,
    ],
  ];
}

const guiasIn = (count: number) => `${atMost(count, MAX_COUNTED)} ${count === 1 ? 'guía' : 'guías'}`;

/** Closes a merchant, after it has said what that means; or opens it again. @param closing null where that could not be read. */
export function ClosingBox({ merchant, closing }: { merchant: Comercio; closing: MerchantClosing | null }) {
  const path = `/admin/comercios/${merchant.id}`;
  if (closing === null)
    return (
      <section class="card stack">
        <h2>{merchant.cerrado_en === null ? 'El comercio deja de trabajar' : 'El comercio está cerrado'}</h2>
        <p>No se pudo contar lo que tiene pendiente. Cargue la página otra vez.</p>
      </section>
    );
  const { canceladas, siguen } = closing;
  const porLiquidar = money(closing.porLiquidar, merchant.moneda, merchant.pais);
  if (merchant.cerrado_en !== null)
    return (
      <section class="card stack">
        <h2>El comercio está cerrado</h2>
        <p>
          Sus claves solo leen. Siguen hasta su fin: {guiasIn(siguen)}. Por liquidar: {porLiquidar}.
        </p>
        <Ask label="Reabrir" icon="back" confirm="Sí, reabrirlo" action={`${path}/reabrir`}>
          <p>
            Sus claves vuelven a crear y cambiar guías. Lo que se canceló sigue cancelado, y sus endpoints,
            desactivados hasta que alguien los active.
          </p>
        </Ask>
      </section>
    );
  return (
    <section class="card stack">
      <h2>El comercio deja de trabajar</h2>
      <Ask label="Cerrar" isRisk confirm="Sí, cerrarlo" action={`${path}/cerrar`}>
        <p>Esto pasa con {merchant.nombre}:</p>
        <ul>
          <li>Se cancelan, porque no se han recogido: {guiasIn(canceladas)}.</li>
          <li>
            Siguen hasta su fin, con la mensajería: {guiasIn(siguen)}. A sus destinatarios se les escribe como
            siempre.
          </li>
          <li>Por liquidar: {porLiquidar}.</li>
          <li>
            Sus claves, también las de prueba, solo leen; no se hacen otras. Terminan las sesiones de su
            panel, y sus endpoints cuando hayan recibido estas cancelaciones.
          </li>
        </ul>
        <p>
          Reabrirlo no devuelve lo cancelado. Sus datos se entregan con{' '}
          <code>npm run guias -- merchants export {merchant.id} CARPETA</code>.
        </p>
      </Ask>
    </section>
  );
}
