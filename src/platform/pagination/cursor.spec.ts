import fc from 'fast-check';
import { decodeCursor, encodeCursor, type CursorScope, type Position } from './cursor.js';

const KEY = Buffer.alloc(32, 1);
const ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const SCOPE: CursorScope = {
  comercioId: 'aaaaaaaa-0000-7000-8000-000000000001',
  order: 'id',
  filters: ['aceptado', 'x', 'y'],
};
const CURSOR = encodeCursor({ id: ID }, SCOPE, KEY);

const BY_TIME: CursorScope = { ...SCOPE, order: 'time' };
const PLACE: Position = { id: ID, ms: 1_795_219_200_123 };
const CURSOR_BY_TIME = encodeCursor(PLACE, BY_TIME, KEY);

/** A cursor of each order. */
const CURSORS = [
  ['id', CURSOR, SCOPE],
  ['time', CURSOR_BY_TIME, BY_TIME],
] as const;

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const anyScope = fc.record({
  comercioId: fc.uuid(),
  order: fc.constantFrom('id' as const, 'time' as const),
  filters: fc.array(fc.option(fc.string(), { nil: undefined }), { maxLength: 4 }),
});
const anyPosition = fc.record({ id: fc.uuid(), ms: fc.nat(2 ** 48 - 1) });
const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes));

describe('cursor', () => {
  it('gives the position back under the same merchant, order, filters and key', () => {
    fc.assert(
      fc.property(anyPosition, anyScope, anyKey, (position, scope, key) => {
        const expected = scope.order === 'id' ? { id: position.id } : position;
        expect(decodeCursor(encodeCursor(position, scope, key), scope, key)).toEqual(expected);
      }),
    );
  });

  it.each([
    [['aceptado', 'x', 'y'], 'AaH-os8DfzqcRCuObw0aV3hKdiM0y6txBtacQHFJ'],
    [[undefined, undefined, undefined], 'AaH-os8DfzqcRCuObw0aVyohgaBiiroBnM3QuRi6'],
  ])('by id under %j equals cursors that were issued before there were two orders', (filters, cursor) => {
    expect(encodeCursor({ id: ID }, { ...SCOPE, filters }, KEY)).toBe(cursor);
  });

  it.each(CURSORS)('by %s is refused in the other order, even with the same filters', (...at) => {
    const [, cursor, scope] = at;
    const other = scope.order === 'id' ? 'time' : 'id';
    expect(decodeCursor(cursor, { ...scope, order: other }, KEY)).toBeUndefined();
  });

  it('by time holds any millisecond from 0 to 2⁴⁸ - 1', () => {
    for (const ms of [0, 1, 2 ** 48 - 1]) {
      expect(decodeCursor(encodeCursor({ id: ID, ms }, BY_TIME, KEY), BY_TIME, KEY)).toEqual({ id: ID, ms });
    }
  });

  it('needs no escaping in a URL', () => {
    fc.assert(
      fc.property(anyPosition, anyScope, (position, scope) => {
        const cursor = encodeCursor(position, scope, KEY);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  it.each(CURSORS)('by %s is refused after any edit of any single character', (_, cursor, scope) => {
    const characters = [...ALPHABET, '=', '+', '/', ' ', '%', '\0', '\n', 'é', '😀'];
    const accepted = [...cursor].flatMap((original, at) =>
      characters
        .filter((character) => character !== original)
        .map((character) => cursor.slice(0, at) + character + cursor.slice(at + 1))
        .filter((edited) => decodeCursor(edited, scope, KEY) !== undefined),
    );
    expect(accepted).toEqual([]);
  });

  it.each(CURSORS)('by %s is refused truncated anywhere', (_, cursor, scope) => {
    const parts = [...cursor].flatMap((_character, at) => [cursor.slice(0, at), cursor.slice(at + 1)]);
    expect(parts.filter((part) => decodeCursor(part, scope, KEY) !== undefined)).toEqual([]);
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
      fc.property(fc.constantFrom(...CURSORS), anyScope, anyKey, ([, cursor, own], scope, key) => {
        fc.pre(JSON.stringify(scope) !== JSON.stringify(own) && !key.equals(KEY));
        expect(decodeCursor(cursor, scope, KEY)).toBeUndefined();
        expect(decodeCursor(cursor, own, key)).toBeUndefined();
      }),
    );
  });

  it('is refused, without a throw, if it is any other text', () => {
    const anyText = fc.oneof(
      fc.array(fc.nat(0xffff), { maxLength: 80 }).map((units) => String.fromCharCode(...units)),
      ...[40, 48].map((length) =>
        fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: length, maxLength: length }),
      ),
    );
    fc.assert(
      fc.property(anyText, (text) =>
        [SCOPE, BY_TIME].every((scope) => decodeCursor(text, scope, KEY) === undefined),
      ),
    );
  });
});
