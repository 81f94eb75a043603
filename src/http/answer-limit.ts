import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Milliseconds between looks for answers that are late. */
const LOOK_MS = 100;

/**
 * Calls `onLate` for a request that has no answer so long after it arrived whole, or a tenth of a second later.
 * Fastify's own `handlerTimeout` will not do: it ends with the request's body, so it never strikes a POST. One timer
 * for all: one for each would cost more, and keep what requests leave behind alive through two collections.
 * @returns how many requests wait for their answers.
 */
export function limitAnswers(
  fastify: FastifyInstance,
  limitMs: number,
  onLate: (request: FastifyRequest, reply: FastifyReply) => void,
): { readonly unanswered: number } {
  /** The oldest first. */
  const unanswered = new Map<FastifyRequest, { reply: FastifyReply; since: number }>();
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const lateSince = performance.now() - limitMs;
    for (const [request, { reply, since }] of unanswered) {
      if (since > lateSince) break;
      unanswered.delete(request);
      if (!reply.sent) onLate(request, reply);
    }
    if (unanswered.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  fastify.addHook('preHandler', (request, reply, done) => {
    unanswered.set(request, { reply, since: performance.now() });
    timer ??= setInterval(look, LOOK_MS);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    unanswered.delete(request);
    done();
  });
  // Who is gone waits for nothing.
  fastify.addHook('onRequestAbort', (request, done) => {
    unanswered.delete(request);
    done();
  });
  return {
    get unanswered() {
      return unanswered.size;
    },
  };
}

/** Drops what a handler answers after its time limit; Fastify would log the address with it. */
export class LateTolerantAdapter extends FastifyAdapter {
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    return 'sent' in response && response.sent ? response : super.reply(response, body, status);
  }
}
