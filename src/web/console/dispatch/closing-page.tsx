import type { CountryCode } from 'libphonenumber-js';
import { money } from '../../../guias/guia/local-format.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { pageIn, type Form } from '../../../platform/http/form-texts.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import {
  asSum,
  Badge,
  counted,
  Disc,
  grouped,
  Pages,
  Table,
  Tile,
  When,
  weekday,
} from '../../kit/elements.js';
import { Icon } from '../../kit/icon.js';
import { Ask } from '../../kit/post-form.js';
import { Field } from '../../kit/field.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { withQuery } from '../../kit/with-query.js';
import type { StaffUser } from '../admin-access.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import { isOwed, sumsOf } from './carried.js';
import { ClosingDrivers } from './closing-drivers.js';
import { CLOSING, SETTLEMENTS } from '../closing-paths.js';
import { ClosingReview, netOf, SettledAsSeen } from './closing-review.js';
import { EXPORTED_DAYS, type UnsettledMerchantRow } from './closing.queries.js';
import { Pay } from './settlements-page.js';
import type { Cash, Closing } from './closing.service.js';

const PAGE = 50;

/** The lists of the page, each with pages of its own. */
const LISTS = ['pilotos', 'comercios', 'pagos'] as const;

interface ClosingPageProps extends Closing {
  user: StaffUser;
  /** Where amounts are read. */
  country: CountryCode;
  /** The query of the address: the day, and the page of each list. */
  query: Form;
  /** The form that led here, by its path. */
  sent?: { action: string; done: Done<unknown> };
}

type List = (typeof LISTS)[number];

