import metadata from 'libphonenumber-js/metadata.max.json' with { type: 'json' };
import { SUBSCRIBER_LENGTHS } from './subscriber-lengths.js';

/** Positions in libphonenumber's metadata. */
const LENGTHS = 3;
const TYPES = 11;
const [FIXED_LINE, MOBILE, PERSONAL, VOIP] = [0, 1, 4, 8];

type Country = (number[] | (([string, number[]?] | 0)[] | undefined))[];

it('are those of the full metadata where they differ from all lengths', () => {
  const expected: Record<string, number[]> = {};
  for (const [code, country] of Object.entries(metadata.countries as unknown as Record<string, Country>)) {
    const all = country[LENGTHS] as number[];
    const types = (country[TYPES] ?? []) as ([string, number[]?] | 0)[];
    const lengths = [FIXED_LINE, MOBILE, PERSONAL, VOIP].flatMap((type) => {
      const meta = types[type];
      return meta ? (meta[1] ?? all) : [];
    });
    const own = [...new Set(lengths)].sort((one, other) => one - other);
    if (own.length > 0 && own.join() !== all.join()) expected[code] = own;
  }
  expect(SUBSCRIBER_LENGTHS).toEqual(expected);
});
