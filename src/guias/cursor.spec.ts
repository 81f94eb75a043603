import fc from 'fast-check';
import { decodeCursor, encodeCursor, type CursorScope } from './cursor.js';

const KEY = Buffer.alloc(32, 1);
const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const SCOPE: CursorScope = {
  comercioId: 'aaaaaaaa-0000-7000-8000-000000000001',
  filters: ['aceptado', 'x', 'y'],
};
const CURSOR = encodeCursor(ID, SCOPE, KEY);

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const anyScope = fc.record({
  comercioId: fc.uuid(),
  filters: fc.array(fc.option(fc.string(), { nil: undefined }), { maxLength: 4 }),
});
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('cursor', () => {
  it('gives the id back under the same merchant, filters and key', () => {
    fc.assert(
      fc.property(fc.uuid(), anyScope, anyKey, (id, scope, key) => {
        expect(decodeCursor(encodeCursor(id, scope, key), scope, key)).toBe(id);
      }),
    );
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(fc.uuid(), anyScope, (id, scope) => {
        const cursor = encodeCursor(id, scope, KEY);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  it('is refused after any edit of any single character', () => {
    const characters = [...ALPHABET, '=', '+', '/', ' ', '%', '\0', '\n', 'é', '😀'];
    const accepted = [...CURSOR].flatMap((original, at) =>
      characters
        .filter((character) => character !== original)
        .map((character) => CURSOR.slice(0, at) + character + CURSOR.slice(at + 1))
        .filter((edited) => decodeCursor(edited, SCOPE, KEY) !== undefined),
    );
    expect(accepted).toEqual([]);
  });

  it('is refused truncated anywhere', () => {
    const parts = [...CURSOR].flatMap((_, at) => [CURSOR.slice(0, at), CURSOR.slice(at + 1)]);
    expect(parts.filter((part) => decodeCursor(part, SCOPE, KEY) !== undefined)).toEqual([]);
  });

  it.each(['A', '=', '==', '\n', ' ', '\0', CURSOR])('is refused when extended by %j', (more) => {
    expect(decodeCursor(CURSOR + more, SCOPE, KEY)).toBeUndefined();
    expect(decodeCursor(more + CURSOR, SCOPE, KEY)).toBeUndefined();
  });

  it('is refused with two characters swapped', () => {
    fc.assert(
      fc.property(fc.nat(39), fc.nat(39), (a, b) => {
        fc.pre(CURSOR[a] !== CURSOR[b]);
        const characters = [...CURSOR];
        [characters[a], characters[b]] = [characters[b]!, characters[a]!];
        expect(decodeCursor(characters.join(''), SCOPE, KEY)).toBeUndefined();
      }),
    );
  });

  it.each<[string, CursorScope]>([
    ['another merchant', { ...SCOPE, comercioId: 'aaaaaaaa-0000-7000-8000-000000000002' }],
    ['another filter', { ...SCOPE, filters: ['recogido', 'x', 'y'] }],
    ['a filter dropped', { ...SCOPE, filters: [undefined, 'x', 'y'] }],
    ['a filter fewer', { ...SCOPE, filters: ['aceptado', 'x'] }],
    ['a filter more', { ...SCOPE, filters: ['aceptado', 'x', 'y', undefined] }],
    ['filters in another order', { ...SCOPE, filters: ['aceptado', 'y', 'x'] }],
    ['filters cut elsewhere', { ...SCOPE, filters: ['aceptado', 'x","y'] }],
  ])('is refused with %s', (_what, scope) => {
    expect(decodeCursor(CURSOR, scope, KEY)).toBeUndefined();
  });

  it('is refused under any other merchant, filters or key', () => {
    fc.assert(
      fc.property(anyScope, anyKey, (scope, key) => {
        fc.pre(JSON.stringify(scope) !== JSON.stringify(SCOPE) && !key.equals(KEY));
        expect(decodeCursor(CURSOR, scope, KEY)).toBeUndefined();
        expect(decodeCursor(CURSOR, SCOPE, key)).toBeUndefined();
      }),
    );
  });

  it('never throws and accepts nothing that we did not make', () => {
    const anyText = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
      fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 40, maxLength: 40 }),
    );
    fc.assert(fc.property(anyText, (text) => decodeCursor(text, SCOPE, KEY) === undefined));
  });
});
