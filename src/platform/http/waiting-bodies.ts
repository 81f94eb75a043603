import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { MIB } from '../config/body-limit.js';
import { AppError } from '../errors/app-error.js';
import { hasBody } from './empty-body.js';

/** Bytes of the bodies of all requests without an answer: as many as the largest batches that a key may send in a minute. */
const MAX_WAITING = 64 * MIB;

/** A body of so small a part of the bound is not counted: those of all connections together are an eighth of it. */
const SMALL_PART = 1 / 16_384;

/** ms between two warnings. */
const WARN_EVERY_MS = 30_000;

interface Waiting {
  raw: IncomingMessage;
  bytes: number;
}

/**
 * Bounds the bytes of bodies that are in memory until their requests are answered. Beyond the bound, the request that has been sent
 * for longest is answered 503: clients that stop in the middle of a body go first, and keep nobody else from sending one.
 * Call it after all other hooks that run before a body is read.
 */
export function limitWaitingBodies(fastify: FastifyInstance, logger: Logger, limit = MAX_WAITING): void {
  const all = new Map<IncomingMessage, Waiting>();
  const isSmall = (raw: IncomingMessage) => Number(raw.headers['content-length']) <= limit * SMALL_PART;
  let total = 0;
  let warnedAt = -Infinity;

  const forget = (raw: IncomingMessage) => {
    total -= all.get(raw)?.bytes ?? 0;
    all.delete(raw);
  };
  /** A whole body is being worked on: without one that is still sent, the one that came last goes. */
  const refuseOldest = (last: Waiting) => {
    const { raw } = [...all.values()].find((one) => !one.raw.complete) ?? last;
    forget(raw);
    if (performance.now() - warnedAt > WARN_EVERY_MS) {
      warnedAt = performance.now();
      logger.warn(
        { bodies: all.size, bytes: total },
        'too many bytes of bodies wait: the slowest are refused',
      );
    }
    // What reads the body answers with it, as with a broken connection, which stays. Nobody reads that of a refused request.
    if (raw.listenerCount('error') > 0) raw.emit('error', new AppError('no_disponible'));
  };

  fastify.addHook('preParsing', ({ raw }, reply, _payload, done) => {
    if (hasBody(raw) && !isSmall(raw) && !reply.raw.destroyed) {
      const waiting: Waiting = { raw, bytes: 0 };
      all.set(raw, waiting);
      const onData = (chunk: Buffer) => {
        if (all.get(raw) !== waiting) return void raw.off('data', onData);
        waiting.bytes += chunk.length;
        total += chunk.length;
        if (total > limit) refuseOldest(waiting);
      };
      raw.on('data', onData);
      reply.raw.once('close', () => forget(raw));
    }
    done(null);
  });
}
