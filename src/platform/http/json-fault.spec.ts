import fc from 'fast-check';
import { findJsonFault, placeOf } from './json-fault.js';

/** What JSON.parse says; its message has the place of some faults. */
function parse(text: string): { isJson: boolean; at?: number } {
  try {
    JSON.parse(text);
    return { isJson: true };
  } catch (error) {
    const at = / at position (\d+)/.exec((error as Error).message)?.[1];
    return { isJson: false, ...(at !== undefined && { at: Number(at) }) };
  }
}

describe('findJsonFault', () => {
  it.each([
    ['', 0],
    [' \n', 2],
    ['{', 1],
    ['{"a"', 4],
    ['{"a":', 5],
    ['{"a":1', 6],
    ['[1,', 3],
    ['"abc', 4],
    ['"ab\\', 3],
    ['"ab\\x"', 3],
    ['"ab\\u12g4"', 3],
    ['"a\tb"', 2],
    ['{"a":1,}', 7],
    ['{,}', 1],
    ['[1,]', 3],
    ['[,1]', 1],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a" 1}', 5],
    ['{"a"::1}', 5],
    ['{a:1}', 1],
    ["{'a':1}", 1],
    ['{"a":NaN}', 5],
    ['{"a":undefined}', 5],
    ['{"a":01}', 6],
    ['{"a":.5}', 5],
    ['{"a":+5}', 5],
    ['{"a":1}}', 7],
    ['{"a":1}{}', 7],
    ['/* x */{}', 0],
    ['{"a":“b”}', 5],
    ['{\u00a0"a":1}', 1],
  ])('finds the fault of %j at %d', (text, at) => {
    expect(findJsonFault(text)).toBe(at);
    expect(parse(text).isJson).toBe(false);
  });

  it('finds no fault in JSON', () => {
    fc.assert(fc.property(fc.json({ maxDepth: 5 }), (json) => findJsonFault(json) === undefined));
  });

  it('agrees with JSON.parse on which texts are JSON, and never passes the place that it names', () => {
    const edit = fc.tuple(fc.nat(200), fc.nat(3), fc.constantFrom(...'{}[],:"\\\n\t 01.eE-+tnu\0', ''));
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), fc.array(edit, { minLength: 1, maxLength: 3 }), (json, edits) => {
        let text = json;
        for (const [at, removed, added] of edits) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + added + text.slice(place + removed);
        }
        const { isJson, at } = parse(text);
        const found = findJsonFault(text);
        expect(found === undefined).toBe(isJson);
        if (at !== undefined && found !== undefined) expect(found).toBeLessThanOrEqual(at);
      }),
      { numRuns: 3_000 },
    );
  });

  it('needs no stack for deep nesting', () => {
    const depth = 200_000;
    expect(findJsonFault('['.repeat(depth))).toBe(depth);
    expect(findJsonFault('{"a":'.repeat(depth))).toBe(5 * depth);
  });
});

describe('placeOf', () => {
  it.each([
    [0, 'abc', 'línea 1, columna 1'],
    [2, 'abc', 'línea 1, columna 3'],
    [2, 'a\nbc', 'línea 2, columna 1'],
    [1, 'a\nbc', 'línea 1, columna 2'],
    [5, 'a\r\n\nb', 'línea 3, columna 2'],
  ])('of index %d of %j is %s', (index, text, place) => {
    expect(placeOf(index, text)).toBe(place);
  });
});
