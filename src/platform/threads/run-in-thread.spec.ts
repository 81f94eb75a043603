import { runInThread } from './run-in-thread.js';

describe('runInThread', () => {
  const run = (program: string, signal = new AbortController().signal) =>
    runInThread<number>(
      `const { parentPort, workerData } = require('node:worker_threads'); ${program}`,
      {
        eval: true,
        workerData: 7,
      },
      signal,
    );

  it('returns the message of a thread, and ends the thread', async () => {
    await expect(run('parentPort.postMessage(workerData); setInterval(() => {}, 1000);')).resolves.toBe(7);
  });

  it.each([
    ['throws', "throw new RangeError('no paper');", 'no paper'],
    ['ends without a message', 'process.exit(0);', 'the thread ended without an answer'],
  ])('fails where the thread %s', async (_, program, message) => {
    await expect(run(program)).rejects.toThrow(message);
  });

  it('gives up where its answer is no longer awaited', async () => {
    const given = new AbortController();
    const endless = run('for (;;);', given.signal);
    given.abort();
    await expect(endless).rejects.toMatchObject({ codigo: 'no_disponible' });
    await expect(run('', AbortSignal.abort())).rejects.toMatchObject({ codigo: 'no_disponible' });
  });
});
