import type { CountryCode } from 'libphonenumber-js';
import type { MovimientoDeSaldoDto } from '../../../pilotos/caja/saldo.dto.js';
import type { SaldoRow } from '../../../pilotos/caja/saldo.queries.js';
import { MAX } from '../../../guias/guia/limits.js';
import { money } from '../../../guias/guia/local-format.js';
import { currencyOf } from '../../../auth/merchants/currency.js';
import { NextPage, Table, When } from '../../kit/elements.js';
import { Ask } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import type { PageOf } from '../../../platform/pagination/page.js';
import { balanceText } from './carried.js';

/** A driver's balance, and what made it. */
export interface Balance extends PageOf<'movimientos', MovimientoDeSaldoDto> {
  saldo: SaldoRow[];
}

interface DriverBalanceProps {
  balance: Balance;
  path: string;
  zone: string;
  country: CountryCode;
  typed: TypedForm | undefined;
}

/** A driver's balance, its movements, and the form of a new one. */
export function DriverBalance({ balance, path, zone, country, typed }: DriverBalanceProps) {
  const { saldo, movimientos, siguiente_cursor: cursor } = balance;
  const amount = (of: unknown, moneda: string) => money(String(of), moneda, country);
  const texts = saldo.map(({ monto, moneda }) => balanceText(monto, amount(monto, moneda)));
  const first = saldo[0]?.moneda ?? movimientos[0]?.moneda ?? currencyOf(country);
  return (
    <section class="card stack" id="saldo">
      <h2>Saldo: {texts.length === 0 ? 'nada pendiente' : texts.join(', ')}</h2>
      <Ask
        label="Nuevo movimiento"
        confirm="Anotar el movimiento"
        action={`${path}/saldo`}
        isOpen={typed !== undefined}
      >
        <p>
          Lo que pagó o se le perdona, con el número; lo que debe de más, con signo menos. Lo que lleva en
          efectivo no cambia.
        </p>
        <Field label="Monto" name="monto" typed={typed} required maxLength={20} />
        <Field label="Moneda" name="moneda" value={first} typed={typed} required maxLength={3} />
        <Field label="Por qué" name="motivo" typed={typed} required maxLength={MAX.motivo} />
      </Ask>
      <Table
        label="Movimientos"
        columns={['Cuándo', 'Qué', ['Cambia', 'sum']]}
        empty="Todavía no ha entregado efectivo, ni hay movimientos."
        rows={movimientos.map((one) => [
          <When at={one.creado_en} zone={zone} />,
          one.motivo ?? (one.nota ? `Entregó el efectivo: ${one.nota}` : 'Entregó el efectivo'),
          <span class="num">{amount(one.monto ?? one.diferencia, one.moneda)}</span>,
        ])}
      />
      <NextPage path={path} cursor={cursor} id="saldo" />
    </section>
  );
}
