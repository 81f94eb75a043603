import { post, PostError, UnsendableError } from '../../platform/outbound/post.js';
import { readRetryAfter } from '../../platform/outbound/retry-after.js';
import { answerWords } from './answer-words.js';
import { SendError } from './messaging-provider.js';

/** ms; timeout from the DNS lookup to the last byte of the answer. */
const TIMEOUT_MS = 10_000;

/** Bytes; providers' answers are far shorter. The rest is not read. */
const MAX_ANSWER = 64 * 1024;

interface Destination {
  /** http: or https:. */
  readonly url: string;
  /** Subject of the sentences for support: `El puente de mensajería`. */
  readonly nombre: string;
  /** The environment variable to check when it cannot be reached. */
  readonly variable: string;
}

/** An answer of any status; redirects are not followed. */
export interface Answer {
  readonly status: number;
  /** Undefined for a body that is not JSON or is longer than 64 KiB. */
  readonly json: unknown;
  /** Its words, for support. */
  readonly words: string | null;
  /** From `Retry-After`; 0 to 24 h. */
  readonly retryAfterMs: number | undefined;
}

export class PostJsonClient {
  constructor(
    private readonly destination: Destination,
    private readonly timeoutMs: number = TIMEOUT_MS,
  ) {}

  /** @throws SendError `config`; `transient` if the request was not sent; `unknown` if its answer is missing. */
  async post(body: string, headers: Record<string, string> = {}): Promise<Answer> {
    try {
      const answer = await post(this.destination.url, body, {
        headers: { 'content-type': 'application/json', 'user-agent': 'guias', ...headers },
        timeoutMs: this.timeoutMs,
        maxAnswer: MAX_ANSWER,
      });
      const text = answer.start.toString();
      const json = parseJson(text);
      return {
        status: answer.status,
        json,
        words: answer.status > 299 ? answerWords(text, json) : null,
        retryAfterMs: readRetryAfter(answer.headers['retry-after']),
      };
    } catch (error) {
      throw error instanceof PostError ? this.failure(error) : error;
    }
  }

  private failure(error: PostError): SendError {
    const { code } = error;
    const { nombre, variable } = this.destination;
    if (error instanceof UnsendableError) {
      // For example a token with a character that no header can carry.
      const message = `${nombre} no se puede llamar con esta configuración (${code}). Revise ${variable} y sus claves, y reinicie.`;
      return new SendError('config', message, code);
    }
    if (!error.hasLeft) {
      const message = `${nombre} no está al alcance (${code}). Revise la red y ${variable}, y reintente.`;
      return new SendError('transient', message, code);
    }
    const message = `${nombre} no respondió (${code}) y pudo haber recibido el mensaje. Confirme si llegó antes de reintentar.`;
    return new SendError('unknown', message, code);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
