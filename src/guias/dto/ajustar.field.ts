import { asSent, check, field } from '../../platform/validation/fields.js';

/** Whether a settled amount is changed, too. */
export const AjustarField = (): PropertyDecorator =>
  field(
    {
      description:
        'true: se hace también si lo cobrado ya es parte de una liquidación; la diferencia queda como ajuste, que la siguiente liquidación toma.',
      example: true,
    },
    { type: Boolean },
    asSent,
    check('tipo', (value) => typeof value === 'boolean', 'Debe ser true o false, sin comillas.'),
  );
