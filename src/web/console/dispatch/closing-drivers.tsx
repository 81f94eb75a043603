import { MAX } from '../../../guias/guia/limits.js';
import { asSum, Badge, grouped, Table } from '../../kit/elements.js';
import { Ask, Hidden } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { withQuery } from '../../kit/with-query.js';
import { carriedText, isOwed } from './carried.js';
import { CLOSING } from '../closing-paths.js';
import type { Cash, ClosedDay } from './closing.service.js';
import { DRIVERS } from './dispatch-page.js';

interface ClosingDriversProps {
  days: readonly ClosedDay[];
  isToday: boolean;
  /** The query of the address. */
  kept: Record<string, string>;
  /** The form that was sent to a path and not done. */
  typedIn: (action: string) => TypedForm | undefined;
}

const amount = ({ monto, texto }: Cash) => Number(monto) !== 0 && <div class="num">{texto}</div>;

/** Drivers' deliveries of the day, their cash and their debts; on a day before today, without buttons. */
export function ClosingDrivers({ days, isToday, kept, typedIn }: ClosingDriversProps) {
  const sums = [
    ...['Entregadas', 'No se pudo', 'Efectivo', 'Tarjeta o transf.'],
    ...(isToday ? ['Lleva'] : []),
    ...['Recibido', 'Diferencia', 'Saldo'],
  ];
  return (
    <Table
      label="Pilotos"
      columns={['Piloto', ...sums.map(asSum), ...(isToday ? [['Qué hacer', 'acts'] as const] : [])]}
      empty="Todavía no hay ninguno."
      rows={days.map((driver) => [
        <>
          <a href={`${DRIVERS}/${driver.id}`}>
            <b>{driver.nombre}</b>
          </a>
          {isToday && driver.abiertas > 0 && <p class="soft t2">{grouped(driver.abiertas)} por entregar</p>}
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
                  <b class="num">{carriedText(monto, texto)}</b>
                </Badge>
              )),
            ]
          : []),
        driver.entrego.map(amount),
        driver.entrego.map(({ diferencia, sobra }) =>
          Number(sobra) < 0 ? (
            <Badge tone="care" icon="alert">
              {diferencia}
            </Badge>
          ) : (
            Number(sobra) > 0 && <div>{diferencia}</div>
          ),
        ),
        driver.saldo.map(({ texto }) => (
          <div>
            <a href={`${DRIVERS}/${driver.id}#saldo`}>{texto}</a>
          </div>
        )),
        ...(isToday
          ? [
              driver.lleva.map((cash) => (
                <HandOver id={driver.id} cash={cash} kept={kept} typedIn={typedIn} />
              )),
            ]
          : []),
      ])}
      dataOf={(n) => ({ 'data-piloto': days[n]!.id })}
    />
  );
}

interface HandOverProps extends Pick<ClosingDriversProps, 'kept' | 'typedIn'> {
  id: string;
  cash: Cash;
}

/** Takes what a driver carries of a currency, or gives back what they handed over too much. */
function HandOver({ id, cash: { moneda, monto, texto }, kept, typedIn }: HandOverProps) {
  const action = `${CLOSING}/pilotos/${id}/caja`;
  const typed = typedIn(action);
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
          : `Entrega todo lo que lleva en ${moneda}; la diferencia queda en su saldo.`}
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
