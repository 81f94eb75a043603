import type { DtoField, DtoFields } from './dto-fields.js';

type Plain = Record<string, unknown>;

/**
 * Whether a DTO keeps all rules of its class. Gives class-validator's answer, from the same decorators, in a
 * few hundredths of its time, but not the reasons.
 */
export function isValid({ byName }: DtoFields, object: object): boolean {
  for (const field of byName.values()) if (!isFieldValid(field, object as Plain)) return false;
  return true;
}

function isFieldValid({ name, rules, rulesOnAbsence, nested }: DtoField, object: Plain): boolean {
  const value = object[name];
  const isAbsent = value === undefined || value === null;
  for (const holds of isAbsent ? rulesOnAbsence : rules) if (!holds(value, object)) return false;
  return isAbsent || !nested || isValid(nested, value);
}
