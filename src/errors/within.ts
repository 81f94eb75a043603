/** Thrown where no answer came in time. */
export class NoAnswer extends Error {
  constructor() {
    super('no answer in time');
  }
}

/** @throws NoAnswer after `limitMs` milliseconds; a later answer is ignored. */
export async function within<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NoAnswer()), limitMs);
  });
  promise.catch(() => undefined);
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
