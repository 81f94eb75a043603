import { MAX } from '../../../guias/guia/limits.js';
import type { Bitmap2D } from 'lean-qr';
import type { CountryCode } from 'libphonenumber-js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { PilotoDto } from '../../../pilotos/dto/piloto.dto.js';
import { groupedPhone } from '../../../platform/validation/phone.js';
import type { StaffUser } from '../admin-access.js';
import { Field } from '../../kit/field.js';
import { Ago, Badge, Facts, grouped, Pages, Table, Time } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import { carriedText } from './carried.js';
import type { DriverDay } from './closing.service.js';
import { DISPATCH, DRIVERS } from './dispatch-page.js';
import { DriverBalance, type Balance } from './driver-balance.js';
import { Signal } from './driver-signal.js';
import type { NewLink } from './drivers.service.js';

const PAGE = 100;

interface DriversPageProps {
  user: StaffUser;
  drivers: DriverDay[];
  /** From 1. */
  page: number;
  refused?: Done<unknown>;
}

export function renderDrivers({ user, drivers, page, refused }: DriversPageProps): Promise<string> {
  const sorted = [...drivers].sort((a, b) => Number(b.activo) - Number(a.activo));
  const shown = sorted.slice((page - 1) * PAGE, page * PAGE);
  return renderInTurn(
    <StaffPage title="Pilotos" user={user} part={DISPATCH} outcome={refused?.outcome}>
      <Ask
        label="Nuevo piloto"
        confirm="Crear el piloto"
        action={DRIVERS}
        isOpen={refused !== undefined}
        isMain
      >
        <Field label="Nombre" name="nombre" typed={refused?.typed} required maxLength={MAX.nombre} />
        <Field label="Teléfono (opcional)" name="telefono" typed={refused?.typed} />
      </Ask>
      <Table
        label="Pilotos"
        columns={['Piloto', 'Estado', 'Hoy', ['Lleva', 'sum'], 'Su página']}
        empty="Todavía no hay ninguno."
        rows={shown.map((driver) => [
          <a href={`${DRIVERS}/${driver.id}`}>{driver.nombre}</a>,
          <Badge tone={driver.activo ? 'good' : 'off'}>{driver.activo ? 'Activo' : 'Inactivo'}</Badge>,
          `${grouped(driver.abiertas)} por entregar, ${grouped(driver.entregadas)} entregadas, ${grouped(driver.fallidas)} sin éxito`,
          <span class="num">
            {driver.lleva.map(({ monto, texto }) => carriedText(monto, texto)).join(', ') || 'Nada'}
          </span>,
          <Signal driver={driver} />,
        ])}
        dataOf={(n) => ({ 'data-piloto': shown[n]!.id })}
      />
      <Pages path={DRIVERS} page={page} hasMore={sorted.length > page * PAGE} />
    </StaffPage>,
  );
}

interface DriverPageProps {
  user: StaffUser;
  driver: PilotoDto;
  balance: Balance;
  zone: string;
  /** Where phones are read in national form. */
  country: CountryCode;
  sent?: SentOfDriver | undefined;
}

/** A form of the page, and how it ended. */
export type SentOfDriver =
  | { form: 'datos' | 'activo' | 'saldo'; done: Done<unknown> }
  /** A new link is shown on this page alone. */
  | { form: 'enlace'; done: Done<NewLink> };

const HOURS = [
  ['16', '16 horas'],
  ['8', '8 horas'],
  ['24', 'Un día'],
  ['168', 'Una semana'],
] as const;

export function renderDriver(props: DriverPageProps): Promise<string> {
  const { user, driver, balance, zone, country, sent } = props;
  const path = `${DRIVERS}/${driver.id}`;
  const telefono = driver.telefono === null ? undefined : groupedPhone(driver.telefono, country);
  const newLink = sent?.form === 'enlace' ? sent.done.made : undefined;
  const typed = sent?.form === 'datos' ? sent.done.typed : undefined;
  return renderInTurn(
    <StaffPage title={driver.nombre} user={user} part={DISPATCH} outcome={sent?.done.outcome}>
      {newLink && (
        <section class="card stack" aria-labelledby="enlace">
          <h2 id="enlace">Enlace de {driver.nombre}</h2>
          <p>
            Que lo escanee con la cámara de su teléfono. Se muestra una sola vez, y sirve hasta{' '}
            <Time at={newLink.vence_en} zone={zone} />.
          </p>
          <Qr code={newLink.qr} label={`Código QR del enlace de ${driver.nombre}`} />
          <label class="field">
            O envíeselo
            <input type="text" readOnly value={newLink.enlace} data-copy data-enlace />
          </label>
        </section>
      )}
      <section class="card stack" data-piloto={driver.id}>
        <Facts
          facts={[
            [
              'Teléfono',
              telefono && (
                <a href={`tel:${driver.telefono}`} class="num">
                  {telefono}
                </a>
              ),
            ],
            ['Estado', driver.activo ? 'Activo' : 'Inactivo: no se le asignan guías'],
            [
              'Su página',
              driver.visto_en === null
                ? 'Nunca la abrió'
                : ['Vista ', <Ago at={driver.visto_en} zone={zone} />],
            ],
            ['Sus guías', <a href={`${DISPATCH}?piloto=${driver.id}`}>Las que tiene por mover</a>],
          ]}
        />
        <div class="row">
          {driver.activo && (
            <Ask label="Dar enlace" confirm="Hacer el enlace" action={`${path}/enlace`} isMain>
              <p>Si tiene otro enlace, deja de servir.</p>
              <Field label="Cuánto sirve" name="horas" options={HOURS} />
            </Ask>
          )}
          <Ask label="Cambiar" confirm="Guardar los cambios" action={path} isOpen={typed !== undefined}>
            <Field
              label="Nombre"
              name="nombre"
              value={driver.nombre}
              typed={typed}
              required
              maxLength={MAX.nombre}
            />
            <Field label="Teléfono (vacío: ninguno)" name="telefono" value={telefono} typed={typed} />
          </Ask>
          {driver.activo ? (
            <Ask label="Desactivar" confirm="Sí, desactivarlo" action={`${path}/desactivar`}>
              <p>
                No se le asignan más guías, y su enlace deja de servir. Las que tiene siguen siendo suyas.
              </p>
            </Ask>
          ) : (
            <Ask label="Activar" confirm="Activarlo" action={`${path}/activar`}>
              <p>Se le asignan guías otra vez. Para su página necesita un enlace nuevo.</p>
            </Ask>
          )}
        </div>
      </section>
      <DriverBalance
        balance={balance}
        path={path}
        zone={zone}
        country={country}
        typed={sent?.form === 'saldo' ? sent.done.typed : undefined}
      />
    </StaffPage>,
  );
}

/** Modules free on every side, as the standard asks. */
const QUIET = 4;

/** A QR code, black on white in the dark, too. */
function Qr({ code, label }: { code: Bitmap2D; label: string }) {
  const size = code.size + 2 * QUIET;
  let path = '';
  for (let y = 0; y < code.size; y++)
    for (let x = 0; x < code.size; x++) if (code.get(x, y)) path += `M${QUIET + x} ${QUIET + y}h1v1h-1z`;
  return (
    <svg
      class="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shape-rendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}h-${size}z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
