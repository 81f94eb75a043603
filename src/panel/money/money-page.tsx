import { COBRO_ESTADO_NAMES, type CobroEstado } from '../../cobros/cobro-estado.js';
import type { CobroDto } from '../../cobros/dto/cobro.dto.js';
import type { LiquidacionDto } from '../../cobros/dto/liquidacion.dto.js';
import { inFours } from '../../guias/guia-numero.js';
import { money } from '../../guias/local-format.js';
import { Badge, dayName, grouped, Table, Time } from '../../html/elements.js';
import { Field } from '../../html/field.js';
import { renderPage } from '../../html/page.js';
import type { Tone } from '../../html/tone.js';
import { withQuery } from '../../html/with-query.js';
import type { Form } from '../../http/form-texts.js';
import type { Refusal } from '../forms/panel-forms.service.js';
import { PanelPage } from '../pages/panel-page.js';
import type { Visit } from '../visit.js';
import type { DayRow } from './money.queries.js';

/** States of an amount, for people. */
const ESTADOS: Record<CobroEstado, [name: string, tone: Tone]> = {
  por_cobrar: ['Por cobrar', 'off'],
  cobrado: ['Cobrado, por pagarle', 'care'],
  liquidado: ['En una liquidación', 'good'],
  sin_cobro: ['Sin cobro', 'off'],
};

const COBROS = '/panel/cobros';
const LIQUIDACIONES = '/panel/liquidaciones';

interface CobrosPageProps {
  visit: Visit;
  days: DayRow[];
  cobros: CobroDto[];
  nextCursor: string | null;
  /** The filters, as they stand in the address. */
  query: Record<string, string>;
  faults: Refusal['faults'];
}

/** What is due and what was collected: by day, and guide by guide. */
export function renderCobros(props: CobrosPageProps): string {
  const { visit, days, cobros, nextCursor, query, faults } = props;
  const amount = amountOf(visit);
  return renderPage(
    <PanelPage title="Cobros" visit={visit} part={COBROS}>
      <section class="panel" aria-labelledby="dias">
        <h2 id="dias">Cobrado por día</h2>
        <Table
          label="Cobrado por día"
          columns={['Día', 'Guías', 'Cobrado', 'Diferencia']}
          empty="En las últimas dos semanas no se cobró nada."
          rows={days.map(({ dia, guias, cobrado, diferencia }) => [
            <a href={withQuery(COBROS, { desde: dia, hasta: dia })}>{dayName(dia)}</a>,
            grouped(guias),
            <b class="num">{amount(cobrado)}</b>,
            Number(diferencia) !== 0 && <Badge tone="care">{amount(diferencia)}</Badge>,
          ])}
        />
      </section>
      <section aria-labelledby="guias">
        <h2 id="guias">Guía por guía</h2>
        <Filters query={query} faults={faults} />
        <p>
          <a class="button" href={withQuery(`${COBROS}/csv`, query)}>
            Descargar CSV
          </a>
        </p>
        <CobrosTable visit={visit} cobros={cobros} />
        <Next path={COBROS} query={query} cursor={nextCursor} />
      </section>
    </PanelPage>,
  );
}

