import { Attempts } from './attempts.js';

/** A promise, and what settles it. */
function gate<T>() {
  let open!: (value: T) => void;
  let fail!: (error: Error) => void;
  const promise = new Promise<T>((resolve, reject) => ([open, fail] = [resolve, reject]));
  return { promise, open, fail };
}

describe('attempts of one endpoint', () => {
  it('leave room for another once one has its response, also while that is being recorded', async () => {
    const attempts = new Attempts(2);
    const [first, second, recorded] = [gate<number>(), gate<number>(), gate<void>()];
    attempts.begin(
      'a',
      () => first.promise,
      () => recorded.promise,
    );
    await attempts.room();
    attempts.begin(
      'b',
      () => second.promise,
      () => Promise.resolve(),
    );
    let hasRoom = false;
    const room = attempts.room().then(() => (hasRoom = true));
    await Promise.resolve();
    expect(hasRoom).toBe(false);
    first.open(1);
    await room;
    expect([...attempts.ids]).toEqual(['a', 'b']);
    recorded.open();
    second.open(2);
    await attempts.end();
    expect([...attempts.ids]).toEqual([]);
  });

  it('end after all are recorded, and keep why some could not be made or recorded', async () => {
    const attempts = new Attempts(3);
    const outcomes: number[] = [];
    attempts.begin(
      'a',
      () => Promise.reject(new Error('no signature')),
      () => Promise.resolve(),
    );
    attempts.begin(
      'b',
      () => Promise.resolve(7),
      () => Promise.reject(new Error('no database')),
    );
    attempts.begin(
      'c',
      () => Promise.resolve(8),
      (outcome) => Promise.resolve(void outcomes.push(outcome)),
    );
    await attempts.end();
    expect(attempts.errors.map(String).sort()).toEqual(['Error: no database', 'Error: no signature']);
    expect(outcomes).toEqual([8]);
    expect(attempts.ids.size).toBe(0);
  });

  it('are waited for no longer than asked', async () => {
    const attempts = new Attempts(1);
    const hanging = gate<number>();
    attempts.begin(
      'a',
      () => hanging.promise,
      () => Promise.resolve(),
    );
    await attempts.end(1);
    expect([...attempts.ids]).toEqual(['a']);
    hanging.open(1);
    await attempts.end();
  });
});
