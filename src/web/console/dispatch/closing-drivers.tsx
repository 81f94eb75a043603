import type { CountryCode } from 'libphonenumber-js';
import { MAX } from '../../../guias/guia/limits.js';
import { money } from '../../../guias/guia/local-format.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { Ago, asSum, Badge, grouped, Table } from '../../kit/elements.js';
import { Ask, Hidden } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { withQuery } from '../../kit/with-query.js';
import { balanceText, carriedText, differenceText, isOwed, sumsOf } from './carried.js';
import { CLOSING } from '../closing-paths.js';
import type { Cash, ClosedDay } from './closing.service.js';
import { DRIVERS } from './dispatch-page.js';

interface ClosingDriversProps {
  /** Of a page. */
  days: readonly ClosedDay[];
  /** Of all pages: the last row has their sums. */
  all: readonly ClosedDay[];
  isToday: boolean;
  /** Whether the first form is shown open. */
  isOpen: boolean;
  country: CountryCode;
  /** The query of the address. */
  kept: Record<string, string>;
  /** The form that was sent to a path and not done. */
  typedIn: (action: string) => TypedForm | undefined;
}

const amount = ({ monto, texto }: Cash) => Number(monto) !== 0 && <div class="num">{texto}</div>;

/** Drivers' deliveries of the day, their cash and their debts; on a day before today, without buttons. */
export function ClosingDrivers({ days, all, isToday, isOpen, country, kept, typedIn }: ClosingDriversProps) {
  const sums = [
    ...['Entregadas', 'No se pudo', 'Efectivo', 'Tarjeta o transf.'],
    ...(isToday ? ['Lleva'] : []),
    ...['Recibido', 'Diferencia', 'Saldo'],
  ];
  const first = isOpen && days.find(({ lleva }) => lleva.some(({ monto }) => !isOwed(monto)));
  const rows = days.map((driver) => [
    <>
      <a href={`${DRIVERS}/${driver.id}`}>
        <b>{driver.nombre}</b>
      </a>
      {isToday && (
        <p class="soft t2">
          {driver.abiertas > 0 && `${grouped(driver.abiertas)} por entregar`}
          {driver.abiertas > 0 && driver.visto_en && ' · '}
          {driver.visto_en && ['visto ', <Ago at={driver.visto_en} zone={timeZoneOf(country)} />]}
        </p>
      )}
      {isToday &&
        driver.sin_contar.map(({ texto }) => (
          <p class="t2">
            Sin contar <span class="num">{texto}</span>: entregas que no se aplicaron. Vea sus guías en{' '}
            <a href="/admin">Hoy</a>.
          </p>
        ))}
    </>,
    grouped(driver.entregadas),
    grouped(driver.fallidas),
    driver.cobro.map(amount),
    driver.cobro.map(({ sin_efectivo }) => amount(sin_efectivo)),
    ...(isToday
      ? [
          driver.lleva.map(({ monto, texto }) => (
            <Badge tone="care" icon={isOwed(monto) ? 'back' : 'money'}>
              <b>{carriedText(monto, texto)}</b>
            </Badge>
          )),
        ]
      : []),
    driver.entrego.map(amount),
    driver.entrego.map(({ sobra }) =>
      isOwed(sobra) ? (
        <Badge tone="care" icon="alert">
          <span class="num">{differenceText(sobra)}</span>
        </Badge>
      ) : (
        Number(sobra) > 0 && <div>{differenceText(sobra)}</div>
      ),
    ),
    driver.saldo.map(({ texto }) => (
      <div>
        <a href={`${DRIVERS}/${driver.id}#saldo`}>{texto}</a>
      </div>
    )),
    ...(isToday
      ? [
          driver.lleva.map((cash, n) => (
            <HandOver {...{ driver, cash, kept, typedIn }} isOpen={driver === first && n === 0} />
          )),
        ]
      : []),
  ]);
  return (
    <Table
      label="Pilotos"
      columns={['Piloto', ...sums.map(asSum), ...(isToday ? [['Qué hacer', 'acts'] as const] : [])]}
      empty="Todavía no hay ninguno."
      rows={all.length > 1 ? [...rows, totals(all, isToday, country)] : rows}
      dataOf={(n) => ({ [days[n] ? 'data-piloto' : 'data-todos']: days[n]?.id ?? '' })}
    />
  );
}

/** The sums of all drivers, by currency. */
function totals(all: readonly ClosedDay[], isToday: boolean, country: CountryCode) {
  const sum = (of: (driver: ClosedDay) => number) => all.reduce((sum, driver) => sum + of(driver), 0);
  const amounts = (
    of: (driver: ClosedDay) => { moneda: string; monto: string }[],
    text = (_: string, texto: string) => texto,
  ) =>
    sumsOf(all.flatMap(of))
      .filter(({ monto }) => Number(monto) !== 0)
      .map(({ moneda, monto }) => <div class="num">{text(monto, money(monto, moneda, country))}</div>);
  return [
    `Todos, ${grouped(all.length)}`,
    grouped(sum(({ entregadas }) => entregadas)),
    grouped(sum(({ fallidas }) => fallidas)),
    amounts(({ cobro }) => cobro),
    amounts(({ cobro }) => cobro.map(({ sin_efectivo }) => sin_efectivo)),
    ...(isToday ? [amounts(({ lleva }) => lleva)] : []),
    amounts(({ entrego }) => entrego),
    amounts(({ entrego }) => entrego.map((one) => ({ ...one, monto: one.sobra })), differenceText),
    amounts(
      ({ saldo }) => saldo,
      (monto, texto) => balanceText(monto, texto, 'deben'),
    ),
  ];
}

interface HandOverProps extends Pick<ClosingDriversProps, 'kept' | 'typedIn' | 'isOpen'> {
  driver: ClosedDay;
  cash: Cash;
}

/** Takes what a driver carries of a currency, or gives back what they handed over too much. */
function HandOver({ driver: { id, nombre }, cash, kept, typedIn, isOpen }: HandOverProps) {
  const { moneda, monto, texto } = cash;
  const action = `${CLOSING}/pilotos/${id}/caja`;
  // The driver's forms have one path: what was typed is of one currency.
  const sent = typedIn(action);
  const typed = sent?.fields.moneda === moneda ? sent : undefined;
  const isShown = isOpen || typed !== undefined;
  return (
    <Ask
      label={isOwed(monto) ? 'Devolver' : 'Recibir'}
      confirm={isOwed(monto) ? 'Devolver el efectivo' : 'Recibir el efectivo'}
      action={withQuery(action, kept)}
      isOpen={isShown}
      isMain={isShown}
      group="caja"
    >
      <p>
        {isOwed(monto)
          ? 'Entregó más de lo que cobró, porque se deshizo o se corrigió algo. Escriba con signo menos lo que se le devuelve.'
          : `${nombre} entrega ${texto}. Si cuenta otra cantidad, escríbala: la diferencia queda en su saldo.`}
      </p>
      <Hidden fields={{ moneda, debe: monto }} />
      <Field
        label={`Lo que se contó (debe ser ${texto})`}
        name="monto"
        value={monto}
        typed={typed}
        required
        maxLength={20}
      />
      <Field label="Nota (opcional)" name="nota" typed={typed} maxLength={MAX.nota} />
    </Ask>
  );
}
