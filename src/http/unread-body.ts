import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** Bytes. Many clients read the answer only after they have sent their body; a reset at once could lose it. */
const READ_AFTER_ANSWER = 64 * 1024;

/** Ends the connection of a request that was refused before its body was read, once too much of the body follows. */
export function limitUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onError', (request, reply, _error, done) => {
    // From Fastify, where the body could not be parsed. It would reset the connection.
    void reply.removeHeader('connection');
    dropBody(request.raw);
    done();
  });
}

/** Reads and forgets a body, up to a limit. */
export function dropBody(request: IncomingMessage): void {
  if (request.complete) return;
  const { socket } = request;
  let left = READ_AFTER_ANSWER;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // `destroySoon` alone would read on for a while.
    if (socket.writableLength === 0) socket.destroy();
    else socket.destroySoon();
  });
  // Marks the body as ours to read; else Node would read all of it.
  request.read(0);
}
