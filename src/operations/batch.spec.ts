import { pino } from 'pino';
import { indexesByGuia, serveBatch } from './batch.js';

const [ID, NUMERO] = ['01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', '483920175567'];
const at = (ocurrido_en: unknown, guia: unknown = NUMERO) => ({ guia, ocurrido_en });

describe('the order in which a batch is served', () => {
  it.each<[what: string, items: unknown[], order: number[][]]>([
    ['by time', [at('2026-01-01T10:00:00Z'), at('2026-01-01T09:00:00Z')], [[1, 0]]],
    [
      'by instant, whatever the offset',
      [at('2026-01-01T10:00:00Z'), at('2026-01-01T11:00:00+02:00')],
      [[1, 0]],
    ],
    ['as sent at the same time', [at('2026-01-01T09:00:00Z'), at('2026-01-01T09:00:00.000Z')], [[0, 1]]],
    ['without a time last', [at(undefined), at('2026-01-01T09:00:00Z'), at(null)], [[1, 0, 2]]],
    ['with an unreadable time last', [at('ayer'), at(5), at('2026-01-01T09:00:00Z')], [[2, 0, 1]]],
    ['each guide by itself', [at('2026-01-02T00:00:00Z', 'a'), at('2026-01-01T00:00:00Z', 'b')], [[0], [1]]],
    [
      'one guide under two spellings of its name',
      [at(undefined, 'A '), at('2026-01-01T00:00:00Z', 'a')],
      [[1, 0]],
    ],
    [
      'all together where ids and numbers are mixed',
      [at(undefined, ID), at('2026-01-01T00:00:00Z')],
      [[1, 0]],
    ],
    ['what is no event', [null, 5, {}], [[0, 1, 2]]],
    ['names of guides', ['a', 'b', 'a'], [[0, 2], [1]]],
  ])('is %s', (_, items, order) => {
    expect(indexesByGuia(items)).toEqual(order);
  });
});

describe('a batch', () => {
  it('serves no later item of a guide that it has failed to serve: both may be sent again', async () => {
    const failing = { guia: 'a', n: 1 };
    const results = await serveBatch([failing, { guia: 'a', n: 2 }, { guia: 'b', n: 3 }], {
      read: (item) => () =>
        item === failing ? Promise.reject(new Error('a fault of ours')) : Promise.resolve({ ok: true }),
      ...{ deadline: performance.now() + 60_000, late: 'Otra vez.', logger: pino({ enabled: false }) },
    });
    expect(results).toMatchObject([{ status: 500 }, { status: 503, detail: 'Otra vez.' }, { ok: true }]);
  });
});
