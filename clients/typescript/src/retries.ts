import { GuiasError, notOurs, redirected, unanswered } from './guias-error.js';

/** How requests are repeated. */
export interface RetryOptions {
  /** Repeats of a request at most; 4 by default, 0 for none. */
  reintentos?: number;
  /** ms for one attempt, to the last byte of its answer; 15,000 by default. The service answers within 5 s. */
  limiteMs?: number;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: (request: Request, init: { signal: AbortSignal }) => Promise<Response>;
}

/** ms before the first repeat; doubled for each next one. */
const FIRST_MS = 250;

/** ms; where `Retry-After` asks for more, the answer is returned instead. */
const LONGEST_MS = 60_000;

/** POSTs that change nothing when repeated, beside those with an `Idempotency-Key`. */
const REPEATABLE_POST = /\/(cancelar|simular|etiquetas)$/;

/** Answers of the service that are not JSON: labels and CSV files. */
const FILE = /^(application\/(pdf|zpl)|image\/png|text\/csv)\b/;

/**
 * A `fetch` that repeats what failed for the moment. After 429 the service has done nothing, so every request is repeated;
 * after a lost or cut answer, 502, 503 or 504 only one whose repeat changes nothing.
 * @throws GuiasError `sin_respuesta`, `redireccion`, or `desconocido` for a success that is not the service's.
 */
export function fetchWithRetries({
  reintentos = 4,
  limiteMs = 15_000,
  fetch = globalThis.fetch,
}: RetryOptions): (request: Request) => Promise<Response> {
  return async (request) => {
    for (let attempt = 0; ; attempt++) {
      const isLast = attempt >= reintentos;
      let response: Response | undefined;
      try {
        response = await wholeAnswer(request, limiteMs, fetch);
      } catch (error) {
        if (request.signal.aborted) throw error;
        if (isLast || !isRepeatable(request)) throw error instanceof GuiasError ? error : unanswered(error);
      }
      if (response && (isLast || !isTemporary(response.status, request))) return followed(response, request);
      const waitMs = Math.max(retryAfterMs(response), backoffMs(attempt));
      if (response && waitMs > LONGEST_MS) return response;
      await sleep(waitMs, request.signal);
    }
  };
}

/** The answer to one attempt, with its body. @throws where there is none in time, or it is cut or not the service's. */
async function wholeAnswer(
  request: Request,
  limitMs: number,
  fetch: NonNullable<RetryOptions['fetch']>,
): Promise<Response> {
  request.signal.throwIfAborted();
  // `AbortSignal.any` and `AbortSignal.timeout` would be shorter, but Node may lose such a signal when it frees memory.
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort(request.signal.reason);
  request.signal.addEventListener('abort', abort);
  const timer = setTimeout(() => controller.abort(new Error(`Sin respuesta en ${limitMs} ms.`)), limitMs);
  const ended = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });
  const answer = async () => {
    const response = await fetch(request.clone(), { signal });
    const body = await response.arrayBuffer();
    // Statuses like 304 may have none, not even an empty one.
    const whole = new Response(body.byteLength > 0 ? body : null, response);
    if (response.ok && request.method !== 'HEAD') checkSuccess(response, body);
    return whole;
  };
  try {
    return await Promise.race([answer(), ended]);
  } finally {
    clearTimeout(timer);
    request.signal.removeEventListener('abort', abort);
  }
}

/** @throws where JSON is cut; GuiasError where the answer is not the service's: a proxy's, or another server's. */
function checkSuccess(response: Response, body: ArrayBuffer): void {
  const type = response.headers.get('content-type') ?? '';
  const isEmpty = body.byteLength === 0;
  if (FILE.test(type) && !isEmpty) return;
  if (!type.includes('json') && !isEmpty) throw notOurs(response);
  const content = JSON.parse(new TextDecoder().decode(body)) as { ok?: unknown } | null;
  // Every JSON of a success says so.
  if (content?.ok !== true) throw notOurs(response);
}

/** @throws GuiasError where the answer leads elsewhere: followed, a POST would become a GET. */
function followed(response: Response, { url }: Request): Response {
  const location = response.headers.get('location');
  if (!location || response.status < 300 || response.status > 399) return response;
  throw redirected(response, absolute(location, url));
}

function absolute(location: string, base: string): string {
  try {
    return new URL(location, base).href;
  } catch {
    return location;
  }
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

/** ms; 0 without `Retry-After`. The service sends seconds; a proxy may send a date. */
export function retryAfterMs(response: Response | undefined): number {
  const value = response?.headers.get('retry-after') ?? '';
  return (/^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now()) || 0;
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
