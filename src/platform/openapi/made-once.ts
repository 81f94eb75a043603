import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type {
  FastifyReply,
  FastifyRequest,
  onSendAsyncHookHandler,
  preHandlerAsyncHookHandler,
  RouteOptions,
} from 'fastify';

const compress = promisify(gzip);

/** An answer that is the same for all clients. */
interface Made {
  type: string;
  etag: string;
  plain: Buffer;
  gzipped: Buffer;
}

/** `gzip` or `*`, and not with `q=0`. */
const ACCEPTS_GZIP = /(?:^|,)\s*(?:gzip|\*)\s*(?:$|,|;(?!\s*q=0(?:\.0*)?\s*(?:$|,)))/i;

/** A request whose handler is running, to make the answer. */
interface Making {
  done: Promise<void>;
  finish: () => void;
}

/**
 * Makes the answers of routes once: the first is kept, with its `ETag`, as it is and compressed, and the handler is not
 * called again. Requests that arrive while it is made wait for it: all send the same bytes.
 */
export class MadeOnce {
  private readonly made = new Map<string, Made>();
  private readonly making = new Map<string, Making>();

  /** @param variantOf which of the few answers of a route a request asks for. */
  constructor(private readonly variantOf: (request: FastifyRequest) => string) {}

  /** Call it in `onRoute`, after the route's other hooks are set. GET and HEAD of a URL share what is made. */
  keep(route: RouteOptions): void {
    const keyOf = (request: FastifyRequest) => `${route.url} ${this.variantOf(request)}`;
    const sendMade: preHandlerAsyncHookHandler = async (request, reply) => {
      const key = keyOf(request);
      for (let other; !this.made.has(key); await other.done) {
        other = this.making.get(key);
        if (!other) return this.begin(key, reply);
      }
      const made = this.made.get(key)!;
      // The answer limit may have answered meanwhile. Without the reply, Fastify would call the handler as well.
      return reply.sent ? reply : reply.type(made.type).send(made.plain);
    };
    const answerMade: onSendAsyncHookHandler = async (request, reply, body) => {
      // Before this hook, Fastify has taken the body of a HEAD.
      const isHead = request.method === 'HEAD';
      const key = keyOf(request);
      if (reply.statusCode !== 200 || (isHead && !this.made.has(key))) return body;
      const made = this.made.get(key) ?? (await make(body as string | Buffer, reply));
      this.made.set(key, made);
      this.making.get(key)?.finish();
      // A client keeps it and asks each time whether it is still the same: a new version may have changed it.
      void reply.headers({ ETag: made.etag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' });
      if (isHead) return body;
      const bytes = bytesFor(request, reply, made);
      // Where nobody reads it, most of the answer waits in the kernel, which keeps it as long as the connection.
      if (bytes) void reply.header('Connection', 'close');
      return bytes;
    };
    route.preHandler = sendMade;
    route.onSend = [...[route.onSend ?? []].flat(), answerMade];
  }

  /** Ends once the answer is made, or this request has ended without it. */
  private begin(key: string, reply: FastifyReply): void {
    let resolve!: () => void;
    const done = new Promise<void>((resolved) => (resolve = resolved));
    const finish = () => {
      this.making.delete(key);
      resolve();
    };
    this.making.set(key, { done, finish });
    reply.raw.once('close', finish);
  }
}

async function make(body: string | Buffer, reply: FastifyReply): Promise<Made> {
  const plain = Buffer.from(body);
  return {
    type: String(reply.getHeader('content-type')),
    // Weak, because it is that of the compressed bytes too.
    etag: `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    plain,
    gzipped: await compress(plain),
  };
}

/** The bytes to send; null where the client has them. */
function bytesFor({ headers }: FastifyRequest, reply: FastifyReply, made: Made): Buffer | null {
  if (headers['if-none-match']?.split(/,\s*/).includes(made.etag)) {
    void reply.code(304);
    return null;
  }
  if (!ACCEPTS_GZIP.test(String(headers['accept-encoding'] ?? ''))) return made.plain;
  void reply.header('Content-Encoding', 'gzip');
  return made.gzipped;
}
