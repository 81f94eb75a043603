import { money } from './local-format.js';
import { groupedAmount } from './grouped-amount.js';

describe('groupedAmount', () => {
  it.each([
    ['0.01', '0.01'],
    ['349.50', '349.50'],
    ['999.99', '999.99'],
    ['1000.00', '1,000.00'],
    ['12345.67', '12,345.67'],
    ['1000000.00', '1,000,000.00'],
  ])('groups the thousands of %s, and keeps its decimals', (amount, text) =>
    expect(groupedAmount(amount)).toBe(text),
  );
});

describe('money', () => {
  it.each([
    [12345.67, 'GTQ', 'GT', 'Q\u00a012,345.67'],
    ['0.00', 'HNL', 'HN', 'L\u00a00.00'],
    [5, 'USD', 'SV', '$\u00a05.00'],
    [5, 'USD', 'GT', 'USD\u00a05.00'],
    ['-100.00', 'GTQ', 'GT', '−Q\u00a0100.00'],
  ] as const)('writes %s %s as in %s: %s', (amount, currency, country, text) =>
    expect(money(amount, currency, country)).toBe(text),
  );
});
