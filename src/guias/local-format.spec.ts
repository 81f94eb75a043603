import { groupedAmount, money } from './local-format.js';

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
  it('groups as labels do, and names the currency', () => {
    expect(money(12345.67, 'GTQ').replace('\u00a0', ' ')).toBe(`GTQ ${groupedAmount('12345.67')}`);
  });
});
