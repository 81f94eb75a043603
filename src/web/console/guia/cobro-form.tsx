import type { CountryCode } from 'libphonenumber-js';
import type { GuiaDetalleRow } from '../../../guias/guia/guia-row.js';
import { MAX } from '../../../guias/guia/limits.js';
import { money } from '../../../guias/guia/local-format.js';
import { PAGO_CODES, PAGOS, USUAL_PAGO } from '../../../guias/guia/pago.js';
import { capitalised } from '../../../platform/validation/text.js';
import { Ask } from '../../kit/post-form.js';
import { Field, type TypedForm } from '../../kit/field.js';
import { typedAmount } from '../../kit/forms/typed-amount.js';
import { adjustedText } from './settled-text.js';

const PAGO_OPTIONS = PAGO_CODES.map((one) => [one, capitalised(PAGOS[one])] as const);

interface CobroFormProps {
  guia: Pick<GuiaDetalleRow, 'guia' | 'cod_amount' | 'cod_cobrado' | 'pago' | 'moneda'>;
  country: CountryCode;
  /** The collected amount, as it is read, where it is part of a settlement. */
  settled: string | undefined;
  typed: TypedForm | undefined;
  /** Whether it was refused because the amount is settled: the second press does it. */
  isAsked: boolean;
}

/** Corrects what was collected of a delivered guide, and how it was paid. */
export function CobroForm({ guia: delivered, country, settled, typed, isAsked }: CobroFormProps) {
  const { guia, cod_amount, cod_cobrado, pago, moneda } = delivered;
  const isAdjusting = settled !== undefined && isAsked;
  const now = typed?.fields.pago === 'directo' ? 0 : typedAmount(typed?.fields.cod_cobrado);
  const amount = pago === 'directo' ? cod_amount : (cod_cobrado ?? 0);
  return (
    <Ask
      label="Corregir lo cobrado"
      icon="money"
      confirm={isAdjusting ? 'Sí, corregir y ajustar' : 'Sí, corregir'}
      action={`/admin/guias/${guia}/cobro`}
      isOpen={typed !== undefined}
    >
      <p>
        Lo que lleva el piloto y lo que se liquida siguen a lo corregido. Pagado directo al comercio, no se
        cobra nada, y el monto no cuenta.
      </p>
      {isAdjusting && typeof now === 'number' && (
        <p>
          <b>{adjustedText(cod_cobrado ?? 0, now, (text) => money(text, moneda, country))}</b>
        </p>
      )}
      {settled !== undefined && (
        <p>
          Lo cobrado, <b class="num">{settled}</b>, ya es parte de una liquidación: la diferencia se le suma o
          se le quita al comercio en la siguiente, con un ajuste.
        </p>
      )}
      {isAdjusting && <input type="hidden" name="ajustar" value="si" />}
      {isAdjusting && <input type="hidden" name="visto" value={now} />}
      {isAdjusting && <input type="hidden" name="cod_visto" value={cod_cobrado ?? 0} />}
      <Field
        label="Lo que se cobró"
        name="cod_cobrado"
        inputMode="decimal"
        value={amount.toFixed(2)}
        typed={typed}
        required
      />
      {cod_amount > 0 && (
        <Field
          label="Cómo se pagó"
          name="pago"
          value={pago ?? USUAL_PAGO}
          typed={typed}
          options={PAGO_OPTIONS}
        />
      )}
      <Field label="Por qué (lo ve el comercio)" name="nota" typed={typed} isLong maxLength={MAX.nota} />
    </Ask>
  );
}
