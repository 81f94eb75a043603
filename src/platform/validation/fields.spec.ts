import fc from 'fast-check';
import { AppError } from '../errors/app-error.js';
import { ChoiceField, hasDecimals, InstantField, PhoneField, TextField } from './fields.js';
import { readInput } from './read-input.js';

const anyCents = fc.integer({ min: -100_000_000, max: 100_000_000 });

describe('hasDecimals', () => {
  it('accepts every amount with two decimals', () => {
    fc.assert(
      fc.property(anyCents, (cents) => hasDecimals(Number((cents / 100).toFixed(2)), 2)),
      { numRuns: 2_000 },
    );
  });

  it('refuses every amount with more decimals', () => {
    const anyDigits = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(anyCents, fc.constantFrom('', '0', '00', '99'), anyDigits, (cents, between, digit) => {
        expect(hasDecimals(Number(`${(cents / 100).toFixed(2)}${between}${digit}`), 2)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [1.005, 2, false],
    [0.29, 2, true],
    [0.1 + 0.2, 2, false],
    [1e-7, 2, false],
    [5e-324, 2, false],
    [-0, 2, true],
    [3, 0, true],
    [3.5, 0, false],
    [0.125, 3, true],
  ])('answers for %d with %d decimals: %s', (value, decimals, expected) => {
    expect(hasDecimals(value, decimals)).toBe(expected);
  });
});

class FieldsDto {
  @ChoiceField({ description: '', values: ['uno', 'dos'] })
  choice?: string;

  @InstantField({ description: '' })
  instant?: string;

  @TextField({ description: '', max: 5 })
  text?: string;

  @TextField({ description: '', max: 5, clearable: true })
  clearable?: string | null;

  @ChoiceField({ description: '', values: ['uno'], clearable: true })
  clearableChoice?: string | null;

  @PhoneField({ description: '' })
  phone?: string;
}

const read = (body: object) => readInput(FieldsDto, body, { country: 'GT' });

/** The fault of the only field in a body; none where it is read. */
function fault(body: object): string | undefined {
  try {
    read(body);
    return undefined;
  } catch (error) {
    expect((error as AppError).errores).toHaveLength(1);
    return (error as AppError).errores![0]!.codigo;
  }
}

describe('ChoiceField', () => {
  it.each(['uno', ' dos\n'])('accepts %j', (choice) => expect(read({ choice }).choice).toBe(choice.trim()));

  it.each<[value: unknown, code: string]>([
    ['tres', 'formato'],
    ['Uno', 'formato'],
    ['uno,dos', 'formato'],
    ['length', 'formato'],
    ['constructor', 'formato'],
    ['0', 'formato'],
    [0, 'tipo'],
    [true, 'tipo'],
    [['uno'], 'tipo'],
    [{ uno: 1 }, 'tipo'],
  ])('refuses %j', (choice, code) => expect(fault({ choice })).toBe(code));

  it.each([null, '', ' '])('treats %j as absent', (choice) =>
    expect(read({ choice }).choice).toBeUndefined(),
  );

  it('lists the choices in the message', () => {
    expect(() => read({ choice: 'x' })).toThrow(
      expect.objectContaining({
        errores: [expect.objectContaining({ mensaje: 'Debe ser uno de: uno, dos.' })],
      }),
    );
  });
});

describe('InstantField', () => {
  it.each([
    ...['2026-11-21', '2026-02-29T00:00:00Z', '2026-11-21T25:00:00Z', '0000-12-31T23:59:59Z'],
    ...['0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01', 'ahora', 'T'],
  ])('refuses %s', (instant) => expect(fault({ instant })).toBe('formato'));

  it.each([5, false, [], {}, new Date(0)])('refuses %j, which is not a text', (instant) =>
    expect(fault({ instant })).toBe('tipo'),
  );

  it.each([null, '', '\n'])('treats %j as absent', (instant) =>
    expect(read({ instant }).instant).toBeUndefined(),
  );
});

describe('a clearable field', () => {
  it.each([null, '', ' \r\n'])('distinguishes %j from absence', (value) => {
    expect(read({ clearable: value, clearableChoice: value })).toEqual({
      clearable: null,
      clearableChoice: null,
    });
    expect(read({ text: value }).text).toBeUndefined();
  });

  it('is absent if it was not sent', () => {
    expect(read({}).clearable).toBeUndefined();
    expect(read({ phone: null }).phone).toBeUndefined();
  });

  it('applies its rules to other values', () => {
    expect(read({ clearable: ' abc ' }).clearable).toBe('abc');
    expect([fault({ clearable: 'abcdef' }), fault({ clearable: 5 }), fault({ clearable: '\0' })]).toEqual([
      'demasiado_largo',
      'tipo',
      'formato',
    ]);
  });
});
