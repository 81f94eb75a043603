import type { CountryCode } from 'libphonenumber-js';
import { money } from '../../../guias/local-format.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { Field } from '../../kit/field.js';
import type { StaffUser } from '../admin-access.js';
import { withQuery } from '../../kit/with-query.js';
import type { Form } from '../../../http/form-texts.js';
import type { Tone } from '../../../guias/tone.js';
import { Ask, Badge, grouped, Pages, Table, Tile, Time } from '../../kit/elements.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import { EXPORTED_DAYS } from './closing.queries.js';
import type { Cash, Closing, DriverDay } from './closing.service.js';
import { carriedText, isOwed } from './carried.js';
import { DISPATCH, DRIVERS } from './dispatch-page.js';
import { countOf, pageOf } from './dispatch.service.js';

export const CLOSING = `${DISPATCH}/cierre` as const;

/** Rows of each list on a page. */
const PAGE = 50;

/** The lists of the page, each with pages of its own. */
const LISTS = ['pilotos', 'comercios', 'pagos'] as const;

interface ClosingPageProps extends Closing {
  user: StaffUser;
  /** Where amounts are read. */
  country: CountryCode;
  /** The query of the address: the page of each list. */
  query: Form;
  /** The form that led here, by its path. */
  sent?: { action: string; done: Done<unknown> };
}

type List = (typeof LISTS)[number];

/** The day's close: drivers hand over their cash, merchants' amounts are settled and paid. */
export function renderClosing({
  user,
  country,
  drivers,
  merchants,
  unpaid,
  query,
  sent,
}: ClosingPageProps): Promise<string> {
  const pages = Object.fromEntries(LISTS.map((list) => [list, pageOf(query[list])])) as Record<List, number>;
  // Only those that are not the first.
  const kept = Object.fromEntries(
    LISTS.filter((list) => pages[list] > 1).map((list) => [list, String(pages[list])]),
  );
  const of = <T,>(list: List, rows: readonly T[]) => rows.slice((pages[list] - 1) * PAGE, pages[list] * PAGE);
  const pager = (list: List, { length }: readonly unknown[]) => (
    <Pages path={CLOSING} query={kept} name={list} page={pages[list]} hasMore={length > pages[list] * PAGE} />
  );
  const shown = drivers.filter(
    ({ activo, abiertas, lleva, entrego, sin_contar }) =>
      activo || abiertas > 0 || lleva.length + entrego.length + sin_contar.length > 0,
  );
  const days = of('pilotos', shown);
  return renderInTurn(
    <StaffPage title="Cierre" user={user} part={CLOSING} outcome={sent?.done.outcome}>
      <Sums drivers={drivers} merchants={merchants} country={country} />
      <section class="card stack">
        <div class="row">
          <h2 class="grow">Pilotos</h2>
          {shown.length > 0 && (
            <a class="btn small" href={`${CLOSING}/pilotos.csv`} download>
              Descargar el cierre (CSV)
            </a>
          )}
        </div>
        <Table
          label="Pilotos"
          columns={[
            'Piloto',
            ...['Entregadas', 'No se pudo', 'Por entregar', 'Entregó hoy', 'Lleva'].map(asSum),
            ACTS,
          ]}
          empty="Todavía no hay ninguno."
          rows={days.map((driver) => cellsOf(driver, kept, sent))}
          dataOf={(n) => ({ 'data-piloto': days[n]!.id })}
        />
        {pager('pilotos', shown)}
      </section>
      <section class="card stack">
        <h2>Por liquidar ({grouped(merchants.length)})</h2>
        <Table
          label="Comercios por liquidar"
          columns={['Comercio', ...['Guías', 'Cobrado'].map(asSum), ACTS]}
          empty="Nada por liquidar."
          rows={of('comercios', merchants).map(({ id, nombre, guias, cobrado, moneda, pais }) => [
            <span data-comercio={id}>{nombre}</span>,
            grouped(guias),
            <span class="num">{money(cobrado, moneda, pais)}</span>,
            <Ask
              label="Liquidar"
              confirm="Sí, liquidar"
              action={withQuery(`${CLOSING}/comercios/${id}/liquidar`, kept)}
            >
              <p>
                {guias === 1 ? 'Se liquida' : 'Se liquidan'} {countOf(guias)} de {nombre}. Lo liquidado ya no
                se corrige.
              </p>
            </Ask>,
          ])}
        />
        {pager('comercios', merchants)}
      </section>
      <section class="card stack">
        <div class="row">
          <h2 class="grow">Por pagar ({grouped(unpaid.length)})</h2>
          <a class="btn small" href={`${CLOSING}/liquidaciones.csv`} download>
            Las de {EXPORTED_DAYS} días, también las pagadas (CSV)
          </a>
        </div>
        <Table
          label="Liquidaciones por pagar"
          columns={['Comercio', 'Hasta', ...['Guías', 'Monto'].map(asSum), ACTS]}
          empty="Nada por pagar."
          rows={of('pagos', unpaid).map(({ id, nombre, hasta, guias, cobrado, moneda, pais }) => {
            const action = `${CLOSING}/liquidaciones/${id}/pagar`;
            const typed = typedIn(sent, action);
            return [
              <span data-liquidacion={id}>{nombre}</span>,
              <Time at={hasta} zone={timeZoneOf(pais)} />,
              <a href={`${CLOSING}/liquidaciones/${id}/guias.csv`} download>
                {grouped(guias)}{' '}
                <span class="vh">
                  {guias === 1 ? 'guía' : 'guías'} de {nombre}{' '}
                </span>
                (CSV)
              </a>,
              <span class="num">{money(cobrado, moneda, pais)}</span>,
              <Ask
                label="Pagar"
                confirm="Registrar el pago"
                action={withQuery(action, kept)}
                isOpen={typed !== undefined}
              >
                <Field
                  label="Referencia del pago: transferencia, boleta"
                  name="referencia_pago"
                  typed={typed}
                  required
                  maxLength={100}
                />
              </Ask>,
            ];
          })}
        />
        {pager('pagos', unpaid)}
      </section>
    </StaffPage>,
  );
}

