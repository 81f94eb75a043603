import { getMetadataStorage } from 'class-validator';
import type { CountryCode } from 'libphonenumber-js';

/** The fields of a DTO class, collected from their decorators: how each is read, and its rules. */

export type DtoClass<T extends object = object> = new () => T;

/** What depends on the sender of a request. */
export interface InputContext {
  /** Country of phone numbers without a `+`; without it only international form is read. */
  country?: CountryCode;
}

/** Converts a sent value, which may be null, into the stored value; undefined means absent. */
export type Reading = (sent: unknown, context: InputContext) => unknown;

/** Whether a value satisfies a rule; `object` is the whole DTO. Called only if the field's earlier rules hold. */
export type Predicate = (value: unknown, object: Record<string, unknown>) => boolean;

export interface DtoField {
  name: string;
  read: Reading;
  /** The fields of a nested object. */
  nested?: DtoFields;
  /** A list of plain values. */
  isList: boolean;
  /** In order. */
  rules: Predicate[];
  /** Those of `rules` that apply to undefined and null too. */
  rulesOnAbsence: Predicate[];
}

export interface DtoFields {
  type: DtoClass;
  /** In the order in which faults are reported. */
  byName: ReadonlyMap<string, DtoField>;
}

interface Rule {
  isValid: Predicate;
  onAbsent: boolean;
}

const READING = 'guias:reading';
const RULES = 'guias:rules';
const NESTED = 'guias:nested';
const LIST = 'guias:list';

/** Sets how the field is read. */
export const readAs = (read: Reading): PropertyDecorator => Reflect.metadata(READING, read);

/** Marks the field as an object of this class. */
export const nestedIn = (type: () => DtoClass): PropertyDecorator => Reflect.metadata(NESTED, type);

/** Marks the field as a list of plain values. */
export const listed = (): PropertyDecorator => Reflect.metadata(LIST, true);

/** Adds a rule to the field. */
export function ruledBy(isValid: Predicate, onAbsent: boolean): PropertyDecorator {
  return (target, property) => {
    const rules = (Reflect.getOwnMetadata(RULES, target, property) ?? []) as Rule[];
    Reflect.defineMetadata(RULES, [...rules, { isValid, onAbsent }], target, property);
  };
}

const collected = new Map<DtoClass, DtoFields>();

/** The fields that a DTO class declares; collected once. */
export function fieldsOf(type: DtoClass): DtoFields {
  const known = collected.get(type);
  if (known) return known;
  // The only list of decorated properties that class-validator offers; `fieldOf` checks each.
  const names = getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
  const byName = new Map([...new Set(names)].map((name) => [name, fieldOf(type, name, names)]));
  const fields = { type, byName };
  collected.set(type, fields);
  return fields;
}

function fieldOf(type: DtoClass, name: string, ruled: string[]): DtoField {
  const metadata = <T>(key: string) =>
    Reflect.getMetadata(key, type.prototype as object, name) as T | undefined;
  const read = metadata<Reading>(READING);
  const rules = metadata<Rule[]>(RULES) ?? [];
  // `isValid` would ignore a rule registered only with class-validator.
  if (!read || rules.length !== ruled.filter((other) => other === name).length)
    throw new Error(`${type.name}.${name} has rules that are not made by field() and check()`);
  const nested = metadata<() => DtoClass>(NESTED);
  return {
    name,
    read,
    ...(nested && { nested: fieldsOf(nested()) }),
    isList: metadata(LIST) === true,
    rules: rules.map(({ isValid }) => isValid),
    rulesOnAbsence: rules.filter(({ onAbsent }) => onAbsent).map(({ isValid }) => isValid),
  };
}
