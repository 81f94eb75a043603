import { once } from 'node:events';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import { AppError } from '../errors/app-error.js';

/**
 * The only message of a thread that is started for it. Ends the thread before it returns, and its memory with it.
 * @param file of the thread's program.
 * @throws AppError `no_disponible` where the signal gave up; what the thread threw, or `ERR_WORKER_OUT_OF_MEMORY`
 */
export async function runInThread<T>(file: string, options: WorkerOptions, signal: AbortSignal): Promise<T> {
  const worker = new Worker(file, options);
  try {
    const ended = once(worker, 'exit').then(() => {
      throw new Error('the thread ended without an answer');
    });
    const [answer] = (await Promise.race([once(worker, 'message', { signal }), ended])) as [T];
    return answer;
  } catch (cause) {
    throw signal.aborted ? new AppError('no_disponible', { cause }) : cause;
  } finally {
    await worker.terminate();
  }
}
