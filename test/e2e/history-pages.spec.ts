import { Lives } from '../support/lives.js';
import { expectProblem } from '../support/problem.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('GET /api/v1/guias/{id}/eventos', () => {
  /** A guide with nine events. */
  let long: { id: string; guia: string };

  const test = useSharedApp();
  const merchant = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const lives = new Lives(test, merchant);

  beforeAll(async () => {
    long = await lives.create();
    for (let i = 0; i < 8; i++)
      await operator.move(long.id, { estado: i % 2 ? 'aceptado' : 'en_camino_a_recoger' });
  });

  const page = (name: string, query = '', by = merchant) => by.get(`${GUIAS}/${name}/eventos${query}`);
  const walk = async (limit: number) => {
    const sizes: number[] = [];
    const events: any[] = [];
    let cursor = '';
    do {
      const { status, body } = await page(long.id, `?limit=${limit}${cursor}`);
      expect([status, Object.keys(body)]).toEqual([200, ['ok', 'eventos', 'siguiente_cursor']]);
      sizes.push(body.eventos.length);
      events.push(...body.eventos);
      cursor = body.siguiente_cursor === null ? '' : `&cursor=${body.siguiente_cursor}`;
    } while (cursor);
    return { sizes, events };
  };

  it.each([1, 3, 10])('returns every event once, in order, in pages of %d', async (limit) => {
    const { sizes, events } = await walk(limit);
    expect(events).toEqual((await page(long.guia)).body.eventos);
    expect(events.map(({ secuencia }) => secuencia)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    const full = Array<number>(Math.ceil(9 / limit) - 1).fill(limit);
    expect(sizes).toEqual([...full, 9 - full.length * limit]);
  });

  it('continues after the cursor, including events recorded since', async () => {
    const guia = await lives.create();
    await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    const { siguiente_cursor } = (await page(guia.id, '?limit=1')).body;
    await operator.move(guia.id, { estado: 'recogido' });
    const rest = (await page(guia.id, `?limit=5&cursor=${siguiente_cursor}`)).body;
    expect(rest.eventos.map(({ secuencia }: any) => secuencia)).toEqual([2, 3]);
    expect(rest.siguiente_cursor).toBeNull();
  });

  it('refuses a cursor of another history', async () => {
    const other = await test.merchant();
    const theirs = new Lives(test, other);
    const [mine, foreign] = [await lives.create(), await theirs.create()];
    for (const guia of [mine, foreign]) await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    await theirs.create();
    const cursors = {
      'of another guide': (await page(mine.id, '?limit=1')).body.siguiente_cursor,
      'of another merchant': (await page(foreign.id, '?limit=1', other)).body.siguiente_cursor,
      'of the list of guides': (await merchant.get(`${GUIAS}?limit=1`)).body.siguiente_cursor,
      edited: (await page(long.id, '?limit=1')).body.siguiente_cursor.replace(/.$/, (c: string) =>
        c === 'A' ? 'B' : 'A',
      ),
      malformed: 'x',
    };
    for (const [what, cursor] of Object.entries(cursors)) {
      const answer = await page(long.id, `?cursor=${cursor}`);
      expect({ what, cursor: typeof cursor, status: answer.status }).toEqual({
        what,
        cursor: 'string',
        status: 400,
      });
      expectProblem(answer, 'cursor_invalido');
    }
    const own = (await page(long.id, '?limit=1')).body.siguiente_cursor;
    expectProblem(await merchant.get(`${GUIAS}?cursor=${own}`), 'cursor_invalido');
  });
});
