import type { ApiPropertyOptions } from '@nestjs/swagger';
import { check, field, NOT_A_PHONE, textRules, toPhone, type FieldOptions } from './fields.js';
import { normalizeText } from './text.js';

/**
 * Fields of a query. Given twice they are refused, and an empty one is a value like any other, never absent:
 * a filter that is dropped unseen would show everything.
 */

const once = check('tipo', (value) => typeof value === 'string', 'Envíelo una sola vez.');

/** A query parameter, read as it was sent. */
export function QueryField(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return field(options, schema, (value) => value, once, ...rules);
}

/** Text of one line, trimmed, 1 to `max` characters: what a `TextField` keeps is found by what was sent there. */
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
 * A phone number, read as a `PhoneField` reads it. A space in front is a `+` that was not encoded: without its
 * `+` a number may pass for another one of the merchant's country.
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
