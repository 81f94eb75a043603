import { unanswered } from './guias-error.js';

/** How requests are repeated. */
export interface RetryOptions {
  /** Repeats of a request at most; 4 by default, 0 for none. */
  reintentos?: number;
  /** ms for one attempt, until the answer begins; 15,000 by default. The service answers within 5 s. */
  limiteMs?: number;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>;
}

/** ms before the first repeat; doubled for each next one. */
const FIRST_MS = 250;

/** ms; where `Retry-After` asks for more, the answer is returned instead. */
const LONGEST_MS = 60_000;

/** POSTs that change nothing when repeated, beside those with an `Idempotency-Key`. */
const REPEATABLE_POST = /\/(cancelar|simular)$/;

/**
 * A `fetch` that repeats what failed for the moment. After 429 the service has done nothing, so every request is repeated;
 * after a lost answer, 502, 503 or 504 only one whose repeat changes nothing.
 * @throws GuiasError `sin_respuesta` where there is no answer.
 */
export function fetchWithRetries({
  reintentos = 4,
  limiteMs = 15_000,
  fetch = globalThis.fetch,
}: RetryOptions): (request: Request) => Promise<Response> {
  const send = (request: Request) => {
    const limit = AbortSignal.timeout(limiteMs);
    const signal = AbortSignal.any([request.signal, limit]);
    return fetch(request.clone(), { signal });
  };
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= reintentos;
      let response: Response | undefined;
      try {
        response = await send(request);
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (isLast || !isRepeatable(request)) throw unanswered(error);
      }
      if (response && (isLast || !isTemporary(response.status, request))) return response;
      const waitMs = Math.max(retryAfterMs(response), backoffMs(attempt));
      if (response && waitMs > LONGEST_MS) return response;
      await response?.body?.cancel();
      await sleep(waitMs, request.signal);
    }
  };
}

function isTemporary(status: number, request: Request): boolean {
  return status === 429 || (status >= 502 && status <= 504 && isRepeatable(request));
}

function isRepeatable({ method, headers, url }: Request): boolean {
  // After a lost answer, the version that If-Match names would be an old one.
  if (method !== 'POST') return !headers.has('if-match');
  return headers.has('idempotency-key') || REPEATABLE_POST.test(new URL(url).pathname);
}

/** Half of it at random, so that clients that failed together do not come back together. */
function backoffMs(attempt: number): number {
  return FIRST_MS * 2 ** attempt * (0.5 + Math.random() / 2);
}

/** The service sends seconds; a date, which a proxy may send, is not read. */
function retryAfterMs(response: Response | undefined): number {
  return Number(response?.headers.get('retry-after')) * 1_000 || 0;
}

/** Rejects as soon as the request is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
