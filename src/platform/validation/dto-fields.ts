import { getMetadataStorage, type ValidationArguments } from 'class-validator';
import type { CountryCode } from 'libphonenumber-js';
import { FIELD_ERRORS, type FieldErrorCode } from '../errors/error-codes.js';
import { AcceptedNames } from './unknown-fields.js';

/** The fields of a DTO class, collected from their decorators: how each is read, and class-validator's rules. */

export type DtoClass<T extends object = object> = new () => T;

export interface InputContext {
  /** Country of phone numbers without a `+`; without it only international form is read. */
  country?: CountryCode;
  /** The merchant's, ISO 4217; without it an amount has the limit of any currency. */
  currency?: string;
  /** The installation's country, for what belongs to no merchant. */
  defaultCountry?: CountryCode;
  /** Whether a webhook's URL may be private (`WEBHOOK_ALLOW_PRIVATE`). */
  allowsPrivateUrls?: boolean;
}

/** Converts a sent value, which may be null, into the stored value; undefined means absent. */
export type Reading = (sent: unknown, context: InputContext) => unknown;

/** How a field is read: its value, and the values inside it. */
export interface FieldShape {
  read: Reading;
  /** The class of a nested object. */
  nested?: () => DtoClass;
  /** `values`: a list of texts, numbers and booleans. `items`: a list that is kept as it was sent. */
  list?: 'values' | 'items';
}

/** Whether a value satisfies a rule; `object` is the whole DTO. Called only if the field's earlier rules hold. */
type Predicate = (value: unknown, object: Record<string, unknown>) => boolean;

/** A rule of class-validator. */
export interface Rule {
  codigo: FieldErrorCode;
  message: string | ((args: ValidationArguments) => string);
  holds: Predicate;
}

/** All with the same properties: V8 then reads them faster. */
export interface DtoField {
  name: string;
  read: Reading;
  list: FieldShape['list'];
  nested: DtoFields | undefined;
  /** In order; the first that fails is the field's fault. */
  rules: Rule[];
  /** The `rules` that apply to undefined and null, too. */
  rulesOnAbsence: Rule[];
}

export interface DtoFields {
  type: DtoClass;
  byName: ReadonlyMap<string, DtoField>;
  /** In the order in which faults are reported. */
  all: readonly DtoField[];
  /** Fields that are objects. */
  withNested: readonly DtoField[];
  /** Whether a body of the class may be absent. */
  isOptionalBody: boolean;
  /** Undeclared names, and what to do instead. */
  refused: ReadonlyMap<string, string>;
  accepted: AcceptedNames;
}

const SHAPE = 'guias:shape';
const OPTIONAL_BODY = 'guias:optional-body';
const REFUSED = 'guias:refused';

/** Sets how the field is read. */
export const shapedAs = (shape: FieldShape): PropertyDecorator => Reflect.metadata(SHAPE, shape);

/** A body of this class may be absent: it is then read as an empty object. */
export const OptionalBody = (): ClassDecorator => Reflect.metadata(OPTIONAL_BODY, true);

/** Names that callers send although the class does not declare them, each with what to do instead, in Spanish. */
export const RefusedFields = (advice: Readonly<Record<string, string>>): ClassDecorator =>
  Reflect.metadata(REFUSED, new Map(Object.entries(advice)));

/** class-validator's condition of a rule that accepts undefined and null. */
export const isSent = (_: object, value: unknown): boolean => value !== undefined && value !== null;

const collected = new Map<DtoClass, DtoFields>();

/** The fields that a DTO class declares; collected once. */
export function fieldsOf(type: DtoClass): DtoFields {
  const known = collected.get(type);
  if (known) return known;
  const declared = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  // class-validator lets a class override what it extends, but not what is extended by that.
  const isOverridden = (rule: RuleMetadata) =>
    declared.some((other) => other.propertyName === rule.propertyName && isBase(rule, other));
  // In the order of the document: those of a class it extends come first.
  const rules = declared
    .filter((rule) => !isOverridden(rule))
    .toSorted((one, other) => Number(isBase(other, one)) - Number(isBase(one, other)));
  const names = new Set(rules.map(({ propertyName }) => propertyName));
  const all = [...names].map((name) =>
    fieldOf(
      type,
      name,
      rules.filter(({ propertyName }) => propertyName === name),
    ),
  );
  const refused = (Reflect.getMetadata(REFUSED, type) ?? new Map()) as ReadonlyMap<string, string>;
  const withNested = all.filter(({ nested }) => nested);
  const fields = {
    type,
    byName: new Map(all.map((field) => [field.name, field])),
    all,
    withNested,
    isOptionalBody: Reflect.getMetadata(OPTIONAL_BODY, type) === true,
    refused,
    accepted: new AcceptedNames(
      'Los campos son',
      [...names],
      withNested.map(({ name }) => name),
      refused,
    ),
  };
  collected.set(type, fields);
  return fields;
}

type RuleMetadata = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** Whether one is declared in a class that the other's class extends. */
const isBase = (one: RuleMetadata, other: RuleMetadata) =>
  (other.target as DtoClass).prototype instanceof (one.target as DtoClass);

function fieldOf(type: DtoClass, name: string, metadata: RuleMetadata[]): DtoField {
  const shape = Reflect.getMetadata(SHAPE, type.prototype as object, name) as FieldShape | undefined;
  if (!shape) throw new Error(`${type.name}.${name} is not declared by field()`);
  const { read, nested, list } = shape;
  const rules = metadata.map((rule) => ruleOf(type, rule));
  return {
    name,
    read,
    list,
    nested: nested && fieldsOf(nested()),
    rules,
    rulesOnAbsence: rules.filter((_, i) => metadata[i]!.validateIf === undefined),
  };
}

function ruleOf(type: DtoClass, metadata: RuleMetadata): Rule {
  const { name, propertyName, message, constraints, validateIf } = metadata;
  // The predicate itself: called through class-validator's constraint, a create is read in 16 µs instead of 13.
  const [holds] = (constraints ?? []) as [Predicate?];
  const isOurs = name !== undefined && Object.hasOwn(FIELD_ERRORS, name) && typeof holds === 'function';
  if (!isOurs || (validateIf !== undefined && validateIf !== isSent))
    throw new Error(`${type.name}.${propertyName} has a rule that is not made by check()`);
  return { codigo: name as FieldErrorCode, message, holds };
}
