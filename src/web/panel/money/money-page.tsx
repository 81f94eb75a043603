import { COBRO_ESTADO_NAMES, type CobroEstado } from '../../../cobros/cobro-estado.js';
import type { AjusteDto } from '../../../cobros/dto/ajuste.dto.js';
import type { CobroDto } from '../../../cobros/dto/cobro.dto.js';
import type { LiquidacionDto } from '../../../cobros/dto/liquidacion.dto.js';
import type { FieldError } from '../../../platform/errors/app-error.js';
import {
  asSum,
  Badge,
  counted,
  dayName,
  grouped,
  NavLinks,
  NextPage,
  Table,
  Time,
} from '../../kit/elements.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { renderPage } from '../../kit/page.js';
import { PAGOS, USUAL_PAGO } from '../../../guias/guia/pago.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { withQuery } from '../../kit/with-query.js';
import type { PageOf } from '../../../platform/pagination/page.js';
import { GuiaLink, PanelPage } from '../pages/panel-page.js';
import { amountIn, type Visit } from '../visit.js';
import type { PendingRow } from '../../../cobros/pending-money.queries.js';
import type { DayRow } from './money.queries.js';

const ESTADOS: Record<CobroEstado, [name: string, tone: Tone]> = {
  por_cobrar: ['Por cobrar', 'off'],
  cobrado: ['Cobrado, por pagarle', 'care'],
  liquidado: ['En una liquidación', 'good'],
  sin_cobro: ['Sin cobro', 'off'],
};

const COBROS = '/panel/cobros';
const LIQUIDACIONES = '/panel/liquidaciones';

interface CobrosPageProps extends PageOf<'cobros', CobroDto> {
  visit: Visit;
  days: DayRow[];
  pending: PendingRow;
  adjusted: PageOf<'ajustes', AjusteDto>;
  /** The filters, as they stand in the address. */
  query: Record<string, string>;
  faults: readonly FieldError[];
}

/** Due and collected amounts: by day, and guide by guide. */
export function renderCobros(props: CobrosPageProps): string {
  const { visit, days, pending, adjusted, cobros, siguiente_cursor: cursor, query, faults } = props;
  return renderPage(
    <PanelPage
      title="Cobros"
      visit={visit}
      part={COBROS}
      isWide
      refusal={faults.length > 0 ? { fields: query, faults, notice: '' } : undefined}
    >
      <MoneyTabs current={COBROS} />
      <Pending visit={visit} pending={pending} adjusted={adjusted} />
      <section class="card stack">
        <h2>Cobrado por día</h2>
        <Table
          label="Cobrado por día"
          columns={['Día', ['Guías', 'sum'], ['Cobrado', 'sum'], ['Diferencia', 'sum']]}
          empty="En las últimas dos semanas no se cobró nada."
          rows={days.map(({ dia, guias, cobrado, diferencia }) => [
            <a href={withQuery(COBROS, { desde: dia, hasta: dia })}>{dayName(dia)}</a>,
            grouped(guias),
            <b class="num">{amountIn(visit, cobrado)}</b>,
            Number(diferencia) !== 0 && <Badge tone="care">{amountIn(visit, diferencia)}</Badge>,
          ])}
        />
      </section>
      <section class="stack" aria-labelledby="guias">
        <h2 id="guias">Guía por guía</h2>
        <Filters typed={{ fields: query, faults }} />
        <p>
          <a class="btn" href={withQuery(`${COBROS}/csv`, query)}>
            Descargar CSV
          </a>
        </p>
        <CobrosTable visit={visit} cobros={cobros} />
        <NextPage path={COBROS} query={query} cursor={cursor} />
      </section>
    </PanelPage>,
  );
}

