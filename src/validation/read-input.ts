import { validateSync } from 'class-validator';
import { AppError, MAX_FAULTS, type FieldError } from '../errors/app-error.js';
import type { FieldErrorCode } from '../errors/error-codes.js';
import { fieldsOf, type DtoClass, type DtoFields, type InputContext } from './dto-fields.js';
import { isValid } from './is-valid.js';
import { nearestName } from './nearest-name.js';

type Plain = Record<string, unknown>;

/**
 * Reads what a caller sent as an instance of a DTO class.
 * @throws AppError `validacion` with every fault of every field.
 */
export function readInput<T extends object>(type: DtoClass<T>, raw: unknown, context: InputContext): T {
  return validValue(inspect(type, raw, context));
}

/** @throws AppError `validacion` with every fault of every field. */
export function validValue<T>({ value, errors }: Inspected<T>): T {
  if (errors.length > 0) throw AppError.validation(errors);
  return value as T;
}

/** What was read, and what is wrong with it. */
export interface Inspected<T> {
  /** Absent where the input is no object. */
  value?: T;
  errors: FieldError[];
}

/** Like `readInput`, but returns the faults, for callers that collect faults from several places. */
export function inspect<T extends object>(
  type: DtoClass<T>,
  raw: unknown,
  context: InputContext,
): Inspected<T> {
  if (!isPlain(raw)) {
    return { errors: [{ campo: 'cuerpo', codigo: 'tipo', mensaje: 'El cuerpo debe ser un objeto JSON.' }] };
  }
  const fields = fieldsOf(type);
  const unknown: FieldError[] = [];
  const value = read(fields, raw, context, '', unknown) as T;
  // class-validator is slow; it runs only for invalid input, to report what is wrong.
  const isFaultless = unknown.length === 0 && isValid(fields, value);
  // Unknown fields come last, because a response omits the last of too many faults.
  return { value, errors: isFaultless ? unknown : [...faultsOf(fields, value, ''), ...unknown] };
}

/** Whether a value is an object, as JSON has them. */
export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Replaces a misplaced list or object: no rule accepts it, and nothing recurses into it. */
const MISPLACED = Symbol('misplaced');

/** An instance with the declared fields that were sent; each undeclared one is added to `unknown`. */
function read(
  { type, byName }: DtoFields,
  raw: Plain,
  context: InputContext,
  path: string,
  unknown: FieldError[],
): object {
  const value = new type() as Plain;
  for (const name of Object.keys(raw)) {
    const field = byName.get(name);
    if (!field) {
      unknown.push(unknownField(name, path, unknown.length < MAX_FAULTS ? byName.keys() : []));
      continue;
    }
    const sent = raw[name];
    let taken = plainValue(sent);
    if (taken === MISPLACED) {
      if (field.nested && isPlain(sent))
        taken = read(field.nested, sent, context, `${path}${name}.`, unknown);
      else if (field.isList && Array.isArray(sent)) taken = sent.map(plainValue);
    }
    value[name] = field.read(taken, context);
  }
  return value;
}

const plainValue = (value: unknown) => (typeof value === 'object' && value !== null ? MISPLACED : value);

function faultsOf({ byName }: DtoFields, value: object, path: string): FieldError[] {
  const faults = validateSync(value, { forbidUnknownValues: false, stopAtFirstError: true });
  const own = faults.map(({ property, constraints }) => {
    const [codigo, mensaje] = Object.entries(constraints ?? {})[0] as [FieldErrorCode, string];
    return { campo: `${path}${property}`, codigo, mensaje };
  });
  const inner = [...byName.values()].flatMap(({ name, nested }) => {
    const nestedValue = (value as Plain)[name];
    return nested && isPlain(nestedValue) ? faultsOf(nested, nestedValue, `${path}${name}.`) : [];
  });
  return [...own, ...inner];
}

/**
 * The fault of a name that does not exist.
 * @param known names, of which the nearest is suggested.
 * @param otherwise what to do where none is near.
 */
export function unknownField(
  name: string,
  path: string,
  known: Iterable<string>,
  otherwise = 'Quítelo, o corrija su nombre.',
): FieldError {
  const nearest = nearestName(name, known);
  const hint = nearest === undefined ? otherwise : `¿Quiso decir \`${nearest}\`?`;
  return {
    campo: `${path}${name.slice(0, 100)}`,
    codigo: 'campo_desconocido',
    mensaje: `Esta solicitud no tiene este campo. ${hint}`,
  };
}
