export class TimeoutError extends Error {
  constructor() {
    super('no answer in time');
  }
}

/** @throws TimeoutError after `limitMs` milliseconds; what the promise brings later is ignored. */
export async function withTimeout<T>(limitMs: number, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), limitMs);
  });
  promise.catch(() => undefined);
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}
