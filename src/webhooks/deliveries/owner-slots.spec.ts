import { OwnerSlots } from './owner-slots.js';

/** Attempts that end when told; `begun` has their names in the order in which they began. */
function setUp(limit: number) {
  const slots = new OwnerSlots(limit);
  const begun: string[] = [];
  const attempt = (merchant: string, name: string) => {
    let end!: (error?: Error) => Promise<void>;
    const running = slots.run(merchant, () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => {
        end = (error) => {
          if (error) reject(error);
          else resolve();
          return running.catch(() => undefined);
        };
      });
    });
    return { end: (error?: Error) => end(error), running };
  };
  return { attempt, begun };
}

describe('the slots of owners', () => {
  it('let so many attempts of a merchant run, and the others in their order', async () => {
    const { attempt, begun } = setUp(2);
    const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => attempt('tienda', name));
    expect(begun).toEqual(['a', 'b']);
    await b!.end();
    expect(begun).toEqual(['a', 'b', 'c']);
    await a!.end();
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    await Promise.all([c!.end(), d!.end()]);
    attempt('tienda', 'e');
    attempt('tienda', 'f');
    attempt('tienda', 'g');
    expect(begun).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('are not shared between merchants', () => {
    const { attempt, begun } = setUp(1);
    for (const merchant of ['una', 'otra']) for (const name of ['a', 'b']) attempt(merchant, merchant + name);
    expect(begun).toEqual(['unaa', 'otraa']);
  });

  it('are free again after an attempt that throws', async () => {
    const { attempt, begun } = setUp(1);
    const failing = attempt('tienda', 'a');
    attempt('tienda', 'b');
    const failure = expect(failing.running).rejects.toThrow('defect');
    await failing.end(new Error('defect'));
    await failure;
    expect(begun).toEqual(['a', 'b']);
  });
});
