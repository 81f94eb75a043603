import fc from 'fast-check';
import {
  getCountries,
  getExampleNumber,
  parsePhoneNumberFromString,
  type CountryCode,
} from 'libphonenumber-js';
import examples from 'libphonenumber-js/mobile/examples';
import { areaFault, isFiller, isTwoPhones, toE164 } from './phone.js';

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
    ['a web address', 'https://example.com/50255551234'],
    ['the link of a group', 'https://chat.whatsapp.com/50255551234'],
    ['the JID of a group', '50255551234-1616161616@g.us'],
    ['a link without a number', 'https://wa.me/message/ABC'],
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

  it.each<[text: string, country: CountryCode, number: string]>([
    ['(+502) 5555 1234', 'GT', '+50255551234'],
    ['[+502] 5555-1234', 'GT', '+50255551234'],
    ['+(502) 5555 1234', 'GT', '+50255551234'],
    ['( 502 ) 5555 1234', 'GT', '+50255551234'],
    ['+502/5555/1234', 'GT', '+50255551234'],
    ['+502\u202f5555\u202f1234', 'GT', '+50255551234'],
    ['+502\u00a05555\u20071234', 'GT', '+50255551234'],
    ['5\u200b5\ufe0f5\u31645\u00ad1234', 'GT', '+50255551234'],
    ['𝟓𝟓𝟓𝟓 𝟏𝟐𝟑𝟒', 'GT', '+50255551234'],
    ['⑤⑤⑤⑤①②③④', 'GT', '+50255551234'],
    ['٥٥٥٥١٢٣٤', 'GT', '+50255551234'],
    ['५५५५१२३४', 'GT', '+50255551234'],
    ['+502–5555–1234', 'GT', '+50255551234'],
    ['+502 502 5555 1234', 'GT', '+50255551234'],
    ['502-502-5555-1234', 'GT', '+50255551234'],
    ['+502 +502 5555 1234', 'GT', '+50255551234'],
    ['00502 502 5555 1234', 'GT', '+50255551234'],
    ['+504 504 9999 1234', 'GT', '+50499991234'],
    ['+502 00502 5555 1234', 'GT', '+50255551234'],
    ['00502 00502 5555 1234', 'GT', '+50255551234'],
    ['(+502) 00502-5555-1234', 'GT', '+50255551234'],
    ['+49 0049 1512 3456789', 'GT', '+4915123456789'],
    ['+52 0052 55 1234 5678', 'GT', '+525512345678'],
    ['+57 0057 310 123 4567', 'CO', '+573101234567'],
    ['+52 1 55 1234 5678', 'MX', '+525512345678'],
    ['+5215512345678', 'GT', '+525512345678'],
    ['521 55 1234 5678', 'MX', '+525512345678'],
    ['1 55 1234 5678', 'MX', '+525512345678'],
    ['+52 52 55 1234 5678', 'MX', '+525512345678'],
    ['5555-5555', 'GT', '+50255555555'],
    ['5555·1234', 'GT', '+50255551234'],
    ['5555 • 1234', 'GT', '+50255551234'],
    ['5\ufe0f\u20e35️⃣5️⃣5️⃣1️⃣2️⃣3️⃣4️⃣', 'GT', '+50255551234'],
    ['0057 310 123 4567', 'CO', '+573101234567'],
    ['00 57 57 310 123 4567', 'CO', '+573101234567'],
    ['00503 7123 4567', 'CO', '+50371234567'],
    ['0052 55 1234 5678', 'CO', '+525512345678'],
    ['001 202 555 0123', 'US', '+12025550123'],
    ['00502 5555 1234', 'DO', '+50255551234'],
  ])('reads %j in %s, as people, apps and pages write it, as %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number);
  });

  it.each<[what: string, text: string, country: CountryCode]>([
    ['the length of toll-free numbers', '5555 1234 567', 'GT'],
    ['the length of toll-free numbers', '7123-456', 'SV'],
    ['a country code that stands twice before no number', '+502 502 5555 123', 'GT'],
    ['a filler that nobody can have', '00000000', 'GT'],
    ['a filler that nobody can have', '11111111', 'GT'],
    ['a filler that nobody can have', '12345678', 'GT'],
    ['a decimal of a spreadsheet', '55551234.0', 'GT'],
    ['a power of ten', '5.555123412E7', 'GT'],
  ])('refuses %s: %j', (_what, text, country) => {
    expect(toE164(text, country)).toBeUndefined();
  });

  it('reads each number of nine countries in the forms in which it is printed, pasted and typed', () => {
    const countries = ['GT', 'SV', 'HN', 'NI', 'CR', 'PA', 'MX', 'DO', 'CO'] as const;
    const anyNumber = fc
      .tuple(fc.constantFrom(...countries), fc.nat(999_999))
      .map(([country, end]) => {
        const { nationalNumber } = getExampleNumber(country, examples)!;
        const national = nationalNumber.slice(0, -6) + String(end).padStart(6, '0');
        return parsePhoneNumberFromString(national, country)!;
      })
      .filter((number) => number.isValid());
    fc.assert(
      fc.property(anyNumber, (number) => {
        const { country, countryCallingCode: code, nationalNumber: national } = number;
        const groups = number.formatNational();
        const forms = [
          national,
          groups,
          `(+${code}) ${groups}`,
          `+(${code}) ${groups}`,
          `(${code}) ${groups}`,
          `00${code}${national}`,
          `00 ${code} ${groups}`,
          `+${code} ${code} ${groups}`,
          `+${code}\u00a0${groups.replaceAll(' ', '\u202f')}`,
          `\u202a+${code} ${groups}\u202c`,
          [...national].join('\ufe0f'),
          [...national].map((digit) => String.fromCodePoint(0x1d7ce + Number(digit))).join(''),
          number.formatInternational().replaceAll(' ', '.'),
        ];
        expect(forms.map((form) => [form, toE164(form, country)])).toEqual(
          forms.map((form) => [form, number.number]),
        );
      }),
      { numRuns: 500 },
    );
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

describe('isTwoPhones', () => {
  it.each([
    ...['5555 1234 / 5555 4321', '5555-1234, 5555-4321', '5555 1234 y 5555 4321'],
    ...['+502 5555 1234 | +502 5555 4321', '5555 1234 5555 4321', '5555 1234\n5555 4321'],
  ])('finds two in %j', (text) => expect(isTwoPhones(text, 'GT')).toBe(true));

  it.each(['5555 1234', '5555', '5555 1234 ext 5', 'Ana, 5555 1234', '', '5555 1234 / casa'])(
    'does not find two in %j',
    (text) => expect(isTwoPhones(text, 'GT')).toBe(false),
  );
});

describe('isFiller', () => {
  it.each(['+50255555555', '+50223456789', '+50276543210', '+525555555555'])('is %s', (e164) =>
    expect(isFiller(e164)).toBe(true),
  );

  it.each(['+50255551234', '+50255555554', '+50223456780'])('is not %s', (e164) =>
    expect(isFiller(e164)).toBe(false),
  );
});

describe('a phone in a link, an address or a contact', () => {
  it.each([
    'https://wa.me/50255551234',
    'wa.me/50255551234',
    'http://www.wa.me/+50255551234?text=Hola%20quiero%20los%20zapatos%20de%20la%20foto',
    'https://api.whatsapp.com/send?phone=50255551234&text=hola',
    'https://api.whatsapp.com/send/?phone=%2B50255551234&text&type=phone_number&app_absent=0',
    'https://web.whatsapp.com/send?text=hola&phone=50255551234',
    'whatsapp://send?phone=50255551234',
    '50255551234@s.whatsapp.net',
    '50255551234:12@s.whatsapp.net',
    '50255551234@c.us',
    'tel:+50255551234',
    'TEL;type=CELL;waid=50255551234:+502 5555 1234',
    'BEGIN:VCARD\nVERSION:3.0\nFN:Marta Xol\nitem1.TEL;waid=50255551234:+502 5555 1234\nEND:VCARD',
    'BEGIN:VCARD\r\nVERSION:3.0\r\nTEL;TYPE=CELL:5555-1234\r\nEND:VCARD',
  ])('is read: %j', (text) => {
    expect(toE164(text, 'GT')).toBe('+50255551234');
  });
});

describe('a phone that lacks its area', () => {
  it.each<[text: string, country: CountryCode]>([
    ['15 5123 4567', 'AR'],
    ['15-5123-4567', 'AR'],
    ['0 15 5123 4567', 'AR'],
    ['+54 15 5123 4567', 'AR'],
    ['+54 9 15 5123 4567', 'AR'],
    ['5123 4567', 'AR'],
    ['044 5123 4567', 'MX'],
    ['045 5123 4567', 'MX'],
    ['5123 4567', 'MX'],
    ['555 1234', 'DO'],
    ['234 5678', 'CO'],
  ])('is refused, and what it lacks is said: %j in %s', (text, country) => {
    expect([toE164(text, country), areaFault(text, country)]).toEqual([
      undefined,
      expect.stringMatching(/^Falta /),
    ]);
  });

  it.each<[text: string, country: CountryCode, number: string]>([
    ['11 5123 4567', 'AR', '+541151234567'],
    ['11 15 5123 4567', 'AR', '+5491151234567'],
    ['011 15 5123 4567', 'AR', '+5491151234567'],
    ['+54 9 11 5123 4567', 'AR', '+5491151234567'],
    ['351 15 512 3456', 'AR', '+5493515123456'],
    ['044 55 5123 4567', 'MX', '+525551234567'],
    ['045 55 5123 4567', 'MX', '+525551234567'],
    ['809 555 1234', 'DO', '+18095551234'],
  ])('is read with it: %j in %s', (text, country, number) => {
    expect(toE164(text, country)).toBe(number);
  });
});