/** The next settlement: amounts collected, and adjustments with their reasons. */
function Pending({ visit, pending, adjusted }: Pick<CobrosPageProps, 'visit' | 'pending' | 'adjusted'>) {
  const { ajustes, siguiente_cursor: more } = adjusted;
  return (
    <section class="card stack" id="pendiente">
      <h2>Pendiente de liquidarle</h2>
      <p class="amount num">{amountIn(visit, pending.neto)}</p>
      <p>
        {grouped(pending.guias)} {pending.guias === 1 ? 'guía cobrada' : 'guías cobradas'},{' '}
        <span class="num">{amountIn(visit, pending.cobrado)}</span>; ajustes,{' '}
        <span class="num">{amountIn(visit, pending.ajustes)}</span>.
      </p>
      {ajustes.length > 0 && <AjustesTable visit={visit} ajustes={ajustes} />}
      {more !== null && <p class="soft">Hay más: aquí están los {grouped(ajustes.length)} más recientes.</p>}
    </section>
  );
}

function AjustesTable({ visit, ajustes }: { visit: Visit; ajustes: AjusteDto[] }) {
  return (
    <Table
      label="Ajustes"
      columns={['Por qué', 'Guía', 'Cuándo', ['Monto', 'sum']]}
      rows={ajustes.map(({ motivo, guia, creado_en, monto }) => [
        motivo,
        guia !== null && <GuiaLink guia={guia} />,
        <Time at={creado_en} zone={visit.zone} />,
        <span class="num">{amountIn(visit, monto)}</span>,
      ])}
    />
  );
}

function MoneyTabs({ current }: { current: string }) {
  const links = [[COBROS, 'Cobros'] as const, [LIQUIDACIONES, 'Liquidaciones'] as const];
  return <NavLinks label="Dinero" links={links} current={current} />;
}

const ESTADO_OPTIONS = COBRO_ESTADO_NAMES.map((one) => [one, ESTADOS[one][0]] as const);

function Filters({ typed }: { typed: TypedForm }) {
  return (
    <form method="get" action={COBROS} class="row" aria-label="Filtros">
      <Field label="Estado" name="estado" typed={typed} options={[['', 'Todos'], ...ESTADO_OPTIONS]} />
      <Field label="Cobrado desde" name="desde" type="date" typed={typed} />
      <Field label="hasta" name="hasta" type="date" typed={typed} />
      <button type="submit" class="btn">
        Ver
      </button>
    </form>
  );
}

function CobrosTable({ visit, cobros }: { visit: Visit; cobros: CobroDto[] }) {
  return (
    <Table
      label="Cobros"
      columns={['Guía', 'Pedido', ['Por cobrar', 'sum'], ['Cobrado', 'sum'], 'Cuándo', 'Estado']}
      rows={cobros.map((cobro) => [
        <GuiaLink guia={cobro.guia} />,
        cobro.external_ref,
        <span class="num">{amountIn(visit, cobro.cod_amount)}</span>,
        <Collected cobro={cobro} visit={visit} />,
        cobro.cobrado_en !== null && <Time at={cobro.cobrado_en} zone={visit.zone} />,
        <Badge tone={ESTADOS[cobro.estado][1]}>{ESTADOS[cobro.estado][0]}</Badge>,
      ])}
    />
  );
}

/** A collected amount, and how it was paid where not in cash. */
function Collected({ cobro: { cod_cobrado, pago, liquidado }, visit }: { cobro: CobroDto; visit: Visit }) {
  if (cod_cobrado === null) return null;
  if (pago === 'directo') return <span class="soft t2">se le pagó a usted</span>;
  return (
    <>
      <b class="num">{amountIn(visit, cod_cobrado)}</b>
      {pago !== null && pago !== USUAL_PAGO && <span class="soft t2"> {PAGOS[pago]}</span>}
      {liquidado !== null && String(liquidado) !== String(cod_cobrado) && (
        <p class="t2">liquidado {amountIn(visit, liquidado)}</p>
      )}
    </>
  );
}

