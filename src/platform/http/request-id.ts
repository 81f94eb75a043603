import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Of every `X-Request-Id`. */
export const REQUEST_ID_FORM = /^[A-Za-z0-9._-]{1,64}$/;

/** Ids of requests: the caller's `X-Request-Id` if it is well-formed, else a new one. */
export class RequestIds {
  private readonly process = randomBytes(5).toString('hex');
  private count = 0;

  /** Short, and unique across processes and restarts: a random part and a counter. */
  next(): string {
    return `${this.process}-${(this.count++).toString(36)}`;
  }

  of({ headers }: IncomingMessage): string {
    const given = headers['x-request-id'];
    return typeof given === 'string' && REQUEST_ID_FORM.test(given) ? given : this.next();
  }
}
