import { labelRow } from '../../test/support/label-rows.js';
import { renderLabels } from './render.js';

/** Turns of the event loop while something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

describe('renderLabels', () => {
  const render = (count: number) => renderLabels(Array(count).fill(labelRow()), 'zpl', '100x150', Infinity);

  it('lets other work run before each label', async () => {
    expect(await turnsDuring(render(20))).toBeGreaterThanOrEqual(20);
  });

  it('draws one label at a time, however many requests there are', async () => {
    const work = Promise.all([render(10), render(10), render(10)]);
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(30);
  });

  it('goes on after a request that failed', async () => {
    const broken = renderLabels([labelRow({ creada_en: 'never' })], 'zpl', '100x150', Infinity);
    await expect(broken).rejects.toThrow(RangeError);
    expect((await render(1)).toString()).toMatch(/\^XZ\n$/);
  });

  it('stops at its deadline', async () => {
    const late = renderLabels([labelRow()], 'pdf', '100x150', performance.now());
    await expect(late).rejects.toMatchObject({ codigo: 'no_disponible' });
  });
});
