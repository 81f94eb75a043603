import { TimeoutError, withTimeout } from './with-timeout.js';

describe('withTimeout', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('returns what the promise brings in time, and leaves no timer', async () => {
    await expect(withTimeout(10, Promise.resolve('answer'))).resolves.toBe('answer');
    await expect(withTimeout(10, Promise.reject(new RangeError()))).rejects.toThrow(RangeError);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('throws TimeoutError after the limit, and ignores a later failure', async () => {
    const failing = new Promise((_, reject) => setTimeout(() => reject(new RangeError()), 20));
    const waiting = expect(withTimeout(10, failing)).rejects.toThrow(TimeoutError);
    await jest.advanceTimersByTimeAsync(30);
    await waiting;
  });
});