function Filters({ query, faults }: { query: Form; faults: Refusal['faults'] }) {
  return (
    <form method="get" action={COBROS} class="filter start" aria-label="Filtros">
      <Field label="Estado" name="estado" faults={faults}>
        {(attributes) => (
          <select {...attributes}>
            <option value="">Todos</option>
            {COBRO_ESTADO_NAMES.map((one) => (
              <option value={one} selected={one === query.estado}>
                {ESTADOS[one][0]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label="Cobrado desde" name="desde" type="date" value={query.desde} faults={faults} />
      <Field label="hasta" name="hasta" type="date" value={query.hasta} faults={faults} />
      <button type="submit">Ver</button>
    </form>
  );
}

function CobrosTable({ visit, cobros }: { visit: Visit; cobros: CobroDto[] }) {
  const amount = amountOf(visit);
  return (
    <Table
      label="Cobros"
      columns={['Guía', 'Pedido', 'Por cobrar', 'Cobrado', 'Cuándo', 'Estado']}
      rows={cobros.map((cobro) => [
        <a class="num" href={`/panel/guias/${cobro.guia}`}>
          {inFours(cobro.guia)}
        </a>,
        cobro.external_ref,
        <span class="num">{amount(cobro.cod_amount.toString())}</span>,
        cobro.cod_cobrado !== null && <b class="num">{amount(cobro.cod_cobrado.toString())}</b>,
        cobro.cobrado_en !== null && <Time at={cobro.cobrado_en} zone={visit.zone} />,
        <Badge tone={ESTADOS[cobro.estado][1]}>{ESTADOS[cobro.estado][0]}</Badge>,
      ])}
    />
  );
}

interface LiquidacionesPageProps {
  visit: Visit;
  liquidaciones: LiquidacionDto[];
  nextCursor: string | null;
}

/** What was settled with the merchant, and whether it is paid. */
export function renderLiquidaciones({ visit, liquidaciones, nextCursor }: LiquidacionesPageProps): string {
  return renderPage(
    <PanelPage title="Liquidaciones" visit={visit} part={LIQUIDACIONES}>
      <Table
        label="Liquidaciones"
        columns={['Hecha', 'Cobrado desde', 'hasta', 'Guías', 'Monto', 'Pago', 'Detalle']}
        empty="Todavía no hay ninguna. Lo cobrado se ve en Cobros."
        rows={liquidaciones.map((one) => [
          <Time at={one.creada_en} zone={visit.zone} />,
          <Time at={one.desde} zone={visit.zone} />,
          <Time at={one.hasta} zone={visit.zone} />,
          grouped(one.guias),
          <b class="num">{amountOf(visit)(one.cobrado.toString())}</b>,
          <Payment liquidacion={one} visit={visit} />,
          <>
            <a href={`${LIQUIDACIONES}/${one.id}`}>Ver</a> <a href={`${LIQUIDACIONES}/${one.id}/csv`}>CSV</a>
          </>,
        ])}
      />
      <Next path={LIQUIDACIONES} query={{}} cursor={nextCursor} />
    </PanelPage>,
  );
}

function Payment({ visit, liquidacion: { pagada_en, referencia_pago } }: PaymentProps) {
  if (pagada_en === null) return <Badge tone="care">por pagar</Badge>;
  return (
    <>
      <Badge tone="good">pagada</Badge> <Time at={pagada_en} zone={visit.zone} /> {referencia_pago}
    </>
  );
}

interface PaymentProps {
  visit: Visit;
  liquidacion: LiquidacionDto;
}

interface LiquidacionPageProps extends PaymentProps {
  cobros: CobroDto[];
  nextCursor: string | null;
}

/** The guides of a settlement. */
export function renderLiquidacion({ visit, liquidacion, cobros, nextCursor }: LiquidacionPageProps): string {
  const path = `${LIQUIDACIONES}/${liquidacion.id}`;
  return renderPage(
    <PanelPage title="Liquidación" visit={visit} part={LIQUIDACIONES}>
      <section class="panel" aria-label="Monto">
        <p class="amount">{amountOf(visit)(liquidacion.cobrado.toString())}</p>
        <p>
          {grouped(liquidacion.guias)} {liquidacion.guias === 1 ? 'guía' : 'guías'} ·{' '}
          <Payment visit={visit} liquidacion={liquidacion} />
        </p>
        <a class="button" href={`${path}/csv`}>
          Descargar CSV
        </a>
      </section>
      <CobrosTable visit={visit} cobros={cobros} />
      <Next path={path} query={{}} cursor={nextCursor} />
    </PanelPage>,
  );
}

interface NextProps {
  path: string;
  query: Record<string, string>;
  /** Null on the last page. */
  cursor: string | null;
}

function Next({ path, query, cursor }: NextProps) {
  if (cursor === null) return null;
  return (
    <nav aria-label="Páginas">
      <a href={withQuery(path, { ...query, cursor })}>Siguientes</a>
    </nav>
  );
}

const amountOf =
  ({ merchant }: Visit) =>
  (amount: string) =>
    money(amount, merchant.currency, merchant.country);
