import { setImmediate as nextTurn } from 'node:timers/promises';
import { ThreadTurns } from './thread-turns.js';

/** Turns as of files of which two are read at once, and the files that it has begun; each ends when it is told to. */
function turnsOf() {
  const turns = new ThreadTurns({ running: 2, ofMerchant: 2, refusal: 'Espere.' });
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const read = (file: string, signal = new AbortController().signal) =>
    turns.run(file[0]!, signal, async () => {
      begun.push(file);
      await new Promise<void>((resolve) => ends.set(file, resolve));
    });
  const end = async (file: string) => {
    ends.get(file)!();
    await nextTurn();
  };
  return { read, begun, end };
}

describe('ThreadTurns', () => {
  it('reads two files at once, of each merchant one', async () => {
    const { read, begun, end } = turnsOf();
    const all = ['a1', 'a2', 'b1', 'c1'].map((file) => read(file));
    await nextTurn();
    expect(begun).toEqual(['a1', 'b1']);
    await end('b1');
    expect(begun).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2']);
    await end('c1');
    await end('a2');
    await Promise.all(all);
  });

  it('refuses the third of a merchant, and no other', async () => {
    const { read, begun, end } = turnsOf();
    const all = [read('a1'), read('a2')];
    await expect(read('a3')).rejects.toMatchObject({
      codigo: 'demasiadas_solicitudes',
      detail: 'Espere.',
      headers: { 'Retry-After': '5' },
    });
    all.push(read('b1'));
    await nextTurn();
    expect(begun).toEqual(['a1', 'b1']);
    for (const file of ['a1', 'b1', 'a2']) await end(file);
    await Promise.all(all);
  });

  it('never begins what was given up while it waited', async () => {
    const { read, begun, end } = turnsOf();
    const given = new AbortController();
    const first = read('a1');
    const second = read('a2', given.signal);
    given.abort();
    await expect(second).rejects.toMatchObject({ codigo: 'no_disponible' });
    await expect(read('b1', given.signal)).rejects.toMatchObject({ codigo: 'no_disponible' });
    await end('a1');
    await first;
    expect(begun).toEqual(['a1']);
  });
});