/** What drivers carry or are to be given back, what they handed over, and what merchants are owed: by currency. */
function Sums({ drivers, merchants, country }: Pick<ClosingPageProps, 'drivers' | 'merchants' | 'country'>) {
  const carried = drivers.flatMap(({ lleva }) => lleva);
  const sumsOf = (all: { moneda: string; monto: string }[], tone: Tone, text: string) => {
    const cents = new Map<string, number>();
    for (const { moneda, monto } of all)
      cents.set(moneda, (cents.get(moneda) ?? 0) + Math.round(Math.abs(Number(monto)) * 100));
    return [...cents].map(([moneda, sum]) => ({
      tone,
      text,
      count: money((sum / 100).toFixed(2), moneda, country),
    }));
  };
  const sums = [
    ...sumsOf(
      carried.filter(({ monto }) => !isOwed(monto)),
      'care',
      'llevan los pilotos',
    ),
    ...sumsOf(
      carried.filter(({ monto }) => isOwed(monto)),
      'care',
      'por devolver a pilotos',
    ),
    ...sumsOf(
      drivers.flatMap(({ entrego }) => entrego),
      'off',
      'recibido hoy',
    ),
    ...sumsOf(
      merchants.map(({ moneda, cobrado }) => ({ moneda, monto: cobrado })),
      'off',
      'por liquidar a comercios',
    ),
  ];
  return (
    <div class="cols duo">
      {sums.map((sum) => (
        <Tile {...sum} />
      ))}
    </div>
  );
}

/** The form, where it was sent to that path and not done. */
const typedIn = (sent: ClosingPageProps['sent'], action: string) =>
  sent?.action === action ? sent.done.typed : undefined;

function cellsOf(driver: DriverDay, kept: Record<string, string>, sent: ClosingPageProps['sent']) {
  const { id, nombre, entregadas, fallidas, abiertas, entrego, lleva, sin_contar } = driver;
  return [
    <>
      <a href={`${DRIVERS}/${id}`}>{nombre}</a>
      {sin_contar.map(({ texto }) => (
        <p class="t2">
          Sin contar <span class="num">{texto}</span>: entregas que no se aplicaron. Vea sus guías en{' '}
          <a href="/admin">Hoy</a>.
        </p>
      ))}
    </>,
    grouped(entregadas),
    grouped(fallidas),
    grouped(abiertas),
    entrego.map(({ texto, diferencia, sobra }) => (
      <div>
        <span class="num">{texto}</span>,{' '}
        {Number(sobra) < 0 ? (
          <Badge tone="care" icon="alert">
            {diferencia}
          </Badge>
        ) : (
          diferencia
        )}
      </div>
    )),
    lleva.map(({ monto, texto }) => (
      <Badge tone="care" icon={isOwed(monto) ? 'back' : 'money'}>
        <b class="num">{carriedText(monto, texto)}</b>
      </Badge>
    )),
    lleva.map((cash) => <HandOver id={id} cash={cash} kept={kept} sent={sent} />),
  ];
}

interface HandOverProps {
  id: string;
  cash: Cash;
  kept: Record<string, string>;
  sent: ClosingPageProps['sent'];
}

/** Takes what a driver carries of a currency, or gives back what they handed over too much. */
function HandOver({ id, cash: { moneda, monto, texto }, kept, sent }: HandOverProps) {
  const action = `${CLOSING}/pilotos/${id}/caja`;
  const typed = typedIn(sent, action);
  return (
    <Ask
      label={isOwed(monto) ? 'Devolver' : 'Recibir'}
      confirm={isOwed(monto) ? 'Devolver el efectivo' : 'Recibir el efectivo'}
      action={withQuery(action, kept)}
      isOpen={typed?.fields.moneda === moneda}
    >
      <p>
        {isOwed(monto)
          ? 'Entregó más de lo que cobró, porque se deshizo o se corrigió algo. Escriba con signo menos lo que se le devuelve.'
          : `Entrega todo lo que lleva en ${moneda}; la diferencia queda anotada.`}
      </p>
      <input type="hidden" name="moneda" value={moneda} />
      <input type="hidden" name="debe" value={monto} />
      <Field
        label={`Lo que se contó (debe ser ${texto})`}
        name="monto"
        typed={typed}
        required
        maxLength={20}
      />
      <Field label="Nota (opcional)" name="nota" typed={typed} maxLength={500} />
    </Ask>
  );
}

const asSum = (name: string) => [name, 'sum'] as const;
const ACTS = ['Qué hacer', 'acts'] as const;
