import { money } from '../../../guias/local-format.js';
import { renderInTurn } from '../../kit/render-turns.js';
import { timeZoneOf } from '../../../validation/time-zone.js';
import { Field } from '../../kit/field.js';
import type { StaffUser } from '../admin-access.js';
import { withQuery } from '../../kit/with-query.js';
import type { Form } from '../../../http/form-texts.js';
import { Ask, grouped, Pages, Table, Time } from '../../kit/elements.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import { EXPORTED_DAYS } from './closing.queries.js';
import type { Closing, DriverDay } from './closing.service.js';
import { carriedText, isOwed } from './carried.js';
import { DISPATCH, DispatchTabs } from './dispatch-page.js';
import { countOf, pageOf } from './dispatch.service.js';
import { DRIVERS } from './drivers-page.js';

export const CLOSING = `${DISPATCH}/cierre`;

/** Rows of each list on a page. */
const PAGE = 50;

/** The lists of the page, each with pages of its own. */
const LISTS = ['pilotos', 'comercios', 'pagos'] as const;

interface ClosingPageProps extends Closing {
  user: StaffUser;
  /** The query of the address: the page of each list. */
  query: Form;
  /** The form that led here, by its path. */
  sent?: { action: string; done: Done<unknown> };
}

type List = (typeof LISTS)[number];

/** The day's close: drivers hand over their cash, merchants' amounts are settled and paid. */
export function renderClosing({
  user,
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
  return renderInTurn(
    <StaffPage title="Cierre del día" user={user} part={DISPATCH} outcome={sent?.done.outcome}>
      <DispatchTabs part={CLOSING} />
      <section>
        <h2>Pilotos</h2>
        {shown.length > 0 && (
          <p>
            <a href={`${CLOSING}/pilotos.csv`} download>
              Descargar el cierre (CSV)
            </a>
          </p>
        )}
        {shown.length === 0 ? (
          <p class="soft">Todavía no hay ninguno.</p>
        ) : (
          <table class="list" aria-label="Pilotos">
            <thead>
              <tr>
                {['Piloto', 'Entregadas', 'Sin éxito', 'Por entregar', 'Entregó hoy', 'Lleva'].map((name) => (
                  <th scope="col">{name}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {of('pilotos', shown).map((driver) => (
                <Row driver={driver} kept={kept} sent={sent} />
              ))}
            </tbody>
          </table>
        )}
        {pager('pilotos', shown)}
      </section>
      <section>
        <h2>Por liquidar ({grouped(merchants.length)})</h2>
        <Table
          label="Comercios por liquidar"
          columns={['Comercio', 'Guías', 'Cobrado', 'Qué hacer']}
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
      <section>
        <h2>Por pagar ({grouped(unpaid.length)})</h2>
        <p>
          <a href={`${CLOSING}/liquidaciones.csv`} download>
            Descargar las liquidaciones de {EXPORTED_DAYS} días, también las pagadas (CSV)
          </a>
        </p>
        <Table
          label="Liquidaciones por pagar"
          columns={['Comercio', 'Hasta', 'Guías', 'Monto', 'Qué hacer']}
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

/** The form, where it was sent to that path and not done. */
const typedIn = (sent: ClosingPageProps['sent'], action: string) =>
  sent?.action === action ? sent.done.typed : undefined;

interface RowProps {
  driver: DriverDay;
  kept: Record<string, string>;
  sent: ClosingPageProps['sent'];
}

function Row({ driver, kept, sent }: RowProps) {
  const { id, nombre, entregadas, fallidas, abiertas, entrego, lleva, sin_contar } = driver;
  const action = `${CLOSING}/pilotos/${id}/caja`;
  const typed = typedIn(sent, action);
  return (
    <tr data-piloto={id}>
      <td data-name="Piloto">
        <a href={`${DRIVERS}/${id}`}>{nombre}</a>
      </td>
      <td data-name="Entregadas">{grouped(entregadas)}</td>
      <td data-name="Sin éxito">{grouped(fallidas)}</td>
      <td data-name="Por entregar">{grouped(abiertas)}</td>
      <td data-name="Entregó hoy">
        {entrego.length === 0
          ? 'Nada'
          : entrego.map(({ texto, diferencia }) => (
              <div>
                <span class="num">{texto}</span>, {diferencia}
              </div>
            ))}
      </td>
      <td data-name="Lleva">
        {lleva.length === 0
          ? 'Nada'
          : lleva.map(({ moneda, monto, texto }) => (
              <>
                <b class="num">{carriedText(monto, texto)}</b>
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
              </>
            ))}
        {sin_contar.map(({ texto }) => (
          <p class="t2">
            Sin contar <span class="num">{texto}</span>: entregas que no se aplicaron. Vea sus guías en{' '}
            <a href="/admin">Hoy</a>.
          </p>
        ))}
      </td>
    </tr>
  );
}
