import {
  request as requestHttp,
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';

export interface PostOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds for everything, from the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Bytes of the answer's body that are read; where there is more, the connection is closed instead. */
  readonly maxAnswer: number;
  /**
   * Milliseconds for the body once the head is there. Where it is given, the head alone is an answer: a body that
   * takes longer, or breaks, is cut and no error.
   */
  readonly bodyMs?: number;
  /** A socket's own `lookup`. Node does not ask it about a host that is an address already. */
  readonly lookup?: LookupFunction;
  /** Of the URL's protocol. Default: the one that Node has for all. */
  readonly agent?: Agent;
}

/** An answer of any status; redirects are answers too, nobody follows them. */
export interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The body as it was sent, `maxAnswer` bytes of it at most. */
  readonly start: Buffer;
}

/** No answer came, or no whole one. */
export class PostError extends Error {
  override readonly name: string = 'PostError';

  /**
   * @param code Node's, like `ECONNREFUSED`; `ETIMEDOUT` where the time was up, `ERROR` where there is none.
   * @param hasLeft whether the other side may have the request.
   */
  constructor(
    readonly code: string,
    readonly hasLeft: boolean,
  ) {
    super(code);
  }
}

/** A request that cannot be made at all: a header with a character that none can carry, say. */
export class UnsendableError extends PostError {
  override readonly name = 'UnsendableError';

  constructor(code: string) {
    super(code, false);
  }
}

/**
 * Posts a text to an http: or https: URL. Not `fetch`: that cannot tell a connection that never stood from a
 * request whose answer is missing, and looks up names by itself.
 * @throws PostError
 */
export async function post(url: string | URL, body: string, options: PostOptions): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const request = open(url, options, signal);
  let hasLeft = false;
  request.once('socket', (socket) => {
    const ready = request.protocol === 'https:' ? 'secureConnect' : 'connect';
    if (request.reusedSocket) hasLeft = true;
    else socket.once(ready, () => (hasLeft = true));
  });
  try {
    const response = await exchange(request, body);
    const start = await readStart(response, options);
    return { status: response.statusCode ?? 0, headers: response.headers, start };
  } catch (error) {
    throw new PostError(signal.aborted ? 'ETIMEDOUT' : codeOf(error), hasLeft);
  }
}

function open(
  url: string | URL,
  { headers, lookup, agent }: PostOptions,
  signal: AbortSignal,
): ClientRequest {
  try {
    const target = new URL(url);
    const request = target.protocol === 'https:' ? requestHttps : requestHttp;
    return request(target, { method: 'POST', headers, lookup, agent, signal });
  } catch (error) {
    throw new UnsendableError(codeOf(error));
  }
}

function exchange(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays for good: an answer that breaks later is an error of the request as well.
    request.on('error', reject);
    request.once('response', resolve);
    // Says nothing else where the other side switches to a protocol that nobody asked for.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    // In one piece, so that Node sends its length: some servers refuse chunks.
    request.end(body);
  });
}

async function readStart(response: IncomingMessage, { maxAnswer, bodyMs }: PostOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const patience = bodyMs === undefined ? undefined : setTimeout(() => response.destroy(), bodyMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswer) break;
    }
  } catch (error) {
    if (bodyMs === undefined) throw error;
  } finally {
    clearTimeout(patience);
  }
  return Buffer.concat(chunks).subarray(0, maxAnswer);
}

/** Node's code of the failure, like `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'ERROR';
}
