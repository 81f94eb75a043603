import { Socket } from 'node:net';

/** Types of authentication messages (PostgreSQL's protocol, "Message Formats"). */
const OK = 0;
const SASL_FINAL = 12;
const SASL = [10, 11, SASL_FINAL];

/** Bytes of a message's type and length. */
const HEAD = 5;

/** Bytes of a message before the proof. */
const MAX_MESSAGE = 16 * 1024;

/** The server on a port asked for a password in clear text or as MD5, or let the client in without a proof. */
class NotScramError extends Error {
  constructor() {
    super('the server on this port did not prove by SCRAM that it knows the password: it is not ours');
  }
}

/**
 * A socket for pg that only talks to a server which proves by SCRAM that it knows the password, as libpq does with
 * `require_auth=scram-sha-256`; pg itself sends the password in clear text to a server that asks for it. Until the proof pg
 * gets no message that it could answer otherwise.
 */
class ScramSocket extends Socket {
  private received: Buffer | undefined = Buffer.alloc(0);
  private isProved = false;

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (chunk === null || this.received === undefined || this.accepts(chunk))
      return super.push(chunk, encoding);
    this.destroy(new NotScramError());
    return false;
  }

  /** Whether the messages that end with these bytes are part of a proof. */
  private accepts(chunk: Buffer): boolean {
    let rest = Buffer.concat([this.received!, chunk]);
    while (rest.length >= HEAD) {
      const end = 1 + rest.readUInt32BE(1);
      if (end > MAX_MESSAGE) return false;
      if (rest.length < end) break;
      if (rest.toString('latin1', 0, 1) === 'R') {
        const kind = rest.readUInt32BE(HEAD);
        this.isProved ||= kind === SASL_FINAL;
        if (kind === OK) {
          this.received = undefined;
          return this.isProved;
        }
        if (!SASL.includes(kind)) return false;
      }
      rest = rest.subarray(end);
    }
    this.received = rest;
    return true;
  }
}

/** For pg's option `stream`. */
export function scramSocket(): Socket {
  return new ScramSocket();
}
