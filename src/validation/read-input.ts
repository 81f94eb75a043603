import { plainToInstance, type ClassTransformOptions } from 'class-transformer';
import { getMetadataStorage, validateSync, type ValidationError } from 'class-validator';
import { distance } from 'fastest-levenshtein';
import { AppError, type FieldError } from '../errors/app-error.js';
import type { FieldErrorCode } from '../errors/error-codes.js';
import type { InputContext } from './fields.js';

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
  const faults = validateSync(value, {
    forbidUnknownValues: false,
    stopAtFirstError: true,
    validationError: { target: false, value: false },
  });
  errors.push(...faults.flatMap((fault) => toFieldErrors(fault, '')));
  return { value, errors };
}

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A copy with the declared fields alone; the others become faults. Done before the libraries see the
 * object: a field named `constructor` would make class-validator look up the rules of another class.
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
    picked[name] = nested && isPlain(value) ? pickKnown(nested, value, `${path}${name}.`, errors) : value;
  }
  return picked;
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
    fields = new Map();
    for (const rule of getMetadataStorage().getTargetValidationMetadatas(type, '', false, false)) {
      const isNested = rule.type === 'nestedValidation' || fields.get(rule.propertyName) !== undefined;
      fields.set(rule.propertyName, isNested ? designType(type, rule.propertyName) : undefined);
    }
    fieldsByClass.set(type, fields);
  }
  return fields;
}

function designType(owner: Class, property: string): Class {
  return Reflect.getMetadata('design:type', owner.prototype as object, property) as Class;
}

function toFieldErrors(fault: ValidationError, path: string): FieldError[] {
  const campo = `${path}${fault.property}`;
  const failed = Object.entries(fault.constraints ?? {}).find(([rule]) => rule !== 'nestedValidation');
  const own: FieldError[] = failed
    ? [{ campo, codigo: failed[0] as FieldErrorCode, mensaje: failed[1] }]
    : [];
  if (failed?.[0] === 'tipo') return own;
  return [...own, ...(fault.children ?? []).flatMap((child) => toFieldErrors(child, `${campo}.`))];
}
