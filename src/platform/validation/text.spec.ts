import fc from 'fast-check';
import {
  hasForbiddenCharacter,
  isLongerThan,
  lengthInCharacters,
  normalizeName,
  normalizeText,
} from './text.js';

const anyText = fc.string({
  unit: fc.constantFrom('a', 'ñ', '😀', '\u0301', '中', '\u2028', '\0', ' ', '\n'),
});
const LAYOUT = ['\n', '\t'];
const CONTROLS = [...Array(0x20).keys(), 0x7f, ...Array.from({ length: 0x20 }, (_, i) => 0x80 + i)]
  .map((code) => String.fromCharCode(code))
  .filter((character) => !LAYOUT.includes(character));

describe('normalizeText', () => {
  it.each([
    [' a ', 'a'],
    ['\n\t a b \r\n', 'a b'],
    ['\u00a0\u2003a\ufeff', 'a'],
    ['a\r\nb', 'a\nb'],
    ['a\rb', 'a\nb'],
    ['a\r\r\nb', 'a\n\nb'],
    ['a\n\rb', 'a\n\nb'],
    ['a\n\nb', 'a\n\nb'],
    ['a  b', 'a  b'],
  ])('reads %j as %j', (text, read) => {
    expect(normalizeText(text)).toBe(read);
  });

  it.each(['', ' ', '\r\n', '\t', '\u00a0\u3000', '\ufeff', '\u200b', ' \u200e\u2060 '])(
    'treats %j as absent',
    (text) => {
      expect(normalizeText(text)).toBeUndefined();
    },
  );

  it('removes carriage returns and outer blanks, and is idempotent', () => {
    const withBreaks = fc.string({ unit: fc.constantFrom('a', ' ', '\r', '\n', '\t', '😀') });
    fc.assert(
      fc.property(fc.oneof(anyText, withBreaks), (text) => {
        const read = normalizeText(text);
        fc.pre(read !== undefined);
        expect(read).toBe(read.trim());
        expect(read).not.toContain('\r');
        expect(normalizeText(read)).toBe(read);
      }),
    );
  });
});

describe('hasForbiddenCharacter', () => {
  it.each([false, true])('finds every control character (multiline: %s)', (multiline) => {
    expect(CONTROLS.filter((character) => !hasForbiddenCharacter(`a${character}b`, multiline))).toEqual([]);
  });

  it('allows line breaks and tabs only in multiline text', () => {
    expect(LAYOUT.map((character) => hasForbiddenCharacter(`a${character}b`, true))).toEqual([false, false]);
    expect(LAYOUT.map((character) => hasForbiddenCharacter(`a${character}b`, false))).toEqual([true, true]);
  });

  it.each(['\ud800', '\udbff', '\udc00', '\udfff', 'a\ud83d', '\ude00a', '\ude00\ud83d', '😀\ud83d'])(
    'finds a lone surrogate in %j',
    (text) => {
      expect(hasForbiddenCharacter(text, false)).toBe(true);
      expect(hasForbiddenCharacter(text, true)).toBe(true);
    },
  );

  it.each([
    ...['', 'José Ñandú', '😀👨‍👩‍👧', '中文', 'עברית', 'a\u0301', '\u2028', '\u200b', '\uffff'],
    '"\'\\;--<b>%00',
  ])('allows %j', (text) => {
    expect(hasForbiddenCharacter(text, false)).toBe(false);
    expect(hasForbiddenCharacter(text, true)).toBe(false);
  });

  it('refuses exactly the characters of the categories Cc and Cs', () => {
    for (let code = 0; code <= 0xffff; code++) {
      const character = String.fromCharCode(code);
      const isForbidden = /[\p{Cc}\p{Cs}]/u.test(character);
      const found = [
        hasForbiddenCharacter(`a${character}b`, false),
        hasForbiddenCharacter(`a${character}b`, true),
      ];
      if (found[0] !== isForbidden || found[1] !== (isForbidden && !LAYOUT.includes(character)))
        throw new Error(`U+${code.toString(16)}: ${found.join()}`);
    }
  });

  it('allows only texts that UTF-8 can encode', () => {
    const anyUnits = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
      .map((units) => String.fromCharCode(...units));
    const anySurrogates = fc
      .array(fc.integer({ min: 0xd7ff, max: 0xe000 }), { maxLength: 6 })
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.oneof(anyUnits, anySurrogates), fc.boolean(), (text, multiline) => {
        const isKept = Buffer.from(text, 'utf8').toString('utf8') === text;
        expect(hasForbiddenCharacter(text, multiline) || isKept).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

describe('lengthInCharacters', () => {
  it.each([
    ['', 0],
    ['abc', 3],
    ['ñ', 1],
    ['n\u0303', 2],
    ['😀', 1],
    ['😀😀a', 3],
    ['👨‍👩‍👧', 5],
  ])('counts %j as %d', (text, length) => {
    expect(lengthInCharacters(text)).toBe(length);
  });

  it('counts code points', () => {
    fc.assert(fc.property(anyText, (text) => lengthInCharacters(text) === [...text].length));
  });
});

describe('normalizeName', () => {
  it.each([
    [' Pete\u0301n ', 'Petén'],
    ['Petén', 'Petén'],
    [' ', undefined],
  ])('reads %j as %j', (text, name) => {
    expect(normalizeName(text)).toBe(name);
  });

  it('does not join the accents of a text that is too long for a name', () => {
    const joined = jest.spyOn(String.prototype, 'normalize');
    try {
      const text = `a${'\u0301\u0323'.repeat(500_000)}`;
      expect(normalizeName(text) === text).toBe(true);
      expect(joined.mock.calls).toEqual([]);
    } finally {
      joined.mockRestore();
    }
  });
});

describe('isLongerThan', () => {
  it.each([
    ['', 0, false],
    ['abc', 3, false],
    ['abcd', 3, true],
    ['😀😀😀', 3, false],
    ['😀😀😀😀', 3, true],
    ['n\u0303', 1, true],
  ])('%j than %d: %s', (text, max, expected) => {
    expect(isLongerThan(text, max)).toBe(expected);
  });

  it('compares code points', () => {
    fc.assert(
      fc.property(anyText, fc.nat(12), (text, max) => isLongerThan(text, max) === [...text].length > max),
    );
  });
});
