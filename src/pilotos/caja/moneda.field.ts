import { isCurrency } from '../../auth/merchants/currency.js';
import { check, TextField } from '../../platform/validation/fields.js';

/** A currency (ISO 4217) of a driver's cash. */
export const MonedaField = (description: string): PropertyDecorator =>
  TextField(
    { required: true, max: 3, read: (text) => text.trim().toUpperCase(), description, example: 'GTQ' },
    check('formato', (text: string) => isCurrency(text), 'Debe ser un código de moneda, como `GTQ`.'),
  );
