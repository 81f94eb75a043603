import fc from 'fast-check';
import { excessOf, type JsonLimits } from './json-shape.js';

const LIMITS: JsonLimits = { levels: 3, names: 2 };

describe('excessOf', () => {
  it.each<[excess: string | undefined, text: string]>([
    [undefined, '{"a":{"b":[1,2,3]},"c":[[0]]}'],
    ['levels', '[[[[]]]]'],
    ['levels', '{"a":[{"b":{}}]}'],
    ['levels', '[[[['],
    [undefined, '[[[]],[[]]]'],
    ['names', '{"a":1,"b":2,"c":3}'],
    ['names', '[[{"a":1,"b":2,"c":3'],
    [undefined, '[{"a":1,"b":2},{"a":1,"b":2}]'],
    [undefined, '{"a":{"b":1,"c":2},"d":{"b":1,"c":2}}'],
    // Text is no structure.
    [undefined, '{"[[[[":"::::{{{{"}'],
    [undefined, String.raw`["\"[[[[", "\\", "\\\"[[[["]`],
    ['levels', String.raw`["\\", [[[]]]]`],
    // Not JSON.
    [undefined, ''],
    [undefined, ':::]]}}'],
    [undefined, '"[[[['],
  ])('is %s of %s', (excess, text) => {
    expect(excessOf(Buffer.from(text), LIMITS)).toBe(excess);
  });

  it('finds what counting the parsed value finds', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        const value: unknown = JSON.parse(text);
        const excess = excessOf(Buffer.from(text), { levels: 3, names: 1_000 });
        expect(excess === 'levels').toBe(levelsOf(value) > 3);
      }),
    );
  });
});

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}
