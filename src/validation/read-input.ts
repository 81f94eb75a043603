import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import { getMetadataStorage, validateSync } from 'class-validator';
import { distance } from 'fastest-levenshtein';
import { AppError, type FieldError } from '../errors/app-error.js';
import type { FieldErrorCode } from '../errors/error-codes.js';
import { isListField, nestedType, type InputContext } from './fields.js';

type Class<T extends object = object> = new () => T;
type Plain = Record<string, unknown>;

/**
 * Reads what a caller sent as an instance of a DTO class.
 * @throws AppError `validacion` with every fault of every field.
 */
export function readInput<T extends object>(type: Class<T>, raw: unknown, context: InputContext): T {
  const { value, errors } = inspect(type, raw, context);
  if (errors.length > 0) throw AppError.validation(errors);
  return value as T;
}

/** The same without throwing, for callers that gather faults from several places. */
export function inspect<T extends object>(
  type: Class<T>,
  raw: unknown,
  context: InputContext,
): { value?: T; errors: FieldError[] } {
  if (!isPlain(raw)) {
    return { errors: [{ campo: 'cuerpo', codigo: 'tipo', mensaje: 'El cuerpo debe ser un objeto JSON.' }] };
  }
  const errors: FieldError[] = [];
  const value = plainToInstance(type, pickKnown(type, raw, '', errors), context as ClassTransformOptions);
  errors.push(...faultsOf(type, value, ''));
  return { value, errors };
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Stands for a list or an object where none belongs: of no type that a rule accepts, and nothing to recurse into. */
const MISPLACED = Symbol('misplaced');

/**
 * A copy with the declared fields alone; the others become faults. Done before the libraries see the
 * object: a field named `constructor` would make them look up the rules of another class.
 */
function pickKnown(type: Class, raw: Plain, path: string, errors: FieldError[]): Plain {
  const known = knownFields(type);
  const picked: Plain = {};
  for (const name of Object.keys(raw)) {
    if (!known.has(name)) {
      errors.push(unknownField(name, path, known));
      continue;
    }
    const value = raw[name];
    const nested = known.get(name);
    if (nested && isPlain(value)) picked[name] = pickKnown(nested, value, `${path}${name}.`, errors);
    else if (Array.isArray(value) && isListField(type, name)) picked[name] = value.map(plainValue);
    else picked[name] = plainValue(value);
  }
  return picked;
}

const plainValue = (value: unknown) => (typeof value === 'object' && value !== null ? MISPLACED : value);

function faultsOf(type: Class, value: object, path: string): FieldError[] {
  const faults = validateSync(value, { forbidUnknownValues: false, stopAtFirstError: true });
  const own = faults.map(({ property, constraints }) => {
    const [codigo, mensaje] = Object.entries(constraints ?? {})[0] as [FieldErrorCode, string];
    return { campo: `${path}${property}`, codigo, mensaje };
  });
  const inner = [...knownFields(type)].flatMap(([name, nested]) => {
    const nestedValue = (value as Plain)[name];
    return nested && isPlain(nestedValue) ? faultsOf(nested, nestedValue, `${path}${name}.`) : [];
  });
  return [...own, ...inner];
}

function unknownField(name: string, path: string, known: Map<string, unknown>): FieldError {
  const [nearest] = [...known.keys()]
    .map((candidate) => ({ candidate, distance: distance(name.slice(0, 50).toLowerCase(), candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const close = nearest && nearest.distance <= Math.max(2, nearest.candidate.length / 2);
  const hint = close ? ` ¿Quiso decir \`${nearest.candidate}\`?` : '';
  return {
    campo: `${path}${name.slice(0, 100)}`,
    codigo: 'campo_desconocido',
    mensaje: `No existe este campo.${hint}`,
  };
}

const fieldsByClass = new Map<Class, Map<string, Class | undefined>>();

/** The fields a DTO class declares, each with its class where it is a nested object. */
export function knownFields(type: Class): Map<string, Class | undefined> {
  let fields = fieldsByClass.get(type);
  if (!fields) {
    const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    fields = new Map(rules.map(({ propertyName }) => [propertyName, nestedType(type, propertyName)]));
    fieldsByClass.set(type, fields);
  }
  return fields;
}
