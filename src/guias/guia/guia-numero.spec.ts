import fc from 'fast-check';
import { GUIA_NUMERO_COUNT, GuiaNumeroGenerator } from './guia-numero.js';
import { isGuiaNumero, luhnDigit } from './guia-digits.js';

const KEY = Buffer.alloc(32, 7);
const numerador = new GuiaNumeroGenerator(KEY);
const anyN = fc.integer({ min: 0, max: GUIA_NUMERO_COUNT - 1 });

/** Luhn's check of a whole number (ISO/IEC 7812-1), written independently of the source. */
function passesLuhn(numero: string): boolean {
  const sum = [...numero].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** Positions of consecutive guides in the number space, 0 to 1. */
function positions(first: number, count: number): number[] {
  return Array.from(
    { length: count },
    (_, i) => (Number(numerador.numeroAt(first + i).slice(0, 11)) - 1e10) / GUIA_NUMERO_COUNT,
  );
}

describe('GuiaNumerador', () => {
  it('generates 12 digits without a leading zero, the last a Luhn check digit', () => {
    fc.assert(
      fc.property(anyN, (n) => {
        const numero = numerador.numeroAt(n);
        expect(numero).toMatch(/^[1-9]\d{11}$/);
        expect(passesLuhn(numero)).toBe(true);
        expect(isGuiaNumero(numero)).toBe(true);
      }),
    );
  });

  it('gives each guide a different number', () => {
    fc.assert(
      fc.property(anyN, anyN, (a, b) => (a === b) === (numerador.numeroAt(a) === numerador.numeroAt(b))),
    );
    const runs = [0, 299_000, GUIA_NUMERO_COUNT - 5_000];
    const numeros = runs.flatMap((first) =>
      Array.from({ length: 5_000 }, (_, i) => numerador.numeroAt(first + i)),
    );
    expect(new Set(numeros).size).toBe(15_000);
  });

  it('gives the same number again with the same key, also in another process', () => {
    fc.assert(
      fc.property(
        anyN,
        (n) => numerador.numeroAt(n) === new GuiaNumeroGenerator(Buffer.from(KEY)).numeroAt(n),
      ),
      { numRuns: 20 },
    );
  });

  it.each([
    [0, '798046019435'],
    [1, '267930417352'],
    [299_999, '282998110948'],
    [300_000, '847646657084'],
    [GUIA_NUMERO_COUNT - 1, '506656945603'],
  ])(
    'keeps the number of guide %d in every version, because a new one could collide with an old one',
    (n, numero) => {
      expect(new GuiaNumeroGenerator(Buffer.from(Array.from({ length: 32 }, (_, i) => i))).numeroAt(n)).toBe(
        numero,
      );
    },
  );

  it('gives other numbers under another key', () => {
    const other = new GuiaNumeroGenerator(Buffer.alloc(32, 8));
    const same = Array.from({ length: 2_000 }, (_, n) => n).filter(
      (n) => numerador.numeroAt(n) === other.numeroAt(n),
    );
    expect(same).toEqual([]);
  });

  it.each([0, 300_000, 12_345_678_901])(
    'spreads consecutive guides from %d over the whole number space',
    (first) => {
      const places = positions(first, 5_000);
      const steps = places.slice(1).map((place, i) => place - places[i]!);
      const sizes = steps.map(Math.abs).sort((a, b) => a - b);
      // Two independent places are 1 − √½ ≈ 0.293 apart in the median; half of the steps go up.
      expect(sizes[2_500]).toBeGreaterThan(0.27);
      expect(sizes[2_500]).toBeLessThan(0.32);
      expect(Math.abs(steps.filter((step) => step > 0).length - 2_500)).toBeLessThan(200);
      expect(new Set(steps).size).toBe(steps.length);
    },
  );

  it('fills the number space evenly', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (const place of positions(0, 10_000)) counts[Math.floor(place * 10)]!++;
    const chiSquare = counts.reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
    expect(chiSquare).toBeLessThan(27.9); // 9 degrees of freedom, p = 0.001
  });

  it('changes most digits between neighbours', () => {
    const differing = (n: number) => {
      const next = numerador.numeroAt(n + 1);
      return [...numerador.numeroAt(n)].filter((digit, i) => digit !== next[i]).length;
    };
    const average = Array.from({ length: 1_000 }, (_, n) => differing(n)).reduce((a, b) => a + b) / 1_000;
    expect(average).toBeGreaterThan(10); // 12 × 9/10 = 10.8 by chance
  });

  it.each([-1, GUIA_NUMERO_COUNT, 1.5, NaN, Infinity, -Infinity, 2 ** 60])(
    'refuses guide %d, which is out of range',
    (n) => {
      expect(() => numerador.numeroAt(n)).toThrow(RangeError);
    },
  );

  it.each([0, 1, 299_999, 300_000, 300_001, GUIA_NUMERO_COUNT - 1])('gives guide %d a number', (n) => {
    expect(isGuiaNumero(numerador.numeroAt(n))).toBe(true);
  });
});

describe('isGuiaNumero', () => {
  it('detects every single wrong digit', () => {
    fc.assert(
      fc.property(anyN, fc.nat(11), fc.integer({ min: 1, max: 9 }), (n, at, shift) => {
        const numero = numerador.numeroAt(n);
        const wrong = String((Number(numero[at]) + shift) % 10);
        expect(isGuiaNumero(numero.slice(0, at) + wrong + numero.slice(at + 1))).toBe(false);
      }),
    );
  });

  it('detects every swap of neighbouring digits except 09 and 90', () => {
    fc.assert(
      fc.property(anyN, fc.nat(10), (n, at) => {
        const numero = numerador.numeroAt(n);
        const [a, b] = [numero[at]!, numero[at + 1]!];
        fc.pre(a !== b && Math.abs(Number(a) - Number(b)) !== 9);
        expect(isGuiaNumero(numero.slice(0, at) + b + a + numero.slice(at + 2))).toBe(false);
      }),
    );
  });

  it.each([
    ['nothing', ''],
    ['eleven digits', '48392017556'],
    ['thirteen digits', '4839201755670'],
    ['a leading zero', '000000000000'],
    ['a letter', '48392017556a'],
    ['spaces', ' 483920175567'],
    ['a line break', '483920175567\n'],
    ['digits of another script', '٤٨٣٩٢٠١٧٥٥٦٧'],
  ])('refuses %s', (_what, text) => {
    expect(isGuiaNumero(text)).toBe(false);
  });
});

describe('luhnDigit', () => {
  it.each([
    ['7992739871', '3'],
    ['37828224631000', '5'],
    ['0', '0'],
    ['', '0'],
  ])('of %j is %s', (digits, digit) => {
    expect(luhnDigit(digits)).toBe(digit);
  });
});
