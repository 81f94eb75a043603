import { Secrets } from '../config/secrets.js';
import type { CursorScope } from './cursor.js';
import { Page, positionOf } from './page.js';

const { cursorKey } = new Secrets('a secret for tests, thirty-two bytes or more');
const SCOPE: CursorScope = { comercioId: 'm', order: 'id', filters: [] };
const rowsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `00000000-0000-7000-8000-00000000000${first + n}` }));
const open = (request: { limit?: string; cursor?: string }) => new Page(request, SCOPE, cursorKey);
const pageOf = (page: Page, count: number) => page.of('cosas', rowsFrom(1, count), (last) => last);

describe('Page', () => {
  it('queries one row more than it shows', () => {
    const page = open({ limit: '3' });
    expect(page.rows).toBe(4);
    expect(pageOf(page, 4).cosas).toEqual(rowsFrom(1, 3));
  });

  it('shows what is made of each row', () => {
    const { cosas } = open({ limit: '1' }).of(
      'cosas',
      rowsFrom(1, 2),
      (last) => last,
      ({ id }) => id.at(-1),
    );
    expect(cosas).toEqual(['1']);
  });

  it('starts the next page after the last row shown', () => {
    const cursor = pageOf(open({ limit: '3' }), 4).siguiente_cursor!;
    expect(open({ cursor }).after).toEqual(rowsFrom(3, 1)[0]);
  });

  it.each([0, 1, 3])('has no next page after %i rows of 3', (count) => {
    expect(pageOf(open({ limit: '3' }), count)).toEqual({
      cosas: rowsFrom(1, count),
      siguiente_cursor: null,
    });
  });

  it('starts at the first row without a cursor', () => {
    expect(open({}).after).toBeUndefined();
  });

  it('refuses a cursor of another scope, and any other text', () => {
    const cursor = pageOf(open({ limit: '1' }), 2).siguiente_cursor!;
    const refusal = expect.objectContaining({ codigo: 'cursor_invalido' });
    expect(() => new Page({ cursor }, { ...SCOPE, comercioId: 'n' }, cursorKey)).toThrow(refusal);
    expect(() => positionOf({ cursor: 'x' }, SCOPE, cursorKey)).toThrow(refusal);
  });
});
