import { typedAmount } from './typed-amount.js';

it.each<[typed: string | undefined, amount: number | string | undefined]>([
  [undefined, undefined],
  [' ', undefined],
  ['Q 349.50', 349.5],
  ['1,234.5', 1234.5],
  ['12,500', 12_500],
  ['349,50', 349.5],
  ['-30', -30],
  ['12.500', '12.500'],
  ['1.234.567', '1.234.567'],
  ['1e9', '1e9'],
])('reads the amount %j as %j', (typed, amount) => expect(typedAmount(typed)).toBe(amount));