/** The merchant's settlements, and whether each is paid. */
export function renderLiquidaciones(
  visit: Visit,
  { liquidaciones, siguiente_cursor: cursor }: PageOf<'liquidaciones', LiquidacionDto>,
): string {
  return renderPage(
    <PanelPage title="Liquidaciones" visit={visit} part={COBROS} isWide>
      <MoneyTabs current={LIQUIDACIONES} />
      <Table
        label="Liquidaciones"
        columns={[
          'Hecha',
          'Desde',
          'Hasta',
          ...['Guías', 'Cobrado', 'Ajustes', 'Neto'].map(asSum),
          'Pago',
          ['Detalle', 'acts'],
        ]}
        empty="Todavía no hay ninguna. Lo cobrado se ve en Cobros."
        rows={liquidaciones.map((one) => [
          <Time at={one.creada_en} zone={visit.zone} />,
          <Time at={one.desde} zone={visit.zone} />,
          <Time at={one.hasta} zone={visit.zone} />,
          grouped(one.guias),
          <span class="num">{amountIn(visit, one.cobrado)}</span>,
          Number(one.ajustes) !== 0 && <span class="num">{amountIn(visit, one.ajustes)}</span>,
          <b class="num">{amountIn(visit, one.neto)}</b>,
          <Payment liquidacion={one} visit={visit} />,
          <>
            <a href={`${LIQUIDACIONES}/${one.id}`}>Ver</a> <a href={`${LIQUIDACIONES}/${one.id}/csv`}>CSV</a>
          </>,
        ])}
      />
      <NextPage path={LIQUIDACIONES} cursor={cursor} />
    </PanelPage>,
  );
}

function Payment({ visit, liquidacion }: { visit: Visit; liquidacion: LiquidacionDto }) {
  const { pagada_en, referencia_pago } = liquidacion;
  if (pagada_en === null) return <Badge tone="care">por pagar</Badge>;
  return (
    <>
      <Badge tone="good">pagada</Badge> <Time at={pagada_en} zone={visit.zone} /> {referencia_pago}
    </>
  );
}

/** The guides and adjustments of a settlement. */
export function renderLiquidacion(
  visit: Visit,
  liquidacion: LiquidacionDto,
  { cobros, siguiente_cursor: cursor }: PageOf<'cobros', CobroDto>,
  { ajustes, siguiente_cursor: more }: PageOf<'ajustes', AjusteDto>,
): string {
  const path = `${LIQUIDACIONES}/${liquidacion.id}`;
  return renderPage(
    <PanelPage title="Liquidación" visit={visit} part={COBROS} back={[LIQUIDACIONES, 'Liquidaciones']} isWide>
      <div class="split">
        <section class="card ticket" aria-label="Monto">
          <div>
            <span class="soft">Le tocaron</span>
            <div class="amount">{amountIn(visit, liquidacion.neto)}</div>
          </div>
          <dl class="facts">
            <dt>Cobrado</dt>
            <dd class="num sum">{amountIn(visit, liquidacion.cobrado)}</dd>
            <dt>Ajustes</dt>
            <dd class="num sum">{amountIn(visit, liquidacion.ajustes)}</dd>
            <dt>Neto</dt>
            <dd class="num sum">{amountIn(visit, liquidacion.neto)}</dd>
          </dl>
          <p>
            {counted(liquidacion.guias, 'guía')} · <Payment visit={visit} liquidacion={liquidacion} />
          </p>
        </section>
        {ajustes.length > 0 && (
          <section class="card stack">
            <h2>Ajustes</h2>
            <AjustesTable visit={visit} ajustes={ajustes} />
            <NextPage path={path} cursor={more} name="ajustes" />
          </section>
        )}
      </div>
      <p>
        <a class="btn" href={`${path}/csv`}>
          Descargar CSV
        </a>
      </p>
      <CobrosTable visit={visit} cobros={cobros} />
      <NextPage path={path} cursor={cursor} />
    </PanelPage>,
  );
}
