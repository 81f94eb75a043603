import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { hasBody } from './empty-body.js';

/** Bytes that are read after the answer. Many clients send their whole body first; a reset could lose them the answer. */
const READ_AFTER_ANSWER = 64 * 1024;

/** Limits what is read of the body of a refused request; the answer to a larger one says `Connection: close`. */
export function limitUnreadBodies(fastify: FastifyInstance): void {
  fastify.addHook('onError', (request, reply, _error, done) => {
    // Fastify sets it where it cannot parse the body, which would reset the connection.
    void reply.removeHeader('connection');
    dropBody(request.raw, reply);
    done();
  });
}

/** Reads and discards a body, up to a limit. Closes the connection after the answer where the body may be larger. */
export function dropBody(request: IncomingMessage, reply: FastifyReply): void {
  if (request.complete || !hasBody(request)) return;
  // A chunked body may have any length.
  if (!(Number(request.headers['content-length']) <= READ_AFTER_ANSWER)) closeAfterAnswer(request, reply);
  let left = READ_AFTER_ANSWER;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left >= 0) return;
    // The answer may still be made: a page is compressed first.
    if (reply.raw.writableFinished) destroyAfterAnswer(request.socket);
    else request.pause();
  });
  reply.raw.once('finish', () => {
    left = READ_AFTER_ANSWER;
    request.resume();
  });
  // Starts reading, so that we control the body; otherwise Node would read all of it.
  request.read(0);
}

/**
 * Ends our side of the connection with the answer, and the whole once the body was read. Node would destroy the socket
 * with the answer: the bytes that still arrive would make the system reset the connection, and the client could lose it.
 */
function closeAfterAnswer(request: IncomingMessage, reply: FastifyReply): void {
  const { socket } = request;
  void reply.header('Connection', 'close');
  socket.destroySoon = () => socket.end(() => request.complete && socket.destroy());
  request.on('end', () => socket.writableFinished && socket.destroy());
}

/** `destroySoon` alone would continue to read for a while. */
function destroyAfterAnswer(socket: Socket): void {
  if (socket.writableLength === 0) socket.destroy();
  else socket.end(() => socket.destroy());
}
