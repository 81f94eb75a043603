import { getMetadataStorage } from 'class-validator';
import type { CountryCode } from 'libphonenumber-js';

/** What the fields of a DTO class are made of, as their decorators say it: the one source of reading and of rules. */

export type DtoClass<T extends object = object> = new () => T;

/** What reading a request needs to know of its sender. */
export interface InputContext {
  /** Country of phone numbers without a `+`; where there is none, only international form is read. */
  country?: CountryCode;
}

/** What was sent, null included, as the value to be kept; undefined: absent. */
export type Reading = (sent: unknown, context: InputContext) => unknown;

/** Whether a value keeps a rule; `object` is the DTO with all of its values. Rules before it hold already. */
export type Predicate = (value: unknown, object: Record<string, unknown>) => boolean;

export interface DtoField {
  name: string;
  read: Reading;
  /** The fields of a nested object. */
  nested?: DtoFields;
  /** A list of plain values. */
  isList: boolean;
  /** For a value that is there, in order. */
  rules: Predicate[];
  /** Of these, the ones for an absent value and null as well. */
  rulesOfAbsence: Predicate[];
}

export interface DtoFields {
  type: DtoClass;
  /** In the order in which faults are named. */
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

/** How the field is read. */
export const readAs = (read: Reading): PropertyDecorator => Reflect.metadata(READING, read);

/** The field is an object of this class. */
export const nestedIn = (type: () => DtoClass): PropertyDecorator => Reflect.metadata(NESTED, type);

/** The field is a list of plain values. */
export const listed = (): PropertyDecorator => Reflect.metadata(LIST, true);

/** The field must keep this rule, too. */
export function ruledBy(isValid: Predicate, onAbsent: boolean): PropertyDecorator {
  return (target, property) => {
    const rules = (Reflect.getOwnMetadata(RULES, target, property) ?? []) as Rule[];
    Reflect.defineMetadata(RULES, [...rules, { isValid, onAbsent }], target, property);
  };
}

const gathered = new Map<DtoClass, DtoFields>();

/** What a DTO class declares; gathered once. */
export function fieldsOf(type: DtoClass): DtoFields {
  const known = gathered.get(type);
  if (known) return known;
  const names = getMetadataStorage()
    .getTargetValidationMetadatas(type, '', false, false)
    .map(({ propertyName }) => propertyName);
  const byName = new Map([...new Set(names)].map((name) => [name, fieldOf(type, name, names)]));
  const fields = { type, byName };
  gathered.set(type, fields);
  return fields;
}

function fieldOf(type: DtoClass, name: string, ruled: string[]): DtoField {
  const metadata = <T>(key: string) =>
    Reflect.getMetadata(key, type.prototype as object, name) as T | undefined;
  const read = metadata<Reading>(READING);
  const rules = metadata<Rule[]>(RULES) ?? [];
  // A rule that class-validator alone knows would be skipped wherever nothing needs explaining.
  if (!read || rules.length !== ruled.filter((other) => other === name).length)
    throw new Error(`${type.name}.${name} has rules that are not made by field() and check()`);
  const nested = metadata<() => DtoClass>(NESTED);
  return {
    name,
    read,
    ...(nested && { nested: fieldsOf(nested()) }),
    isList: metadata(LIST) === true,
    rules: rules.map(({ isValid }) => isValid),
    rulesOfAbsence: rules.filter(({ onAbsent }) => onAbsent).map(({ isValid }) => isValid),
  };
}
