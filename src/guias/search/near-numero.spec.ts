import fc from 'fast-check';
import { luhnDigit } from '../guia/guia-digits.js';
import { nearNumero } from './near-numero.js';

const NUMERO = '692190972954';

describe('nearNumero', () => {
  it.each([
    ['692l9O972954', 'letras que parecen cifras: se leyó 6921 9097 2954'],
    ['69Zl9O97Z9S4', 'letras que parecen cifras: se leyó 6921 9097 2954'],
    ['6921 9097 295', '11 cifras'],
    ['6921-9097-29554', '13 cifras'],
    ['692190972955', 'una cifra está mal dictada'],
    ['692190972594', 'cambiadas de lugar'],
  ])('says what is wrong with %s, and knows the number that was meant', (text, fault) => {
    const near = nearNumero(text)!;
    expect(near.fault).toContain(fault);
    expect(near.numeros).toContain(NUMERO);
  });

  it.each([
    'Ana López',
    'pedido 1001',
    '5555 1234',
    '1234567890',
    '12345678901234',
    'DOSSIGLOSIII',
    'BODILIS12345',
  ])('takes %s for something else', (text) => expect(nearNumero(text)).toBeUndefined());

  it('knows every number that is one slip away, and none that is no guide number', () => {
    const numero = fc.stringMatching(/^[1-9]\d{10}$/).map((digits) => digits + luhnDigit(digits));
    const slip = fc.record({
      at: fc.nat(11),
      other: fc.nat(11),
      digit: fc.nat(9).map(String),
      kind: fc.constantFrom('wrong', 'swapped', 'missing', 'added'),
    });
    fc.assert(
      fc.property(numero, slip, (meant, { at, other, digit, kind }) => {
        const places = [...meant];
        const said = {
          wrong: places.with(at, digit),
          swapped: places.with(at, places[other]!).with(other, places[at]!),
          missing: places.toSpliced(at, 1),
          added: places.toSpliced(at, 0, digit),
        }[kind].join('');
        const { numeros } = nearNumero(said)!;
        if (said !== meant) expect(numeros).toContain(meant);
        for (const one of numeros) expect(luhnDigit(one.slice(0, -1))).toBe(one.at(-1));
      }),
    );
  });
});
