import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { SendError } from './messaging-provider.js';
import { readRetryAfter } from './retry-after.js';

/** For everything, from the look-up of the name to the last byte of the answer. */
const TIMEOUT_MS = 10_000;

/** Bytes. What a provider has to say is far shorter; the rest is not read. */
const MAX_ANSWER = 64 * 1024;

export interface Destination {
  /** http: or https:. */
  readonly url: string;
  /** How a sentence for support begins: `El puente de mensajería`. */
  readonly nombre: string;
  /** The variable to look at when it cannot be reached. */
  readonly variable: string;
}

/** An answer of any status; redirects are answers too, nobody follows them. */
export interface Answer {
  readonly status: number;
  /** Undefined where the body is not JSON, or longer than 64 KiB. */
  readonly json: unknown;
  /** What `Retry-After` asks for, 0 to 24 h. */
  readonly retryAfterMs: number | undefined;
}

/**
 * Posts JSON to one address. Not `fetch`: that cannot tell a connection that never stood from a request whose
 * answer is missing, and on this hangs whether a message may be sent again.
 */
export class PostJsonClient {
  constructor(
    private readonly destination: Destination,
    private readonly timeoutMs: number = TIMEOUT_MS,
  ) {}

  /** @throws SendError: `config`, `transient` where the request never left, `unknown` where no whole answer came. */
  async post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const request = this.open(headers, signal);
    let hasLeft = false;
    request.once('socket', (socket) => {
      const ready = request.protocol === 'https:' ? 'secureConnect' : 'connect';
      if (request.reusedSocket) hasLeft = true;
      else socket.once(ready, () => (hasLeft = true));
    });
    try {
      const response = await exchange(request, body);
      return {
        status: response.statusCode ?? 0,
        json: parseJson(await readStart(response)),
        retryAfterMs: readRetryAfter(response.headers['retry-after']),
      };
    } catch (error) {
      const code = signal.aborted ? 'ETIMEDOUT' : codeOf(error);
      throw hasLeft ? this.unanswered(code) : this.unreachable(code);
    }
  }

  private open(headers: Record<string, string>, signal: AbortSignal): ClientRequest {
    const { url, nombre, variable } = this.destination;
    try {
      const request = url.startsWith('https:') ? requestHttps : requestHttp;
      return request(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': 'guias', ...headers },
        signal,
      });
    } catch (error) {
      // A token with a character that no header can carry, say.
      const code = codeOf(error);
      const causa = `${nombre} no se puede llamar con esta configuración (${code}). Revise ${variable} y sus claves, y reinicie.`;
      throw new SendError('config', causa, code);
    }
  }

  private unreachable(code: string): SendError {
    const { nombre, variable } = this.destination;
    const causa = `${nombre} no está al alcance (${code}). Revise la red y ${variable}, y reintente.`;
    return new SendError('transient', causa, code);
  }

  private unanswered(code: string): SendError {
    const causa = `${this.destination.nombre} no respondió (${code}) y pudo haber recibido el mensaje. Confirme si llegó antes de reintentar.`;
    return new SendError('unknown', causa, code);
  }
}

function exchange(request: ClientRequest, body: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Stays for good: an answer that breaks later is an error of the request as well.
    request.on('error', reject);
    request.once('response', resolve);
    // In one piece, so that Node sends its length: some servers refuse chunks.
    request.end(body);
  });
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ANSWER) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_ANSWER).toString();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Node's code of the failure, like `ECONNREFUSED`. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'ERROR';
}
