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
  /** ms; timeout of the whole request, from the DNS lookup to the last byte of the response. */
  readonly timeoutMs: number;
  /** Maximum bytes read of the response body; if there are more, the connection is closed. */
  readonly maxAnswer: number;
  /**
   * ms; timeout of the body after the head. If set, the head alone counts as a response: a body that takes longer or
   * breaks off is truncated, without an error.
   */
  readonly bodyMs?: number;
  /** `lookup` of the socket. Node does not call it for a host that is an address. */
  readonly lookup?: LookupFunction;
  /** For the URL's protocol. Default: Node's global agent. */
  readonly agent?: Agent;
}

/** A response of any status; redirects are not followed. */
interface PostAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The start of the body, at most `maxAnswer` bytes, not decompressed. */
  readonly start: Buffer;
}

/** There was no response, or an incomplete one. */
export class PostError extends Error {
  override readonly name: string = 'PostError';

  /**
   * @param code Node's error code, like `ECONNREFUSED`; `ETIMEDOUT` at the limit, `ERROR` if there is none.
   * @param hasLeft whether the other side may have received the request.
   */
  constructor(
    readonly code: string,
    readonly hasLeft: boolean,
  ) {
    super(code);
  }
}

/** A request that cannot be made, for example with a character that headers cannot carry. */
export class UnsendableError extends PostError {
  override readonly name = 'UnsendableError';

  constructor(code: string) {
    super(code, false);
  }
}

/**
 * Posts a text to an http: or https: URL. Not with `fetch`: that does not tell a failed connection from a missing
 * response, and takes no `lookup`.
 * @throws PostError
 */
export async function post(url: string | URL, body: string, options: PostOptions): Promise<PostAnswer> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  const request = open(url, options, signal);
  let hasLeft = false;
  request.once('socket', (socket) => {
    const ready = request.protocol === 'https:' ? 'secureConnect' : 'connect';
    // A socket through a proxy's tunnel arrives connected.
    if (request.reusedSocket || socket.readyState === 'open') hasLeft = true;
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
    // Not `once`: a response that breaks off later emits another error on the request.
    request.on('error', reject);
    request.once('response', resolve);
    // The only event emitted if the server switches protocols without being asked.
    request.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    // In one call, so that Node sends a Content-Length: some servers reject chunked bodies.
    request.end(body);
  });
}

async function readStart(response: IncomingMessage, { maxAnswer, bodyMs }: PostOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  const timer = bodyMs === undefined ? undefined : setTimeout(() => response.destroy(), bodyMs);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > maxAnswer) break;
    }
  } catch (error) {
    if (bodyMs === undefined) throw error;
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, maxAnswer);
}

/** Node's error code, like `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'ERROR';
}
