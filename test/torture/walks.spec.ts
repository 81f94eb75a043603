import { faultsOfWalk, Walks } from './walks.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import type { Acknowledgement } from './clients.js';

/** Acknowledgements of so many guides, the oldest first. */
const journalOf = (count: number): Acknowledgement[] =>
  Array.from({ length: count }, (_, n) => ({
    ref: `pedido-${n}`,
    id: `id-${n}`,
    guia: `GT${n}`,
    status: 201,
  }));

describe('what is wrong with a walk', () => {
  it.each([
    ['each guide once, whatever the order', [5, 3, 4, 0, 2, 1], []],
    ['the oldest skipped', [5, 4, 3, 2, 1], ['skipped GT0, which was acknowledged before it']],
    ['one repeated two pages later', [5, 4, 3, 2, 5, 1, 0], ['showed GT5 twice']],
    [
      'one skipped beside one repeated',
      [5, 4, 3, 3, 1, 0],
      ['showed GT3 twice', 'skipped GT2, which was acknowledged before it'],
    ],
  ])('is told of %s', (_, shown, faults) => {
    const journal = journalOf(6);
    const found = faultsOfWalk(
      journal,
      shown.map((n) => journal[n]!),
    );
    expect(found).toEqual(faults.map((fault) => `a walk ${fault}`));
    // One that is shown, and was created while the walk went, is no fault.
    expect(faultsOfWalk(journal.slice(0, 4), journal)).toEqual([]);
  });
});

/** The API, as far as a walk sees it, with the faults that a test gives it. */
describe('walks through a list', () => {
  let api: HttpStub;
  const journal = journalOf(7);
  const listed = journal.toReversed();

  beforeAll(async () => {
    api = await startHttpStub();
  });
  afterEach(() => api.reset());
  afterAll(() => api.close());

  /** Pages of three, in which `over` has changed what is listed. */
  const serve = (over: (guias: Acknowledgement[]) => Acknowledgement[]) => {
    const guias = over(listed.slice());
    api.otherwise(({ path }) => {
      const from = Number(new URL(path, api.url).searchParams.get('cursor') ?? 0);
      const siguiente_cursor = from + 3 < guias.length ? String(from + 3) : null;
      return { json: { ok: true, guias: guias.slice(from, from + 3), siguiente_cursor } };
    });
  };

  /** The verdict of one walk. */
  const walk = () => {
    const walks = new Walks('clave', () => api.url, journal);
    walks.start();
    return walks.end();
  };

  it('report the guide that a list skips and the one that it repeats', async () => {
    serve((guias) => guias.toSpliced(2, 2, guias[2]!, guias[2]!));
    expect(await walk()).toMatchObject({
      trials: 1,
      violations: ['a walk showed GT4 twice', 'a walk skipped GT3, which was acknowledged before it'],
    });
  });

  it('retry a failed page, and continue from there', async () => {
    serve((guias) => guias);
    api.answer({ status: 503 }, { fault: 'reset' });
    expect(await walk()).toMatchObject({ trials: 1, violations: [] });
    expect(api.requests.map(({ path }) => new URL(path, api.url).searchParams.get('cursor'))).toEqual([
      ...[null, null, null, '3', '6'],
    ]);
  });

  it('end with an error where a page is refused for good', async () => {
    api.otherwise({ status: 400, json: {} });
    await expect(walk()).rejects.toThrow('a page was answered with 400');
  });
});
