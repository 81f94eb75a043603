import { MAX } from '../../../guias/guia/limits.js';
import { getCountries } from 'libphonenumber-js';
import { renderInTurn } from '../../kit/render-turns.js';
import type { StaffUser } from '../admin-access.js';
import { Badge, Pages, Table } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import type { Done } from '../audit/audit.service.js';
import { StaffPage } from '../pages/staff-page.js';
import type { Account, MerchantAccount } from './accounts.queries.js';
import { Icon } from '../../kit/icon.js';
import { Field } from '../../kit/field.js';

interface ListProps {
  user: StaffUser;
  page: number;
  hasMore: boolean;
  refused: Done<unknown> | undefined;
}

const MERCHANTS = '/admin/comercios';
const OPERATORS = '/admin/operadores';

const COUNTRY_NAMES = new Intl.DisplayNames('es', { type: 'region' });
const COUNTRIES = getCountries()
  .map((code) => [code, `${COUNTRY_NAMES.of(code)} (${code})`] as const)
  .sort(([, a], [, b]) => a.localeCompare(b, 'es'));

/** All merchants, and the form of a new one. @param defaultCountry ISO 3166, of the form. */
export function renderMerchants({
  user,
  accounts,
  q,
  page,
  hasMore,
  defaultCountry,
  refused,
}: ListProps & { accounts: MerchantAccount[]; q: string; defaultCountry: string }): Promise<string> {
  const typed = refused?.typed;
  return renderInTurn(
    <StaffPage title="Comercios" user={user} part={MERCHANTS} outcome={refused?.outcome}>
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
      <Table
        label="Comercios"
        columns={['Comercio', 'País y moneda', 'Claves']}
        empty={q === '' ? 'Todavía no hay ninguno.' : 'Ninguno tiene ese nombre.'}
        rows={accounts.map(({ id, nombre, pais, moneda, cerrado, claves }) => [
          <>
            <a href={`${MERCHANTS}/${id}/cuenta`}>{nombre}</a> {cerrado && <Badge tone="off">cerrado</Badge>}
          </>,
          `${pais}, ${moneda}`,
          <Keys count={claves} />,
        ])}
      />
      <Pages path={MERCHANTS} query={q === '' ? {} : { q }} page={page} hasMore={hasMore} />
    </StaffPage>,
  );
}

export function renderOperators({
  user,
  accounts,
  page,
  hasMore,
  refused,
}: ListProps & { accounts: Account[] }): Promise<string> {
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
