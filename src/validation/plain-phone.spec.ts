import fc from 'fast-check';
import {
  getCountries,
  getCountryCallingCode,
  getExampleNumber,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { readPlainPhone } from './plain-phone.js';
import { toE164 } from './phone.js';

/** Everything by libphonenumber alone. */
function byLibrary(text: string, country?: CountryCode): string | undefined {
  if (text.length > 40) return undefined;
  const number = parsePhoneNumberFromString(text.trim(), {
    ...(country && { defaultCountry: country }),
    extract: false,
  });
  if (!number?.isPossible() || number.ext !== undefined) return undefined;
  return /^\+[1-9]\d{3,14}$/.test(number.number) ? number.number : undefined;
}

const COUNTRIES = getCountries();
const OF_NO_COUNTRY = '800 808 870 878 881 882 883 888 979 999 210 0'.split(' ');
const CALLING_CODES = COUNTRIES.map((country) => getCountryCallingCode(country)).concat(OF_NO_COUNTRY);
/** National prefixes, prefixes to dial abroad, and the beginnings of them. */
const PREFIXES = '0 00 01 011 0011 1 8 810 9 15 044 03 010 119 14 180020'.split(' ');

const anyCountry = fc.constantFrom<CountryCode | undefined>(...COUNTRIES, undefined);
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const separator = fc.constantFrom('', '', '', '', '', '', ' ', '-', '.', '(', ')', ' (', ') ', ' - ');
const odd = fc.constantFrom(...'#,~/+５٣\u00a0\u2010a*[\n', ' ext 5', ' x9', ';ext=1');

/** A number dialled in some way from a country, or to one, with digits grouped at will. */
const anyNumber = fc
  .tuple(
    fc.constantFrom('+', '+', '', '', '00', '+ ', '(+'),
    fc.oneof(fc.constantFrom('', ...CALLING_CODES), fc.constant('')),
    fc.oneof(fc.constant(''), fc.constantFrom(...PREFIXES)),
    fc.oneof(digits(0, 16), digits(7, 11)),
    fc.array(separator, { minLength: 24, maxLength: 24 }),
    fc.oneof(fc.constant(''), odd),
    fc.nat(24),
  )
  .map(([plus, code, prefix, national, between, strange, at]) => {
    const grouped = [...`${code}${prefix}${national}`].map((digit, i) => digit + between[i % 24]!).join('');
    return `${plus}${grouped.slice(0, at)}${strange}${grouped.slice(at)}`;
  });

describe('readPlainPhone', () => {
  it.each<[text: string, country: CountryCode | undefined, number: string]>([
    ['+50255551234', undefined, '+50255551234'],
    ['+502 5555-1234', 'MX', '+50255551234'],
    ['5555 1234', 'GT', '+50255551234'],
    ['+57 (300) 123.4567', undefined, '+573001234567'],
    ['300 123 4567', 'CO', '+573001234567'],
    ['55 1234 5678', 'MX', '+525512345678'],
    ['7123 4567', 'SV', '+50371234567'],
    ['(202) 555-0123', 'US', '+12025550123'],
  ])('reads %j in %s', (text, country, number) => {
    expect(readPlainPhone(text, country)).toBe(number);
  });

  it.each<[what: string, text: string, country: CountryCode | undefined]>([
    ['a number that may bear its calling code', '50255551234', 'GT'],
    ['a prefix to dial abroad', '00 502 5555 1234', 'GT'],
    ['a national prefix', '055 1234 5678', 'DE'],
    ['a national prefix after the calling code', '+44 07911 123456', undefined],
    ['a length of one country among several', '+44 7911 1234', undefined],
    ['a calling code of no country', '+800 1234 5678', undefined],
    ['other digits', '+502 ５５５５１２３４', undefined],
    ['no country', '5555 1234', undefined],
  ])('leaves to the library: %s', (_what, text, country) => {
    expect(readPlainPhone(text, country)).toBeUndefined();
  });

  it('reads what nearly every country calls an example, in both forms', () => {
    const numbers = COUNTRIES.map((country) => getExampleNumber(country, examples)!);
    const left = (write: (number: (typeof numbers)[number]) => string, isLocal: boolean) =>
      numbers.filter((number) => !readPlainPhone(write(number), isLocal ? number.country : undefined));
    expect(left(({ number }) => number, false).length).toBeLessThan(COUNTRIES.length / 10);
    expect(left(({ nationalNumber }) => nationalNumber, true).length).toBeLessThan(COUNTRIES.length / 5);
  });

  it('reads what it reads as libphonenumber does, and so does toE164 with all else', () => {
    let plain = 0;
    fc.assert(
      fc.property(anyNumber, anyCountry, (text, country) => {
        const expected = byLibrary(text, country);
        expect(toE164(text, country)).toBe(expected);
        const read = readPlainPhone(text.trim(), country);
        if (read === undefined) return;
        plain += 1;
        expect(text.length > 40 ? undefined : read).toBe(expected);
      }),
      { numRuns: 5_000 },
    );
    expect(plain).toBeGreaterThan(250);
  });

  it('does so for every country and length, in international form and as dialled at home', () => {
    const lengths = Array.from({ length: 20 }, (_, i) => i + 1);
    const beginnings = ['0', '1', '2', '34', '57', '70', '86', '91'];
    for (const country of COUNTRIES) {
      for (const length of lengths) {
        for (const begin of beginnings) {
          const national = begin.padEnd(length, '1234567890').slice(0, length);
          for (const text of [national, `+${getCountryCallingCode(country)}${national}`]) {
            const read = readPlainPhone(text, country);
            if (read !== undefined && read !== byLibrary(text, country))
              throw new Error(`${text} in ${country}: ${read}`);
          }
        }
      }
    }
  });
});
