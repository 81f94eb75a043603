import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/support/property-runs.js';
import { fieldsOf } from './dto-fields.js';
import { inspect } from './read-input.js';
import { FIELD_ERRORS } from '../errors/error-codes.js';
import { VALID_REQUESTS } from '../../../test/support/valid-requests.js';

type Plain = Record<string, unknown>;

const RUNS = propertyRuns(150);

const TRAPS = ['__proto__', 'constructor', 'prototype', 'toString', 'then', 'length', ''];
const WORDS = [
  ...['entregado', 'intento_fallido', 'fallida', '2026-02-30', '2026-11-23', 'true', '0', '101'],
  ...['+1 20255501', 'x'],
];

const anyText = fc.oneof(
  fc.constantFrom(...WORDS),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('a', ' ', '\r', '\n', '\0', '\ud800', '\udc00', '😀', '\x85'),
    maxLength: 6,
  }),
  fc
    .tuple(
      fc.constantFrom('a', 'ñ', '😀'),
      fc.constantFrom(36, 37, 60, 100, 120, 121, 250, 500, 501, 1_000, 2_100, 5_000),
    )
    .map(([unit, times]) => unit.repeat(times)),
);
const anyNumber = fc.oneof(
  fc.constantFrom(
    0,
    -0,
    NaN,
    Infinity,
    -Infinity,
    90,
    90.0001,
    -180,
    181,
    168,
    1e6,
    1_000_000.01,
    1e21,
    5e-324,
  ),
  fc.double(),
  fc.integer({ min: -200, max: 200 }).map((cents) => cents / 100),
);
const anyValue = fc.oneof(
  anyText,
  anyNumber,
  fc.constantFrom(
    null,
    undefined,
    true,
    false,
    [],
    {},
    [null],
    [['x']],
    10n,
    Symbol('x'),
    () => true,
    new Date(0),
  ),
  fc.array(fc.constantFrom<unknown>('guia.creada', 'guia.x', 5, null, {}), { maxLength: 4 }),
  fc.anything(),
);

/** What a careless or hostile caller may send instead of a value. */
const nearly = (value: unknown): fc.Arbitrary<unknown> => {
  if (typeof value === 'string')
    return fc.oneof(
      anyText.map((text) => value + text),
      anyText.map((text) => text + value),
      fc.constantFrom<unknown>(value.toUpperCase(), [value], { value }, Number(value), ''),
    );
  if (typeof value === 'number')
    return fc.oneof(
      anyNumber.map((number) => value + number),
      fc.constantFrom<unknown>(-value, value / 3, String(value), [value], 0),
    );
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return nearlyObject(value as Plain);
  return anyValue;
};

const ABSENT = Symbol('absent');

/** The object with up to three fields left out or changed, and sometimes an unknown one. */
function nearlyObject(valid: Plain): fc.Arbitrary<Plain> {
  const changes = Object.entries(valid).map(([name, value]) =>
    fc.tuple(fc.constant(name), fc.oneof(fc.constantFrom<unknown>(ABSENT, null), nearly(value), anyValue)),
  );
  const another = fc.tuple(fc.oneof(fc.constantFrom(...TRAPS), fc.string()), anyValue);
  return fc
    .tuple(
      fc.array(changes.length > 0 ? fc.oneof(...changes) : another, { maxLength: 3 }),
      fc.oneof({ weight: 15, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: another }),
    )
    .map(([changed, more]) => {
      const fields = Object.entries({ ...valid, ...Object.fromEntries(changed) });
      const sent = fields.filter(([, value]) => value !== ABSENT);
      // Like JSON.parse, this makes `__proto__` a field.
      return Object.fromEntries(more ? [...sent, more] : sent);
    });
}

describe.each(VALID_REQUESTS.map(([type, valid]) => [type.name, type, valid] as const))(
  '%s',
  (_name, type, valid) => {
    const context = { country: 'GT' as const };
    const names = [...fieldsOf(type).byName.keys()];
    const anyInput = fc.oneof(
      { weight: 8, arbitrary: nearlyObject(valid) },
      {
        weight: 1,
        arbitrary: fc.dictionary(fc.constantFrom(...names, ...TRAPS), anyValue, { noNullPrototype: false }),
      },
      { weight: 1, arbitrary: fc.oneof(fc.anything(), fc.constantFrom(null, undefined, [], 'x', 5)) },
    );

    it('is read from the valid example without faults', () => {
      const { value, errors } = inspect(type, valid, context);
      expect(errors).toEqual([]);
      expect(value).toBeInstanceOf(type);
    });

    it('is read, or refused with each fault once, by a known code and a text', () => {
      const seen = { valid: 0, invalid: 0 };
      fc.assert(
        fc.property(anyInput, (raw) => {
          const { value, errors } = inspect(type, raw, context);
          seen[errors.length === 0 ? 'valid' : 'invalid'] += 1;
          if (errors.length > 0) {
            expect(new Set(errors.map(({ campo }) => campo)).size).toBe(errors.length);
            expect(errors.filter(({ codigo }) => !Object.hasOwn(FIELD_ERRORS, codigo))).toEqual([]);
            expect(errors.filter(({ mensaje }) => !/^\S.*[.?]$/.test(mensaje))).toEqual([]);
            return;
          }
          expect(Object.getPrototypeOf(value)).toBe(type.prototype);
          expect(Object.keys(value!)).toEqual(Object.keys(raw as object));
          // Reading is idempotent.
          expect(inspect(type, value, context)).toStrictEqual({ value, errors: [] });
        }),
        { numRuns: RUNS },
      );
      // It was tested both ways; usually a fifth or more are of each kind.
      expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(0);
    });
  },
);

describe('the classes tested above', () => {
  it('are all classes that requests are read as', () => {
    const src = join(import.meta.dirname, '../..');
    const text = readdirSync(src, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
      .map((file) => readFileSync(join(src, file), 'utf8'))
      .join('\n');
    const names = (pattern: RegExp, within = text) => [...within.matchAll(pattern)].map(([, name]) => name!);
    // Routes that merchants and operators have alike take their classes from a file of texts.
    const ofOwners = names(/^ {2}(?:bodies|queries): (\{[^}]+\}),$/gm).flatMap((classes) =>
      names(/: (\w+)/g, classes),
    );
    const locals = new Set(names(/class (\w+) extends (?:bodies|queries)\./g));
    const used = [
      ...names(/@(?:Body|Query)\(\) [^:]+: (\w+)/g),
      ...names(/\b(?:readInput|inspect)\((\w+Dto),/g),
    ].filter((name) => !locals.has(name));
    expect([...new Set([...used, ...ofOwners])].sort()).toEqual(
      VALID_REQUESTS.map(([type]) => type.name).sort(),
    );
  });
});