/** A day's close: drivers hand over their cash, merchants' amounts are settled and paid. */
export function renderClosing(props: ClosingPageProps): Promise<string> {
  const { user, dia, isToday, drivers, merchants, unpaid, review, query, sent } = props;
  const pages = Object.fromEntries(LISTS.map((list) => [list, pageIn({ pagina: query[list] })])) as Record<
    List,
    number
  >;
  // Only those that are not the first.
  const kept: Record<string, string> = {
    ...(!isToday && { dia }),
    ...Object.fromEntries(LISTS.filter((list) => pages[list] > 1).map((list) => [list, String(pages[list])])),
  };
  const of = <T,>(list: List, rows: readonly T[]) => rows.slice((pages[list] - 1) * PAGE, pages[list] * PAGE);
  const pager = (list: List, { length }: readonly unknown[]) => (
    <Pages path={CLOSING} query={kept} name={list} page={pages[list]} hasMore={length > pages[list] * PAGE} />
  );
  const typedIn = (action: string) => (sent?.action === action ? sent.done.typed : undefined);
  const shown = drivers.filter(
    ({ activo, abiertas, entregadas, fallidas, lleva, entrego, sin_contar, saldo, cobro }) =>
      activo ||
      (isToday ? abiertas : entregadas + fallidas) > 0 ||
      [lleva, entrego, sin_contar, saldo, cobro].some(({ length }) => length > 0),
  );
  // Who carries money comes first.
  if (isToday) shown.sort((a, b) => Number(b.lleva.length > 0) - Number(a.lleva.length > 0));
  const carrying = isToday
    ? shown.filter(({ lleva }) => lleva.some(({ monto }) => !isOwed(monto))).length
    : 0;
  return renderInTurn(
    <StaffPage
      title="Cierre"
      user={user}
      part={CLOSING}
      outcome={sent?.done.outcome}
      beside={<Day dia={dia} isToday={isToday} zone={timeZoneOf(props.country)} />}
    >
      <Sums {...props} />
      <section class={isToday ? 'card stack caja' : 'card stack'} id="pilotos">
        <div class="row">
          <Disc tone={carrying > 0 ? 'care' : 'off'} icon="money" />
          <h2>{carrying === 0 ? 'Pilotos' : `${counted(carrying, 'piloto')} con dinero`}</h2>
        </div>
        <ClosingDrivers
          {...{ isToday, kept, typedIn, all: shown, days: of('pilotos', shown), country: props.country }}
          isOpen={isToday && !review && sent?.done.typed === undefined}
        />
        {pager('pilotos', shown)}
      </section>
      {isToday && (
        <section class="card stack" id="comercios">
          <div class="row">
            <Disc tone="off" icon="shop" />
            <span class="grow">
              <h2>Comercios por liquidar ({grouped(merchants.length)})</h2>
              <span class="soft">Lo cobrado hasta ahora y sus ajustes pendientes.</span>
            </span>
            <a class="btn small" href={SETTLEMENTS}>
              <Icon name="menu" />
              Liquidaciones
            </a>
          </div>
          <Table
            label="Comercios por liquidar"
            columns={[
              'Comercio',
              ...['Guías', 'Cobrado', 'Ajustes', 'Por liquidar'].map(asSum),
              'Antes de liquidar',
              ['Qué hacer', 'acts'],
            ]}
            empty="Nada por liquidar."
            rows={of('comercios', merchants).map((merchant) => [
              <a href={`/admin/comercios/${merchant.id}`} data-comercio={merchant.id}>
                <b>{merchant.nombre}</b>
              </a>,
              grouped(merchant.guias),
              <Amount of={merchant} amount={merchant.cobrado} />,
              merchant.pendientes > 0 && <Amount of={merchant} amount={merchant.ajustes} />,
              <b>
                <Amount of={merchant} amount={netOf(merchant)} />
              </b>,
              ...settling(merchant, kept, review?.merchant.id),
            ])}
          />
          {pager('comercios', merchants)}
        </section>
      )}
      {review && <ClosingReview review={review} kept={kept} />}
      {isToday && (
        <section class="card stack">
          <div class="row">
            <h2 class="grow">Por pagar ({grouped(unpaid.length)})</h2>
            <a class="btn small" href={`${CLOSING}/liquidaciones.csv`} download>
              Las de {EXPORTED_DAYS} días, también las pagadas (CSV)
            </a>
          </div>
          <Table
            label="Liquidaciones por pagar"
            columns={['Comercio', 'Hasta', ['Guías', 'sum'], ['Monto', 'sum'], ['Qué hacer', 'acts']]}
            empty="Nada por pagar."
            rows={of('pagos', unpaid).map((one) => {
              const { id, nombre, hasta, guias, pais } = one;
              const action = `${CLOSING}/liquidaciones/${id}/pagar`;
              return [
                <a href={`${SETTLEMENTS}/${id}`} data-liquidacion={id}>
                  {nombre}
                </a>,
                <When at={hasta} zone={timeZoneOf(pais)} />,
                <a href={`${CLOSING}/liquidaciones/${id}/guias.csv`} download>
                  {grouped(guias)}{' '}
                  <span class="vh">
                    {guias === 1 ? 'guía' : 'guías'} de {nombre}{' '}
                  </span>
                  (CSV)
                </a>,
                <Amount of={one} amount={netOf(one)} />,
                <Pay action={withQuery(action, kept)} typed={typedIn(action)} />,
              ];
            })}
          />
          {pager('pagos', unpaid)}
        </section>
      )}
    </StaffPage>,
  );
}

function Day({ dia, isToday, zone }: { dia: string; isToday: boolean; zone: string }) {
  const now = new Date().toLocaleTimeString('es', { timeZone: zone, timeStyle: 'short' });
  const before = new Date(Date.parse(dia) - 86_400_000).toISOString();
  return (
    <>
      <span class="soft grow">
        {weekday(Date.parse(dia), 'UTC')}
        {isToday && ` · hoy, ${now}`}
      </span>
      {/* From another day there is no link to the one before: who follows all links would never end. */}
      <a class="btn small" href={isToday ? withQuery(CLOSING, { dia: before.slice(0, 10) }) : CLOSING}>
        {isToday && <Icon name="left" />}
        {isToday ? weekday(Date.parse(before), 'UTC').split(' de ')[0] : 'Hoy'}
      </a>
      <form method="get" action={CLOSING} class="row" aria-label="Otro día">
        <Field label="Día" name="dia" type="date" value={dia} isBare required />
        <button type="submit" class="btn small">
          Ver el día
        </button>
      </form>
      <a class="btn small" href={withQuery(`${CLOSING}/pilotos.csv`, isToday ? {} : { dia })} download>
        <Icon name="download" />
        CSV
      </a>
    </>
  );
}

