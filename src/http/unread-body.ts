import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Bytes that are read after the answer. Many clients send their whole body first; a reset could lose them the answer. */
const READ_AFTER_ANSWER = 64 * 1024;

/** Limits what is read of the body of a refused request; a client that sends more loses its connection. */
export function limitUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onError', (request, reply, _error, done) => {
    // Fastify sets it where it cannot parse the body, which would reset the connection.
    void reply.removeHeader('connection');
    dropBody(request.raw);
    done();
  });
}

/** Reads and discards a body, up to a limit. */
export function dropBody(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  let left = READ_AFTER_ANSWER;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // `destroySoon` alone would continue to read for a while.
    if (socket.writableLength === 0) socket.destroy();
    else socket.destroySoon();
  });
  // Starts reading, so that we control the body; otherwise Node would read all of it.
  request.read(0);
}
