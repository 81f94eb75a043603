import type { LiquidacionDto } from '../../../cobros/dto/liquidacion.dto.js';
import { MAX } from '../../../guias/guia/limits.js';
import { PAGOS } from '../../../guias/guia/pago.js';
import { money } from '../../../guias/guia/local-format.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { asSum, Badge, counted, Facts, grouped, NextPage, Table, Time, When } from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { Ask } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { withQuery } from '../../kit/with-query.js';
import type { StaffUser } from '../admin-access.js';
import type { Done } from '../audit/audit.service.js';
import { GuiaLink, NamedGuia } from '../pages/guia-link.js';
import { StaffPage } from '../pages/staff-page.js';
import { CLOSING, SETTLEMENTS } from '../closing-paths.js';
import type { Settlement, Settlements } from './settlements.service.js';

export function renderSettlements(user: StaffUser, page: Settlements): Promise<string> {
  const { liquidaciones, siguiente_cursor: cursor, comercio, isUnknown, merchantOf } = page;
  const of = comercio === undefined ? undefined : merchantOf(comercio);
  return renderInTurn(
    <StaffPage
      title={of ? `Liquidaciones de ${of.nombre}` : 'Liquidaciones'}
      user={user}
      back={[CLOSING, 'Cierre']}
      part={CLOSING}
      beside={comercio !== undefined && <a href={SETTLEMENTS}>De todos</a>}
    >
      <Table
        label="Liquidaciones"
        columns={['Comercio', 'Hecha', ...['Guías', 'Cobrado', 'Ajustes', 'Neto'].map(asSum), 'Pago']}
        empty={isUnknown ? 'No existe ese comercio. Búsquelo en Comercios.' : 'Todavía no hay ninguna.'}
        rows={liquidaciones.map((one) => {
          const merchant = merchantOf(one.comercio);
          const pais = merchant?.pais ?? 'GT';
          const amount = (of: unknown) => <span class="num">{money(String(of), one.moneda, pais)}</span>;
          return [
            <a href={`${SETTLEMENTS}/${one.id}`} data-liquidacion={one.id}>
              {merchant?.nombre ?? one.comercio}
            </a>,
            <When at={one.creada_en} zone={timeZoneOf(pais)} />,
            grouped(one.guias),
            amount(one.cobrado),
            Number(one.ajustes) !== 0 && amount(one.ajustes),
            <b>{amount(one.neto)}</b>,
            one.pagada_en === null ? (
              <p>
                <Badge tone="care">por pagar</Badge>
              </p>
            ) : (
              one.referencia_pago
            ),
          ];
        })}
      />
      <NextPage path={SETTLEMENTS} query={comercio ? { comercio } : {}} cursor={cursor} />
    </StaffPage>,
  );
}

