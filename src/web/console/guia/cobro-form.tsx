import type { GuiaDetalleRow } from '../../../guias/guia-row.js';
import { MAX } from '../../../guias/limits.js';
import { PAGO_CODES, PAGOS, USUAL_PAGO } from '../../../guias/pago.js';
import { capitalised } from '../../kit/capitalised.js';
import { Ask } from '../../kit/elements.js';
import { Field, type TypedForm } from '../../kit/field.js';

const PAGO_OPTIONS = PAGO_CODES.map((one) => [one, capitalised(PAGOS[one])] as const);

interface CobroFormProps {
  guia: Pick<GuiaDetalleRow, 'guia' | 'cod_amount' | 'cod_cobrado' | 'pago'>;
  /** The form, once it was refused. */
  typed: TypedForm | undefined;
}

/** Corrects what was collected of a delivered guide, and how it was paid. */
export function CobroForm({ guia: { guia, cod_amount, cod_cobrado, pago }, typed }: CobroFormProps) {
  const amount = pago === 'directo' ? cod_amount : (cod_cobrado ?? 0);
  return (
    <Ask
      label="Corregir lo cobrado"
      icon="money"
      confirm="Sí, corregir"
      action={`/admin/guias/${guia}/cobro`}
      isOpen={typed !== undefined}
    >
      <p>
        Lo que lleva el piloto y lo que se liquida siguen a lo corregido. Pagado directo al comercio, no se
        cobra nada, y el monto no cuenta.
      </p>
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
