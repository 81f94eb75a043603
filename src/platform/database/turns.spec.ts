import { setImmediate as nextTick } from 'node:timers/promises';
import { Turns } from './turns.js';

/** Calls that run until they are ended, by name: the first letter is the key. */
function stageOf(turns: Turns) {
  const running = new Map<string, () => void>();
  const begun: string[] = [];
  return {
    begun,
    call: (name: string) =>
      turns.run(name[0]!, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => running.set(name, resolve));
        return name;
      }),
    end: async (name: string) => {
      running.get(name)!();
      running.delete(name);
      await nextTick();
    },
    running: () => [...running.keys()],
  };
}

describe('turns', () => {
  it('run the calls of a key one at a time, in order', async () => {
    const { call, end, running } = stageOf(new Turns({ slots: 5, waitMs: 60_000 }));
    const calls = ['a1', 'a2', 'a3'].map(call);
    for (const name of ['a1', 'a2', 'a3']) {
      await nextTick();
      expect(running()).toEqual([name]);
      await end(name);
    }
    expect(await Promise.all(calls)).toEqual(['a1', 'a2', 'a3']);
  });

  it('let the other keys pass between two calls of one key', async () => {
    const { call, end, begun } = stageOf(new Turns({ slots: 1, waitMs: 60_000 }));
    const calls = ['a1', 'a2', 'a3', 'b1', 'c1'].map(call);
    for (const name of ['a1', 'b1', 'c1', 'a2', 'a3']) {
      await nextTick();
      await end(name);
    }
    await Promise.all(calls);
    expect(begun).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('run at most as many calls as there are slots', async () => {
    const { call, end, running } = stageOf(new Turns({ slots: 2, waitMs: 60_000 }));
    const calls = ['a1', 'b1', 'c1', 'd1'].map(call);
    await nextTick();
    expect(running()).toEqual(['a1', 'b1']);
    await end('b1');
    expect(running()).toEqual(['a1', 'c1']);
    for (const name of ['a1', 'c1', 'd1']) await end(name);
    await Promise.all(calls);
  });

  it('go on after a call that fails', async () => {
    const turns = new Turns({ slots: 1, waitMs: 60_000 });
    const failing = turns.run('a', () => Promise.reject(new RangeError()));
    const next = turns.run('a', () => Promise.resolve('next'));
    await expect(failing).rejects.toThrow(RangeError);
    await expect(next).resolves.toBe('next');
  });

  it('refuse a call that waits too long, and skip its turn', async () => {
    const { call, end, begun } = stageOf(new Turns({ slots: 1, waitMs: 10 }));
    const first = call('a1');
    const late = [call('a2'), call('b1')];
    const refused = { status: 'rejected', reason: { codigo: 'no_disponible', status: 503 } };
    expect(await Promise.allSettled(late)).toMatchObject([refused, refused]);
    await end('a1');
    await first;
    for (const name of ['a3', 'b2']) {
      const after = call(name);
      await nextTick();
      await end(name);
      await after;
    }
    expect(begun).toEqual(['a1', 'a3', 'b2']);
  });
});
