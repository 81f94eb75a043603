import type { ApiPropertyOptions } from '@nestjs/swagger';
import { check, field, NOT_A_PHONE, textRules, toPhone, type FieldOptions } from './fields.js';
import { normalizeText } from './text.js';

/**
 * Fields of a query string. A repeated parameter is refused, and an empty one is checked like any other
 * value: if it counted as absent, the list would silently ignore that filter and return everything.
 */

const once = check('tipo', (value) => typeof value === 'string', 'Envíelo una sola vez.');

/** A query parameter, kept as sent. */
export function QueryField(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return field(options, schema, (value) => value, once, ...rules);
}

/** One line of text, trimmed like a `TextField` so that it matches stored values; 1 to `max` characters. */
export function QueryTextField(options: FieldOptions & { max: number }): PropertyDecorator {
  const { max } = options;
  return field(
    options,
    { type: String, minLength: 1, maxLength: max },
    (value) => (typeof value === 'string' ? (normalizeText(value) ?? '') : value),
    once,
    check('formato', (value) => value !== '', 'No puede estar vacío.'),
    ...textRules(max, false),
  );
}

/**
 * A phone number, read like a `PhoneField`. A leading space is an unencoded `+`: without the `+` the number
 * could be read as a different one in the merchant's country.
 */
export function QueryPhoneField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: String, maxLength: 40 },
    (value, { country }) => (typeof value === 'string' ? toPhone(value.replace(/^ /, '+'), country) : value),
    once,
    check(
      'formato',
      (value) => value !== NOT_A_PHONE,
      'No es un número de teléfono posible. Escríbalo con código de país (`+50255551234`; en una URL el `+` se escribe `%2B`) o en el formato local del comercio.',
    ),
  );
}
