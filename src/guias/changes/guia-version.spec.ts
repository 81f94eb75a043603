import fc from 'fast-check';
import { etagOf, matchesVersion } from './guia-version.js';

const anyVersion = fc.integer({ min: 1, max: 2 ** 31 - 1 });

describe('etagOf', () => {
  it('is a strong tag, different for each version', () => {
    fc.assert(
      fc.property(anyVersion, anyVersion, (one, other) => {
        expect(etagOf(one)).toMatch(/^"[1-9]\d*"$/);
        expect(etagOf(one) === etagOf(other)).toBe(one === other);
      }),
    );
  });
});

describe('matchesVersion', () => {
  it('finds the tag of its version anywhere in a list, and no other', () => {
    const anyList = fc.array(anyVersion, { maxLength: 5 });
    fc.assert(
      fc.property(anyVersion, anyList, fc.constantFrom(',', ', ', ' ,\t'), (version, others, comma) => {
        const tags = others.map(etagOf);
        expect(matchesVersion(tags.join(comma), version)).toBe(others.includes(version));
        expect(matchesVersion([...tags, etagOf(version), ...tags].join(comma), version)).toBe(true);
      }),
    );
  });

  it.each(['*', ' * ', '"5", *'])('%j matches any version', (ifMatch) => {
    expect([1, 5, 7].map((version) => matchesVersion(ifMatch, version))).toEqual([true, true, true]);
  });

  it.each([
    ...['W/"5"', 'w/"5"', '"5-gzip"', 'W/"5-br"', '"5--gzip"', '"5;gzip"', '"5"-gzip', '"5-zstd"'],
    'W/"6", "5"',
  ])('%j matches its version, as proxies return it', (ifMatch) => {
    expect([1, 5, 7].map((version) => matchesVersion(ifMatch, version))).toEqual([false, true, false]);
  });

  it.each([
    ...['5', "'5'", '"5', '5"', '"05"', '"5 "', '" 5"', '"55"', '"*"', '', ' ', ',', '"5"x', 'W/5'],
    ...['"55-gzip"', '"5-1"', '"5 gzip"', '"-gzip"'],
  ])('%j does not match version 5', (ifMatch) => expect(matchesVersion(ifMatch, 5)).toBe(false));
});
