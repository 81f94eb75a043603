import { BooleanField } from '../../platform/validation/fields.js';

/** Whether a settled amount is changed, too. */
export const AjustarField = (): PropertyDecorator =>
  BooleanField({
    description:
      'true: se hace también si lo cobrado ya es parte de una liquidación; la diferencia queda como ajuste, que la siguiente liquidación toma.',
    example: true,
  });
