import type { ApiPropertyOptions } from '@nestjs/swagger';
import {
  asSent,
  check,
  field,
  ifText,
  phoneRules,
  textRules,
  toPhone,
  type FieldOptions,
  type TextReader,
} from './fields.js';
import { parseInstant } from './instant.js';
import { MAX_PHONE_LENGTH } from './phone.js';
import { normalizeText } from './text.js';
import { isTimeZone, timeZoneOf } from './time-zone.js';

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
  return field(options, schema, asSent, once, ...rules);
}

/** `true` or `false`, which `booleanOf` reads. */
export function QueryBooleanField(description: string): PropertyDecorator {
  return QueryField(
    { description },
    { type: Boolean },
    check('formato', (text) => text === 'true' || text === 'false', 'Debe ser `true` o `false`.'),
  );
}

export const booleanOf = (text: string | undefined): boolean | undefined =>
  text === undefined ? undefined : text === 'true';

/** A date or a time, as `parseInstant` reads it. */
export function QueryInstantField(
  description: string,
  bound: 'from' | 'until',
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return QueryField({ description }, { type: String }, isInstant(bound), ...rules);
}

/** One line of text, trimmed like a `TextField` so that it matches stored values; 1 to `max` characters. */
export function QueryTextField(
  options: FieldOptions & { max: number; read?: TextReader },
): PropertyDecorator {
  const { max, read = normalizeText } = options;
  return field(
    options,
    { type: String, minLength: 1, maxLength: max },
    ifText((text) => read(text) ?? ''),
    once,
    check('formato', (value) => value !== '', 'No puede estar vacío.'),
    ...textRules(max, false),
  );
}

/**
 * A phone number, read like a `PhoneField`. A leading space is an unencoded `+`: without the `+` the number
 * could be read as a different one in the merchant's country, or, of an operator, in `DEFAULT_COUNTRY`.
 */
export function QueryPhoneField(options: FieldOptions): PropertyDecorator {
  return field(
    options,
    { type: String, maxLength: MAX_PHONE_LENGTH },
    ifText((text, { country, defaultCountry }) =>
      toPhone(text.replace(/^ /, '+'), country ?? defaultCountry),
    ),
    once,
    ...phoneRules(
      'No es un número de teléfono posible. Escríbalo con código de país (`+50255551234`; en una URL el `+` se escribe `%2B`) o en el formato local del comercio.',
    ),
  );
}

const DATE_FORMS =
  'Use `2026-11-21` o `2026-11-21T15:04:05Z` (también `.123`, y `-06:00` en vez de `Z`; un `+` se envía como `%2B`). La fecha debe existir.';

export const isInstant = (bound: 'from' | 'until') =>
  check('formato', (text: string) => parseInstant(text, bound) !== undefined, DATE_FORMS);

/** The value of `zona` that stands for the merchant's own. */
export const COMERCIO = 'comercio';

/**
 * The time zone of the dates in the same request, and of its times without an offset: the merchant's own, or an IANA name.
 * An operator's `comercio` stays that word, until it is known which merchant is meant (`zoneOf`).
 */
export function ZonaField(): PropertyDecorator {
  return field(
    {
      description:
        'Zona de las fechas, y de las horas sin zona propia, de esta solicitud: `comercio` (la de su país) o un nombre IANA. Un día comienza en su primer instante allí. Si falta, UTC. Ejemplo: `America/Guatemala`.',
      example: 'America/Guatemala',
    },
    { type: String },
    ifText((text, { country }) => (text === COMERCIO && country ? timeZoneOf(country) : text)),
    check('tipo', (value) => typeof value === 'string', 'Debe ser un solo texto.'),
    check(
      'formato',
      (text: string) => text === COMERCIO || isTimeZone(text),
      'No es una zona horaria conocida. Use `comercio` o un nombre IANA, como `America/Guatemala`.',
    ),
    check(
      'incompleto',
      (text: string, { comercio }) => text !== COMERCIO || comercio !== undefined,
      'Indique `comercio`, o una zona por su nombre IANA, como `America/Guatemala`.',
    ),
  );
}

/** The zone that a request names. @param country of its merchant, in place of `comercio`. */
export function zoneOf(zona: string | undefined, country?: string): string {
  if (zona === COMERCIO) return country === undefined ? 'UTC' : timeZoneOf(country);
  return zona ?? 'UTC';
}

/** `desde` is not after `hasta`. An invalid `hasta` is reported on its own field only. */
export const startsBeforeEnd = check(
  'fuera_de_rango',
  (desde: string, { hasta, zona }) => {
    const zone = typeof zona === 'string' && isTimeZone(zona) ? zona : 'UTC';
    const from = parseInstant(desde, 'from', zone);
    const until = typeof hasta === 'string' ? parseInstant(hasta, 'until', zone) : undefined;
    return from === undefined || until === undefined || from <= until;
  },
  'No puede ser posterior a `hasta`.',
);
