import { sumOf } from '../../../cobros/exact-amounts.js';
import { money } from '../../../guias/guia/local-format.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { asSum, Badge, counted, Disc, grouped, Table, When } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { Hidden, PostForm } from '../../kit/post-form.js';
import { withQuery } from '../../kit/with-query.js';
import { GuiaLink, NamedGuia } from '../pages/guia-link.js';
import { CLOSING } from '../closing-paths.js';
import type { UnsettledMerchantRow } from './closing.queries.js';
import type { Review } from './closing.service.js';

/** Amount of the merchant's next payment. */
export const netOf = ({ cobrado, ajustes }: { cobrado: string; ajustes: string }) => sumOf(cobrado, ajustes);

/** Settles the sum that the page showed, and no other. */
export function SettledAsSeen({ merchant }: { merchant: UnsettledMerchantRow }) {
  // A millisecond more: the database rounds its times.
  const hasta = new Date(merchant.leido_en.getTime() + 1).toISOString();
  return <Hidden fields={{ hasta, neto: netOf(merchant) }} />;
}

/** Amounts that differ and adjustments, to be looked at before a merchant is settled. */
export function ClosingReview({ review, kept }: { review: Review; kept: Record<string, string> }) {
  const { merchant, differing, ajustes } = review;
  const { id, nombre, pais, moneda, guias, distintas, pendientes } = merchant;
  const amount = (text: string) => money(text, moneda, pais);
  const neto = amount(netOf(merchant));
  const same = guias - distintas;
  const hidden = distintas - differing.length + pendientes - ajustes.length;
  return (
    <section class="card stack" id="liquidar" data-liquidar={id}>
      <div class="row">
        <Disc tone="care" icon="alert" />
        <span class="grow">
          <h2>
            Liquidar {nombre}: revise antes {counted(distintas, 'monto')} y {counted(pendientes, 'ajuste')}
          </h2>
          <span class="soft">
            {distintas === 0
              ? 'Ninguna guía tiene otro monto.'
              : `Con el monto completo: ${counted(same, 'guía')}.`}
            {pendientes === 0 && ' No hay ajustes.'}
          </span>
        </span>
      </div>
      <Table
        label={`Antes de liquidar ${nombre}`}
        columns={[
          'Guía o ajuste',
          ...['Debía', 'Cobró', 'Cambia'].map(asSum),
          'Por qué',
          ['Qué hacer', 'acts'],
        ]}
        empty="Nada que revisar."
        rows={[
          ...differing.map(({ guia, nombre: destinatario, debia, cobro, piloto, nota }) => [
            <NamedGuia guia={guia} nombre={destinatario} />,
            <span class="num">{amount(debia)}</span>,
            <span class="num">{amount(cobro)}</span>,
            <Badge tone="care" icon="alert">
              <span class="num">
                {Number(cobro) > Number(debia) && '+'}
                {amount(sumOf(cobro, negated(debia)))}
              </span>
            </Badge>,
            [piloto, nota && `«${nota}»`].filter(Boolean).join(': '),
            <a class="btn" href={`/admin/guias/${guia}`}>
              <Icon name="pen" />
              Corregir
            </a>,
          ]),
          ...ajustes.map((ajuste) => [
            <>
              <b>Ajuste</b>
              <p class="soft t2">
                <When at={ajuste.creado_en} zone={timeZoneOf(pais)} />
              </p>
              {ajuste.guia !== null && <GuiaLink guia={ajuste.guia} />}
            </>,
            null,
            null,
            <span class="num">{amount(ajuste.monto.toString())}</span>,
            ajuste.motivo,
            <a class="btn" href={`/admin/comercios/${id}#ajustes`}>
              Ver
            </a>,
          ]),
        ]}
      />
      {hidden > 0 && <p class="soft">Y {grouped(hidden)} más, que no caben aquí.</p>}
      <PostForm action={withQuery(`${CLOSING}/comercios/${id}/liquidar`, kept)}>
        <SettledAsSeen merchant={merchant} />
        <div class="row">
          <span class="grow">
            {counted(guias, 'guía')} {amount(merchant.cobrado)}, ajustes {amount(merchant.ajustes)}:{' '}
            <b>le tocan {neto}</b>
          </span>
          <a href={withQuery(CLOSING, kept)}>Dejarlo para después</a>
          <button type="submit" class="btn main">
            <Icon name="check" />
            Liquidar {neto}
          </button>
        </div>
      </PostForm>
    </section>
  );
}

const negated = (amount: string) => (amount.startsWith('-') ? amount.slice(1) : `-${amount}`);
