import { getCountries } from 'libphonenumber-js';
import { currencyOf, isCurrency } from './currency.js';

describe('currencyOf', () => {
  it.each([
    ['GT', 'GTQ'],
    ['SV', 'USD'],
    ['MX', 'MXN'],
    ['HN', 'HNL'],
  ] as const)('of %s is %s', (country, currency) => expect(currencyOf(country)).toBe(currency));

  it('is an ISO 4217 code for every country that a merchant may have', () => {
    expect(getCountries().filter((country) => !isCurrency(currencyOf(country)))).toEqual([]);
  });
});

describe('isCurrency', () => {
  it.each(['XQQ', 'gtq', 'GT', '', 'Q'])('refuses %j', (text) => expect(isCurrency(text)).toBe(false));
});
