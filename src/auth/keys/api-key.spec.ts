import { fingerprint, generateApiKey, identifierOf, prefixOf } from './api-key.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const KEY = generateApiKey();
const replaceAt = (at: number, character: string) => KEY.slice(0, at) + character + KEY.slice(at + 1);

describe('generateApiKey', () => {
  it('returns gk_live_, 8 characters of id, _, 32 characters of secret and 6 of checksum', () => {
    for (let i = 0; i < 200; i++) {
      expect(generateApiKey()).toMatch(/^gk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    }
  });

  it('returns another id and another secret each time', () => {
    const keys = Array.from({ length: 1_000 }, () => generateApiKey());
    expect(new Set(keys.map((key) => key.slice(8, 16))).size).toBe(1_000);
    expect(new Set(keys.map((key) => key.slice(17, 49))).size).toBe(1_000);
  });

  it('uses all 62 characters', () => {
    const used = new Set(
      Array.from({ length: 200 }, () => generateApiKey()).flatMap((key) => [...key.slice(17, 49)]),
    );
    expect([...used].sort().join('')).toBe(BASE62);
  });
});

describe('identifierOf', () => {
  it('returns the id of a key', () => {
    expect(identifierOf(KEY)).toBe(KEY.slice(8, 16));
  });

  it('accepts a key of an earlier version, whose checksum is CRC-32 in base62', () => {
    expect(identifierOf('gk_live_abcDEF12_0123456789ABCDEFabcdef01234567891eMX5w')).toBe('abcDEF12');
  });

  it('refuses a key with any single character mistyped', () => {
    const characters = [...BASE62, '_', '-', ' ', 'ñ', '\0'];
    const accepted = [...KEY].flatMap((original, at) =>
      characters
        .filter((character) => character !== original)
        .map((character) => replaceAt(at, character))
        .filter((typo) => identifierOf(typo) !== undefined),
    );
    expect(accepted).toEqual([]);
  });

  it('refuses a key with two neighbours swapped', () => {
    const accepted = [...KEY.slice(0, -1)]
      .map((_, at) => KEY.slice(0, at) + KEY[at + 1] + KEY[at] + KEY.slice(at + 2))
      .filter((swapped) => swapped !== KEY && identifierOf(swapped) !== undefined);
    expect(accepted).toEqual([]);
  });

  it('refuses a key with a character missing or doubled', () => {
    const edited = [...KEY].flatMap((character, at) => [
      KEY.slice(0, at) + KEY.slice(at + 1),
      replaceAt(at, character + character),
    ]);
    expect(edited.filter((key) => identifierOf(key) !== undefined)).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['the checksum of nothing', '000000'],
    ['a prefix alone', 'gk_live_'],
    ['another prefix', KEY.replace('live', 'test')],
    ['a space before', ` ${KEY}`],
    ['a line break after', `${KEY}\n`],
    ['quotes', `"${KEY}"`],
    ['two keys', `${KEY},${KEY}`],
    ['lower case', KEY.toLowerCase()],
    ['upper case', KEY.toUpperCase()],
    ['a lone surrogate', `${KEY.slice(0, -1)}\ud83d`],
    ['a very long text', 'g'.repeat(100_000)],
  ])('refuses %s', (_what, text) => {
    expect(identifierOf(text)).toBeUndefined();
  });
});

describe('prefixOf', () => {
  it('returns the start of the key without its secret', () => {
    expect(KEY.startsWith(prefixOf(identifierOf(KEY)!, 'live'))).toBe(true);
    expect(prefixOf(identifierOf(KEY)!, 'live')).toMatch(/^gk_live_[0-9A-Za-z]{8}$/);
  });
});

describe('fingerprint', () => {
  const pepper = Buffer.alloc(32, 1);

  it('returns the same 32 bytes for the same key and pepper', () => {
    expect(fingerprint(KEY, pepper)).toHaveLength(32);
    expect(fingerprint(KEY, pepper)).toEqual(fingerprint(KEY, Buffer.from(pepper)));
  });

  it.each([
    ['another key', generateApiKey(), pepper],
    ['another secret under the same id', replaceAt(20, KEY[20] === 'a' ? 'b' : 'a'), pepper],
    ['another pepper', KEY, Buffer.alloc(32, 2)],
  ])('returns other bytes for %s', (_what, key, otherPepper) => {
    expect(fingerprint(key, otherPepper).equals(fingerprint(KEY, pepper))).toBe(false);
  });
});
