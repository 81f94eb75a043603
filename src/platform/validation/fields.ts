import { applyDecorators } from '@nestjs/common';
import { ValidateBy, type ValidationArguments } from 'class-validator';
import type { CountryCode } from 'libphonenumber-js';
import type { FieldErrorCode } from '../errors/error-codes.js';
import { ApiProperty, ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import {
  isSent,
  shapedAs,
  type DtoClass,
  type FieldShape,
  type InputContext,
  type Reading,
} from './dto-fields.js';
import { parseInstant } from './instant.js';
import { unescapedText } from './html-text.js';
import { hasForbiddenCharacter, isLongerThan, normalizeText } from './text.js';
import { areaFault, isTwoPhones, MAX_PHONE_LENGTH, toE164 } from './phone.js';

/**
 * One decorator per kind of field defines how the field is read (trimmed, null as absent), its rules and its OpenAPI
 * schema, so that documentation and validation cannot differ. Rules run in the order written and stop at the field's
 * first failure.
 */

export interface FieldOptions {
  /** Spanish. */
  description: string;
  example?: unknown;
  /**
   * Default false. A missing required field is reported as `requerido`. 'when-sent': it may be missing or null, but an
   * edit that empties it is refused instead of silently keeping the value.
   */
  required?: boolean | 'when-sent';
  /**
   * Whether null or an empty text removes the stored value. Default false: both count as absent. 'by-null': null alone does,
   * and an empty text counts as absent.
   */
  clearable?: boolean | 'by-null';
}

/**
 * A class-validator rule named by our error code.
 * @param isValid takes the type that the field's earlier rules let pass, and the whole DTO.
 * @param onAbsent whether the rule applies to undefined and null too. Default false: they pass.
 */
export function check<T>(
  code: FieldErrorCode,
  isValid: (value: T, object: Record<string, unknown>) => boolean,
  message: string | ((args: ValidationArguments) => string),
  onAbsent = false,
): PropertyDecorator {
  const validate = (value: T, args?: ValidationArguments) =>
    isValid(value, args!.object as Record<string, unknown>);
  return ValidateBy(
    // `constraints`: where `dto-fields.ts` finds the check.
    { name: code, constraints: [isValid], validator: { validate } },
    { message, ...(!onAbsent && { validateIf: isSent }) },
  );
}

export const isText = check('tipo', (value) => typeof value === 'string', 'Debe ser un texto.');

/** Reads a value as it was sent. */
export const asSent: Reading = (value) => value;

/** Reads a text; the rules refuse anything else. */
export const ifText =
  (read: (text: string, context: InputContext) => unknown): Reading =>
  (value, context) =>
    typeof value === 'string' ? read(value, context) : value;

/** Builds a field decorator from its documentation, its reading and its rules, in order. */
export function field(
  options: FieldOptions,
  schema: ApiPropertyOptions,
  shape: Reading | FieldShape,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const { read, ...inner } = typeof shape === 'function' ? { read: shape } : shape;
  // Null differs from absence only in a field that can be cleared.
  const absent = options.clearable ? null : undefined;
  const empty = options.required === 'when-sent' || options.clearable === true ? null : undefined;
  const documented = {
    ...schema,
    ...(options.clearable && { nullable: true }),
    description: options.description,
    ...(options.example !== undefined && { example: options.example }),
  };
  return applyDecorators(
    options.required === true ? ApiProperty(documented) : ApiPropertyOptional(documented),
    shapedAs({
      ...inner,
      read: (sent, context) => {
        if (sent === undefined) return undefined;
        return sent === null ? absent : (read(sent, context) ?? empty);
      },
    }),
    ...requiredRules(options.required),
    ...rules,
  );
}

function requiredRules(required: FieldOptions['required']): PropertyDecorator[] {
  switch (required) {
    case true:
      return [check('requerido', (value) => value !== undefined, 'Es obligatorio.', true)];
    case 'when-sent':
      return [
        check(
          'requerido',
          (value) => value !== null,
          'Es obligatorio: envíe un valor, u omita el campo para no cambiarlo.',
          true,
        ),
      ];
    default:
      return [];
  }
}

/** How a text is read: undefined for an empty one. */
export type TextReader = (text: string) => string | undefined;

interface TextOptions extends FieldOptions {
  /** Characters (code points), as PostgreSQL counts them. */
  max: number;
  multiline?: boolean;
  read?: TextReader;
  /** Whether programs compare or open the text, so that it is kept as it was sent: a reference, a link, an id. */
  isExact?: true;
}

/** Text for people, trimmed; empty counts as absent. What shops escape for HTML, `L&oacute;pez`, is read as its page shows it. */
export function TextField(options: TextOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  const { max, multiline = false, read = normalizeText, isExact = false } = options;
  return field(
    options,
    { type: String, maxLength: max },
    ifText(isExact ? read : (text) => read(unescapedText(text, !multiline))),
    isText,
    ...textRules(max, multiline),
    ...rules,
  );
}

/** The rules for the characters and the length of a text. */
export function textRules(max: number, multiline: boolean): PropertyDecorator[] {
  return [
    check(
      'formato',
      (text: string) => !hasForbiddenCharacter(text, multiline),
      multiline
        ? 'No puede contener caracteres de control (salvo saltos de línea y tabuladores) ni Unicode incompleto.'
        : 'No puede contener saltos de línea, otros caracteres de control ni Unicode incompleto.',
    ),
    check(
      'demasiado_largo',
      (text: string) => !isLongerThan(text, max),
      `Puede tener hasta ${max} caracteres.`,
    ),
  ];
}

/** Replace text that is not a phone number, so that the rules need not parse it again. */
const NOT_A_PHONE = '';
const TWO_PHONES = ',';
/** Before what is to be said of a number that lacks its area. */
const NO_AREA = '?';

export function toPhone(text: string, country: CountryCode | undefined): string {
  const number = toE164(text, country);
  if (number !== undefined) return number;
  const area = areaFault(text, country);
  if (area !== undefined) return `${NO_AREA}${area}`;
  return isTwoPhones(text, country) ? TWO_PHONES : NOT_A_PHONE;
}

/** The rules of a phone number that `toPhone` read. @param message of a text that is none. */
export function phoneRules(message: string): PropertyDecorator[] {
  return [
    check(
      'formato',
      (value) => value !== TWO_PHONES,
      'Es un solo número: envíe uno, y el otro en `notas` si hace falta.',
    ),
    check<string>(
      'formato',
      (value) => !value.startsWith(NO_AREA),
      ({ value }) => String(value).slice(NO_AREA.length),
    ),
    check('formato', (value) => value !== NOT_A_PHONE, message),
  ];
}

/**
 * A phone number, kept in E.164; without a `+` it is read as a number of the merchant's country, or `isOfInstallation` of the
 * installation's.
 */
export function PhoneField(options: FieldOptions & { isOfInstallation?: true }): PropertyDecorator {
  return field(
    options,
    { type: String, maxLength: MAX_PHONE_LENGTH },
    ifText(
      (text, { country, defaultCountry }) =>
        normalizeText(text) && toPhone(text, options.isOfInstallation ? defaultCountry : country),
    ),
    check('tipo', (value) => typeof value === 'string', 'Debe ser un texto, entre comillas.'),
    ...phoneRules(
      `No es un número de teléfono posible. Escríbalo con código de país (+502 5555 1234) o en el formato local del ${options.isOfInstallation ? 'país de este servicio' : 'comercio'}.`,
    ),
  );
}

/** Replaces a number that is out of a range whose limit depends on who sends it. */
class Outside {
  constructor(readonly limit: number) {}
}

interface NumberOptions extends FieldOptions {
  min: number;
  max: number;
  decimals?: number;
  default?: number;
  /** A limit below `max`, which depends on who sends the number. */
  limitOf?: (context: InputContext) => number;
}

/** A finite number from `min` to `max`, with at most `decimals` decimals if given; rounding errors are cut. */
export function NumberField(options: NumberOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  const { min, max, decimals, limitOf } = options;
  const read: Reading = decimals ? (value) => withoutRoundingError(value, decimals) : asSent;
  const limited: Reading = (sent, context) => {
    const value = read(sent, context);
    const limit = limitOf!(context);
    return typeof value === 'number' && (value < min || value > limit) ? new Outside(limit) : value;
  };
  return field(
    options,
    {
      type: Number,
      minimum: min,
      maximum: max,
      ...(options.default !== undefined && { default: options.default }),
    },
    limitOf ? limited : read,
    ...(limitOf
      ? [
          check(
            'fuera_de_rango',
            (value) => !(value instanceof Outside),
            ({ value }) => outOfRange(min, (value as Outside).limit),
          ),
        ]
      : []),
    check(
      'tipo',
      (value) => typeof value === 'number',
      'Debe ser un número, sin comillas ni separador de miles.',
    ),
    check('fuera_de_rango', (value: number) => value >= min && value <= max, outOfRange(min, max)),
    ...(decimals === undefined
      ? []
      : [
          check(
            'formato',
            (value: number) => hasDecimals(value, decimals),
            decimals === 0 ? 'Debe ser un número entero.' : `Puede tener hasta ${decimals} decimales.`,
          ),
        ]),
    ...rules,
  );
}

export const outOfRange = (min: number, max: number): string => `Debe estar entre ${min} y ${max}.`;

/** A sum of amounts in binary fractions differs from the amount by less: 59.970000000000006. */
const ROUNDING_ERROR = 1e-6;

function withoutRoundingError(value: unknown, decimals: number): unknown {
  if (typeof value !== 'number') return value;
  // `+ 0` makes -0 zero.
  const rounded = Number(value.toFixed(decimals)) + 0;
  return Math.abs(rounded - value) <= ROUNDING_ERROR ? rounded : value;
}

export function hasDecimals(value: number, decimals: number): boolean {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale === value;
}

export function BooleanField(options: FieldOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  return field(
    options,
    { type: Boolean },
    asSent,
    check('tipo', (value) => typeof value === 'boolean', 'Debe ser true o false, sin comillas.'),
    ...rules,
  );
}

export function ObjectField(
  type: () => DtoClass,
  options: FieldOptions,
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  return field(
    options,
    { type: () => type() },
    { read: asSent, nested: type },
    check('tipo', (value) => typeof value === 'object' && !Array.isArray(value), 'Debe ser un objeto JSON.'),
    ...rules,
  );
}

export function oneOf(values: readonly string[]): PropertyDecorator {
  return check(
    'formato',
    (value: string) => values.includes(value),
    `Debe ser uno de: ${values.join(', ')}.`,
  );
}

export function ChoiceField(
  options: FieldOptions & { values: readonly string[]; enumName?: string },
  ...rules: PropertyDecorator[]
): PropertyDecorator {
  const { values, enumName } = options;
  return field(
    options,
    { enum: [...values], ...(enumName !== undefined && { enumName }) },
    ifText(normalizeText),
    isText,
    oneOf(values),
    ...rules,
  );
}

/** An instant, kept in ISO 8601 and UTC; a date without a time is refused. */
export function InstantField(options: FieldOptions, ...rules: PropertyDecorator[]): PropertyDecorator {
  return field(
    options,
    { type: String, format: 'date-time' },
    ifText((text) => toIsoInstant(text.trim()) ?? normalizeText(text)),
    isText,
    check(
      'formato',
      (text: string) => toIsoInstant(text) === text,
      'Use `2026-11-21T15:04:05Z` (también `.123`, y `-06:00` en vez de `Z`). La fecha debe existir.',
    ),
    ...rules,
  );
}

/** PostgreSQL has no year 0 and writes earlier years differently. */
const FIRST_INSTANT_MS = Date.parse('0001-01-01T00:00:00.000Z');

function toIsoInstant(text: string): string | undefined {
  const ms = text.includes('T') ? parseInstant(text, 'from') : undefined;
  return ms === undefined || ms < FIRST_INSTANT_MS ? undefined : new Date(ms).toISOString();
}