/** A settlement: what was paid, how, and of which guides and adjustments it is. */
export function renderSettlement(
  user: StaffUser,
  { liquidacion, merchant, cobros, guias, ajustes, hasAllAjustes }: Settlement,
  done?: Done<undefined>,
): Promise<string> {
  const { id, cobrado, neto, moneda, creada_en } = liquidacion;
  const zone = timeZoneOf(merchant.pais);
  const amount = (of: unknown) => money(String(of), moneda, merchant.pais);
  const path = `${SETTLEMENTS}/${id}`;
  const isPaid = liquidacion.pagada_en !== null;
  return renderInTurn(
    <StaffPage
      title={`Liquidación de ${merchant.nombre}`}
      user={user}
      back={[withQuery(SETTLEMENTS, { comercio: merchant.id }), 'Sus liquidaciones']}
      part={CLOSING}
      outcome={done?.outcome}
      beside={
        <>
          <span class="soft grow">
            <Time at={creada_en} zone={zone} />
          </span>
          <button type="button" class="btn small" data-imprimir hidden>
            <Icon name="print" />
            Imprimir
          </button>
          <a class="btn small" href={`${CLOSING}/liquidaciones/${id}/guias.csv`} download>
            <Icon name="download" />
            CSV
          </a>
        </>
      }
    >
      <div class="split">
        <div>
          <section class="card ticket" aria-label="Dinero" data-liquidacion={id}>
            <div class="row">
              <div>
                <span class="soft">Le {isPaid ? 'tocaron' : 'tocan'}</span>
                <div class="amount num">{amount(neto)}</div>
              </div>
              <span class="end">
                <Badge tone={isPaid ? 'good' : 'care'} icon={isPaid ? 'check' : 'clock'}>
                  {isPaid ? 'Pagada' : 'Por pagar'}
                </Badge>
              </span>
            </div>
            <Facts
              facts={[
                ['Comercio', <a href={`/admin/comercios/${merchant.id}`}>{merchant.nombre}</a>],
                ['Cobrado', <span class="num">{amount(cobrado)}</span>],
                ['Ajustes', <span class="num">{amount(liquidacion.ajustes)}</span>],
                ['Neto', <b class="num">{amount(neto)}</b>],
                ['Id', id],
              ]}
            />
          </section>
          <Payment liquidacion={liquidacion} path={path} zone={zone} typed={done?.typed} />
          <section class="card stack">
            <h2>
              {hasAllAjustes ? counted(ajustes.ajustes.length, 'ajuste') : 'Ajustes'},{' '}
              <span class="num">{amount(liquidacion.ajustes)}</span>
            </h2>
            <Table
              label="Ajustes"
              columns={['Por qué', 'Guía', 'Hecho', ['Monto', 'sum']]}
              empty="No tiene."
              rows={ajustes.ajustes.map(({ motivo, guia, creado_en, monto }) => [
                motivo,
                guia !== null && <GuiaLink guia={guia} />,
                <When at={creado_en} zone={zone} />,
                <span class="num">{amount(monto)}</span>,
              ])}
            />
            <NextPage path={path} cursor={ajustes.siguiente_cursor} name="ajustes" />
          </section>
        </div>
        <section class="card stack">
          <h2>
            {counted(liquidacion.guias, 'guía')}, <span class="num">{amount(cobrado)}</span>
          </h2>
          <Table
            label="Guías"
            columns={['Destinatario y guía', 'Entregada', 'Cómo pagó', ['Debía', 'sum'], ['Cobrado', 'sum']]}
            empty="No tiene."
            rows={cobros.cobros.map(({ guia, cobrado_en, pago, cod_amount, cod_cobrado, liquidado }) => [
              <NamedGuia guia={guia} nombre={guias.get(guia)?.destinatario} />,
              cobrado_en !== null && <When at={cobrado_en} zone={zone} />,
              pago !== null && PAGOS[pago],
              <span class="num">{amount(cod_amount)}</span>,
              <>
                <Collected due={amount(cod_amount)} got={amount(liquidado)} />
                {String(liquidado) !== String(cod_cobrado) && (
                  <p class="t2">
                    hoy <span class="num">{amount(cod_cobrado)}</span>
                  </p>
                )}
              </>,
            ])}
          />
          <NextPage path={path} cursor={cobros.siguiente_cursor} />
        </section>
      </div>
    </StaffPage>,
  );
}

function Collected({ due, got }: { due: string; got: string }) {
  if (due === got) return <span class="num">{got}</span>;
  return (
    <Badge tone="care" icon="alert">
      <span class="num">{got}</span>
    </Badge>
  );
}

interface PayProps {
  action: string;
  typed: TypedForm | undefined;
  isMain?: boolean;
}

/** Registers the payment of a settlement. */
export function Pay({ action, typed, isMain = false }: PayProps) {
  return (
    <Ask
      label="Pagar"
      confirm="Registrar el pago"
      action={action}
      isOpen={typed !== undefined}
      isMain={isMain}
    >
      <Field
        label="Referencia del pago: transferencia, boleta"
        name="referencia_pago"
        typed={typed}
        required
        maxLength={MAX.referencia_pago}
      />
    </Ask>
  );
}

interface PaymentProps {
  liquidacion: LiquidacionDto;
  path: string;
  zone: string;
  typed: TypedForm | undefined;
}

/** How it was paid; a wrong reference can be corrected. */
function Payment({ liquidacion: { pagada_en, referencia_pago }, path, zone, typed }: PaymentProps) {
  if (pagada_en === null)
    return (
      <section class="card stack">
        <h2>Pago</h2>
        <Pay action={`${path}/pagar`} typed={typed} isMain />
      </section>
    );
  return (
    <section class="card stack">
      <h2>Pago</h2>
      <Facts
        facts={[
          ['Pagada', <Time at={pagada_en} zone={zone} />],
          ['Referencia', <b>{referencia_pago}</b>],
        ]}
      />
      <Ask
        label="Corregir la referencia"
        confirm="Guardar la referencia"
        action={`${path}/referencia`}
        isOpen={typed !== undefined}
      >
        <Field
          label="Referencia"
          name="referencia_pago"
          value={referencia_pago ?? ''}
          typed={typed}
          required
          maxLength={MAX.referencia_pago}
        />
        <p class="soft">La anterior queda en la auditoría, con su nombre.</p>
      </Ask>
    </section>
  );
}
