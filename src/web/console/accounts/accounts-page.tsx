import { MAX } from '../../../guias/guia/limits.js';
import { getCountries } from 'libphonenumber-js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { atMost, Badge, grouped, Pages, Table } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import type { Account } from './accounts.queries.js';
import type { WatchedMerchant } from './accounts.service.js';
import { MAX_GUIAS } from './merchant-guias.queries.js';
import { Icon, type IconName } from '../../kit/icon.js';
import { initialsOf } from '../../kit/initials.js';
import type { Tone } from '../../../guias/guia/tone.js';
import { Field } from '../../kit/field.js';

interface ListProps {
  user: StaffUser;
  page: number;
  hasMore: boolean;
  refused: Done<unknown> | undefined;
}

type MerchantsProps = ListProps & { accounts: WatchedMerchant[]; q: string; defaultCountry: string };

const MERCHANTS = '/admin/comercios';
const OPERATORS = '/admin/operadores';

export const COUNTRY_NAMES = new Intl.DisplayNames('es', { type: 'region' });
const COUNTRIES = getCountries()
  .map((code) => [code, `${COUNTRY_NAMES.of(code)} (${code})`] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'es'));

/** All merchants, and the form of a new one. @param defaultCountry ISO 3166, of the form. */
export function renderMerchants(props: MerchantsProps): Promise<string> {
  const { user, accounts, q, page, hasMore, defaultCountry, refused } = props;
  const typed = refused?.typed;
  return renderInTurn(
    <StaffPage
      title="Comercios"
      user={user}
      part={MERCHANTS}
      outcome={refused?.outcome}
      beside={
        <>
          <span class="grow" />
          <Ask
            label="Nuevo comercio"
            icon="plus"
            confirm="Crear el comercio"
            action={MERCHANTS}
            isOpen={refused !== undefined}
          >
            <Field label="Nombre" name="nombre" typed={typed} required maxLength={MAX.nombre} />
            <Field label="País" name="pais" value={defaultCountry} typed={typed} options={COUNTRIES} />
            <Field label="Moneda (si la deja vacía, la del país)" name="moneda" typed={typed} maxLength={3} />
            <Field
              label="WhatsApp, donde lo encuentran los destinatarios (opcional)"
              name="telefono_contacto"
              typed={typed}
            />
            <Field label="Correo, para avisarle y para que entre (opcional)" name="correo" typed={typed} />
          </Ask>
        </>
      }
    >
      <form class="search" role="search" aria-label="Comercios" action={MERCHANTS}>
        <Icon name="search" />
        <input
          type="search"
          name="q"
          value={q}
          maxLength={120}
          aria-label="Nombre o id"
          placeholder="Nombre o id"
        />
      </form>
      {accounts.length === 0 ? (
        <p class="soft">{q === '' ? 'Todavía no hay ninguno.' : 'Ninguno tiene ese nombre.'}</p>
      ) : (
        <ul class="items card">
          {accounts.map((merchant) => (
            <MerchantLine merchant={merchant} />
          ))}
        </ul>
      )}
      <Pages path={MERCHANTS} query={q === '' ? {} : { q }} page={page} hasMore={hasMore} />
    </StaffPage>,
  );
}

/** A merchant, and whether it is to be looked after. */
function MerchantLine({ merchant }: { merchant: WatchedMerchant }) {
  const { id, nombre, pais, cerrado, claves, abiertas, falla, enHoy } = merchant;
  const { mensajes, intentos, advertencias, 'sin-confirmar': unconfirmed } = enHoy;
  const troubles = [
    mensajes > 0 && `${grouped(mensajes)} con mensaje fallido`,
    intentos > 0 && `${grouped(intentos)} con intento fallido`,
    advertencias > 0 && `${grouped(advertencias)} con una advertencia`,
    falla && 'sus avisos fallan',
  ].filter(Boolean);
  const states: [is: boolean, tone: Tone, icon: IconName | undefined, text: string][] = [
    [cerrado, 'off', undefined, 'cerrado'],
    [troubles.length > 0, 'bad', 'alert', 'Atender'],
    [unconfirmed > 0, 'care', 'clock', `${grouped(unconfirmed)} sin confirmar`],
    [claves === 0, 'off', 'key', 'Sin clave'],
    [true, 'good', 'check', 'Al día'],
  ];
  const [, tone, icon, text] = states.find(([is]) => is)!;
  const open = `${atMost(abiertas, MAX_GUIAS)} ${abiertas === 1 ? 'abierta' : 'abiertas'}`;
  return (
    <li class="row">
      <span class={claves === 0 ? 'disc off' : 'disc'} aria-hidden="true">
        {initialsOf(nombre)}
      </span>
      <span class="grow">
        <a href={`${MERCHANTS}/${id}/cuenta`}>
          <b>{nombre}</b>
        </a>
        <br />
        <span class="soft t2">{[pais, open, ...troubles].join(' · ')}</span>
      </span>
      <Badge tone={tone} {...(icon && { icon })}>
        {text}
      </Badge>
    </li>
  );
}

export function renderOperators(props: ListProps & { accounts: Account[] }): Promise<string> {
  const { user, accounts, page, hasMore, refused } = props;
  const typed = refused?.typed;
  return renderInTurn(
    <StaffPage title="Operadores" user={user} part={OPERATORS} outcome={refused?.outcome}>
      <p>Un operador mueve guías de todos los comercios: una mensajería, un sistema de despacho.</p>
      <Ask
        label="Nuevo operador"
        icon="plus"
        confirm="Crear el operador"
        action={OPERATORS}
        isOpen={refused !== undefined}
      >
        <Field label="Nombre" name="nombre" typed={typed} required maxLength={MAX.nombre} />
      </Ask>
      <Table
        label="Operadores"
        columns={['Operador', 'Claves']}
        empty="Todavía no hay ninguno."
        rows={accounts.map(({ id, nombre, claves }) => [
          <a href={`${OPERATORS}/${id}`}>{nombre}</a>,
          <Keys count={claves} />,
        ])}
      />
      <Pages path={OPERATORS} page={page} hasMore={hasMore} />
    </StaffPage>,
  );
}

function Keys({ count }: { count: number }) {
  return count === 0 ? <Badge tone="care">sin clave</Badge> : <>{count}</>;
}
