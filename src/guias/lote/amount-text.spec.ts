import { plainAmount } from './amount-text.js';

describe('plainAmount', () => {
  it.each([
    ['Q349.50', 'GTQ', 'GT', '349.50'],
    ['Q 349.50', 'GTQ', 'GT', '349.50'],
    ['Q\u00a01,250.00', 'GTQ', 'GT', '1,250.00'],
    ['q.350', 'GTQ', 'GT', '350'],
    ['Q 1 500', 'GTQ', 'GT', '1500'],
    ['1 500', 'GTQ', 'GT', '1500'],
    ['350 quetzales', 'GTQ', 'GT', '350'],
    ['1 Quetzal', 'GTQ', 'GT', '1'],
    ['GTQ 5', 'GTQ', 'GT', '5'],
    ['350Q', 'GTQ', 'GT', '350'],
    ['L. 1,250.00', 'HNL', 'HN', '1,250.00'],
    ['350 Lps.', 'HNL', 'HN', '350'],
    ['C$ 5', 'NIO', 'NI', '5'],
    ['5 córdobas', 'NIO', 'NI', '5'],
    ['₡5 000', 'CRC', 'CR', '5000'],
    ['B/. 5', 'PAB', 'PA', '5'],
    ['RD$ 5', 'DOP', 'DO', '5'],
    ['US$ 5', 'USD', 'SV', '5'],
    ['$5 pesos', 'MXN', 'MX', '5'],
    ['-5', 'GTQ', 'GT', '-5'],
    // In two ways, as without the sign.
    ['Q1.500', 'GTQ', 'GT', '1.500'],
    // Another currency, or no amount.
    ['$45', 'GTQ', 'GT', '$45'],
    ['$45', 'NIO', 'NI', '$45'],
    ['Q350 c/u', 'GTQ', 'GT', 'Q350 c/u'],
    ['350.', 'GTQ', 'GT', '350.'],
    ['-Q5', 'GTQ', 'GT', '-Q5'],
    ['gratis', 'GTQ', 'GT', 'gratis'],
    [`Q${'1'.repeat(50)}`, 'GTQ', 'GT', `Q${'1'.repeat(50)}`],
  ] as const)('reads %j in %s as in %s: %j', (text, currency, country, amount) => {
    expect(plainAmount(text, currency, country)).toBe(amount);
  });
});
