import fc from 'fast-check';
import { getCountries, getExampleNumber, type CountryCode } from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { toE164 } from './phone.js';

describe('toE164', () => {
  it.each<[text: string, country: CountryCode, number: string]>([
    ['5555 1234', 'GT', '+50255551234'],
    ['55551234', 'GT', '+50255551234'],
    ['5555-1234', 'GT', '+50255551234'],
    ['(502) 5555-1234', 'GT', '+50255551234'],
    ['502 5555 1234', 'GT', '+50255551234'],
    ['50255551234', 'GT', '+50255551234'],
    ['00 502 5555 1234', 'GT', '+50255551234'],
    [' 5555 1234\n', 'GT', '+50255551234'],
    ['\u202a+502 5555 1234\u202c', 'GT', '+50255551234'],
    ['\u200e5555 1234\u2069', 'GT', '+50255551234'],
    ['55 1234 5678', 'MX', '+525512345678'],
    ['(55) 1234-5678', 'MX', '+525512345678'],
    ['300 123 4567', 'CO', '+573001234567'],
    ['601 234 5678', 'CO', '+576012345678'],
    ['7123 4567', 'SV', '+50371234567'],
    ['(202) 555-0123', 'US', '+12025550123'],
    ['055 1234 5678', 'DE', '+495512345678'],
  ])('reads %j in %s as %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number);
  });

  it.each([
    ['+50255551234', '+50255551234'],
    ['+502 5555 1234', '+50255551234'],
    ['+502-5555-1234', '+50255551234'],
    ['+52 55 1234 5678', '+525512345678'],
    ['+57 (300) 123.4567', '+573001234567'],
    ['+1 (202) 555-0123', '+12025550123'],
    ['+502 ５５５５１２３４', '+50255551234'],
    ['+44 07911 123456', '+447911123456'],
    ['+800 1234 5678', '+80012345678'],
  ])('reads %j, in international form, in any country and in none', (text, number) => {
    expect([toE164(text), toE164(text, 'GT'), toE164(text, 'MX')]).toEqual([number, number, number]);
  });

  it.each(['5555 1234', '(502) 5555 1234', '0050255551234', '50255551234'])(
    'refuses %j, in local form, when no country is given',
    (text) => {
      expect(toE164(text)).toBeUndefined();
    },
  );

  it.each(getCountries())('reads the example number of %s in every common form', (country) => {
    const number = getExampleNumber(country, examples)!;
    for (const text of [number.nationalNumber, number.formatNational()])
      expect(toE164(text, country)).toBe(number.number);
    for (const text of [number.number, number.formatInternational()])
      expect(toE164(text)).toBe(number.number);
  });

  it.each([
    ['an empty text', ''],
    ['blanks', '  \n'],
    ['a plus alone', '+'],
    ['a country alone', '+502'],
    ['too few digits', '123'],
    ['too many digits', '5555 1234 5555 1234'],
    ['an unknown country code', '+999 5555 1234'],
    ['a length that its country does not have', '+44 7911 1234'],
    ['letters', 'abcdefgh'],
    ['text before', 'call 5555 1234'],
    ['text after', '5555 1234 after five'],
    ['two numbers', '5555 1234, 5555 4321'],
    ['two whole numbers', '55551234, 55554321'],
    ['an extension, which E.164 would lose', '5555 1234 ext 5'],
    ['an extension in international form', '+502 5555 1234 x99'],
    ['a NUL', '5555\u00001234'],
    ['a web address', 'https://wa.me/50255551234'],
    ['an object as text', '[object Object]'],
  ])('refuses %s', (_what, text) => {
    expect(toE164(text, 'GT')).toBeUndefined();
  });

  it.each(['+502 5555 1234', '5555 1234'])('refuses %j in more than 40 characters', (text) => {
    expect(toE164(text.padEnd(40), 'GT')).toBe('+50255551234');
    expect(toE164(text.padEnd(41), 'GT')).toBeUndefined();
    expect(toE164(text.replaceAll(' ', '-'.repeat(40)), 'GT')).toBeUndefined();
  });

  it.each<[text: string, country: CountryCode | undefined]>([
    ['+49 1234 5678 9012 345', undefined],
    ['1234 5678 9012 345', 'DE'],
    ['+62 1234 5678 9012 3456', undefined],
  ])('refuses %j in %s, because E.164 has at most 15 digits', (text, country) => {
    expect(toE164(text, country)).toBeUndefined();
  });

  it('reads the same number however its digits are grouped', () => {
    const anyNumber = fc.integer({ min: 2_000_0000, max: 7_999_9999 }).map(String);
    const separators = fc.array(fc.constantFrom('', '', ' ', '-', '.'), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(anyNumber, separators, (digits, between) => {
        const grouped = [...digits].map((digit, i) => (i === 0 ? digit : between[i]! + digit)).join('');
        expect(toE164(grouped, 'GT')).toBe(`+502${digits}`);
        expect(toE164(`+502 ${grouped}`)).toBe(`+502${digits}`);
      }),
    );
  });

  it('returns E.164 or undefined for any text, and never throws', () => {
    const anyText = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 30 }).map((units) => String.fromCharCode(...units)),
      fc.string({ unit: fc.constantFrom(...'0123456789+-() .;=xext/*#'), maxLength: 45 }),
      fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 5, maxLength: 15 }),
    );
    const anyCountry = fc.constantFrom<CountryCode | undefined>('GT', 'MX', 'CO', undefined);
    fc.assert(
      fc.property(anyText, anyCountry, (text, country) => {
        expect(toE164(text, country) ?? '+5025').toMatch(/^\+[1-9]\d{3,14}$/);
      }),
      { numRuns: 500 },
    );
  });
});
