import { Session } from 'node:inspector/promises';
import { eventually } from '../../test/support/eventually.js';
import { releaseMemory, releaseMemoryWhenIdle } from './release-memory.js';

/** Objects that nothing refers to. */
const garbage = () => Array.from({ length: 3 }, () => new WeakRef({ of: 'the start' }));
const left = (refs: WeakRef<object>[]) => refs.filter((ref) => ref.deref() !== undefined).length;

describe('releaseMemoryWhenIdle', () => {
  it('collects the garbage once the process was idle', async () => {
    const refs = garbage();
    releaseMemoryWhenIdle(50);
    await eventually(() => expect(left(refs)).toBe(0));
  });
});

describe('releaseMemory', () => {
  it('does nothing where Node denies its inspector', async () => {
    jest.spyOn(Session.prototype, 'connect').mockImplementation(() => {
      throw Object.assign(new Error('denied'), { code: 'ERR_ACCESS_DENIED' });
    });
    await expect(releaseMemory()).resolves.toBeUndefined();
  });
});