const Amount = ({ of, amount }: { of: { moneda: string; pais: CountryCode }; amount: string }) => (
  <span class="num">{money(amount, of.moneda, of.pais)}</span>
);

/** Reasons to look at a merchant before settling it, and the link to do so. */
function settling(merchant: UnsettledMerchantRow, kept: Record<string, string>, reviewed?: string) {
  const { id, nombre, guias, distintas, pendientes } = merchant;
  const neto = Number(netOf(merchant));
  if (neto < 0 || (guias === 0 && neto === 0))
    return [
      neto < 0 ? 'Espera: sus ajustes pasan de lo cobrado' : 'Sus ajustes suman 0',
      <a href={`/admin/comercios/${id}#ajustes`}>Ver ajustes</a>,
    ];
  if (distintas + pendientes > 0)
    return [
      distintas > 0 ? (
        <Badge tone="care" icon="alert">
          {grouped(distintas)} con otro monto
        </Badge>
      ) : (
        'Sus ajustes'
      ),
      id === reviewed ? (
        <a href="#liquidar">Revise abajo</a>
      ) : (
        <a class="btn" href={`${withQuery(CLOSING, { ...kept, liquidar: id })}#liquidar`}>
          Liquidar
        </a>
      ),
    ];
  return [
    'Todo cuadra',
    <Ask
      label="Liquidar"
      confirm="Sí, liquidar"
      action={withQuery(`${CLOSING}/comercios/${id}/liquidar`, kept)}
    >
      <p>
        {guias === 1 ? 'Se liquida' : 'Se liquidan'} {counted(guias, 'guía')} de {nombre}. Lo que se corrija
        después va en la siguiente. Ninguna guía tiene otro monto, y no hay ajustes.
      </p>
      <SettledAsSeen merchant={merchant} />
    </Ask>,
  ];
}

type Amounts = Pick<Cash, 'moneda' | 'monto'>[];

/** Drivers' cash, hand-overs and merchants' claims, by currency; today's lead to who has them. */
function Sums({ drivers, merchants, country, isToday }: ClosingPageProps) {
  const all = drivers.flatMap(({ lleva }) => lleva);
  const carried = all.filter(({ monto }) => !isOwed(monto));
  const owed = all.filter(({ monto }) => isOwed(monto));
  const handed = drivers.flatMap(({ entrego }) => entrego);
  const collected = drivers.flatMap(({ cobro }) => cobro.flatMap((cash) => [cash, cash.sin_efectivo]));
  const nets = merchants.map((one) => ({ moneda: one.moneda, monto: netOf(one) }));
  const claims = nets.filter(({ monto }) => Number(monto) > 0);
  const sums: [all: Amounts, tone: Tone, text: (of: number) => string, href?: string][] = isToday
    ? [
        [carried, 'care', (of) => `lo ${of === 1 ? 'lleva' : 'llevan'} ${counted(of, 'piloto')}`, '#pilotos'],
        [owed, 'care', (of) => `por devolver a ${counted(of, 'piloto')}`, '#pilotos'],
        [handed, 'off', () => 'recibido hoy', '#pilotos'],
        [claims, 'off', (of) => `por liquidar a ${counted(of, 'comercio')}`, '#comercios'],
      ]
    : [
        [collected, 'off', () => 'cobrado ese día'],
        [handed, 'off', () => 'recibido ese día'],
      ];
  const tiles = sums.flatMap(([all, tone, text, href]) =>
    sumsOf(all).map(({ moneda, monto, de }) => {
      const sum = money(all === owed ? monto.replace('-', '') : monto, moneda, country);
      return <Tile tone={tone} text={text(de)} count={sum} href={href} />;
    }),
  );
  return tiles.length > 0 && <div class="cols duo">{tiles}</div>;
}
