import { AppError, type FieldError } from '../errors/app-error.js';
import { fieldsOf, type DtoClass, type DtoFields, type InputContext } from './dto-fields.js';
import { addFaults, isPlain } from './faults.js';
import { UnknownFields } from './unknown-fields.js';

type Plain = Record<string, unknown>;

/** Reads what a caller sent as an instance of a DTO class. @throws AppError `validacion` with every fault of every field. */
export function readInput<T extends object>(type: DtoClass<T>, raw: unknown, context: InputContext): T {
  return validValue(inspect(type, raw, context));
}

/** @throws AppError `validacion` with every fault of every field. */
export function validValue<T>({ value, errors }: Inspected<T>): T {
  if (errors.length > 0) throw AppError.validation(errors);
  return value as T;
}

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
  const fields = fieldsOf(type);
  if (!isPlain(raw)) return { errors: [notAnObject(fields)] };
  const unknown: FieldError[] = [];
  const value = read(fields, raw, context, '', new UnknownFields(unknown)) as T;
  const errors: FieldError[] = [];
  addFaults(fields, value, '', errors);
  // Unknown fields come last, because a response omits the last of too many faults.
  return { value, errors: unknown.length === 0 ? errors : [...errors, ...unknown] };
}

/** The fault of the list of a batch that is sent bare, for example. */
function notAnObject({ all: [first] }: DtoFields): FieldError {
  const form = first?.list === 'items' ? ` con la lista: {"${first.name}": […]}` : '';
  return { campo: 'cuerpo', codigo: 'tipo', mensaje: `El cuerpo debe ser un objeto JSON${form}.` };
}

/** Replaces a misplaced list or object: no rule accepts it, and nothing recurses into it. */
const MISPLACED = Symbol('misplaced');

/** An instance with the declared fields that were sent; each undeclared one is added to `unknown`. */
function read(
  { type, byName, accepted }: DtoFields,
  raw: Plain,
  context: InputContext,
  path: string,
  unknown: UnknownFields,
): object {
  const value = new type() as Plain;
  for (const name of Object.keys(raw)) {
    const field = byName.get(name);
    if (!field) {
      unknown.add(name, path, accepted);
      continue;
    }
    const sent = raw[name];
    let taken = plainValue(sent);
    if (taken === MISPLACED) {
      if (field.nested && isPlain(sent))
        taken = read(field.nested, sent, context, `${path}${name}.`, unknown);
      else if (field.list && Array.isArray(sent))
        taken = field.list === 'values' ? sent.map(plainValue) : sent;
    }
    value[name] = field.read(taken, context);
  }
  return value;
}

const plainValue = (value: unknown) => (typeof value === 'object' && value !== null ? MISPLACED : value);
