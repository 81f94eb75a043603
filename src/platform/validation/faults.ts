import type { ValidationArguments } from 'class-validator';
import type { FieldError } from '../errors/app-error.js';
import type { DtoField, DtoFields, Rule } from './dto-fields.js';

type Plain = Record<string, unknown>;

/**
 * Runs class-validator's rules: adds the first fault of each field to `faults`, those of nested objects last. Its own
 * `validate` takes 24 to 80 µs for a body that is created in 60 µs.
 * @param path before the names of the fields, like `recogida.`.
 */
export function addFaults(fields: DtoFields, object: object, path: string, faults: FieldError[]): void {
  for (const field of fields.all) {
    const value = (object as Plain)[field.name];
    const broken = brokenRule(field, value, object as Plain);
    if (broken)
      faults.push({ campo: path + field.name, codigo: broken.codigo, mensaje: textOf(broken, value) });
  }
  for (const { name, nested } of fields.withNested) {
    const value = (object as Plain)[name];
    if (isPlain(value)) addFaults(nested!, value, `${path}${name}.`, faults);
  }
}

function brokenRule(field: DtoField, value: unknown, object: Plain): Rule | undefined {
  const rules = value === undefined || value === null ? field.rulesOnAbsence : field.rules;
  for (const rule of rules) if (!rule.holds(value, object)) return rule;
  return undefined;
}

function textOf({ message }: Rule, value: unknown): string {
  return typeof message === 'string' ? message : message({ value } as ValidationArguments);
}

export function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
