import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const TIMER = Symbol('answer timer');

interface TimedRequest extends FastifyRequest {
  [TIMER]?: NodeJS.Timeout;
}

/**
 * Calls `onLate` for a request that has no answer so long after it arrived whole. Fastify's own
 * `handlerTimeout` will not do: it ends with the request's body, so it never strikes a POST.
 */
export function limitAnswers(
  fastify: FastifyInstance,
  limitMs: number,
  onLate: (request: FastifyRequest, reply: FastifyReply) => void,
): void {
  fastify.addHook('preHandler', (request: TimedRequest, reply, done) => {
    request[TIMER] = setTimeout(() => !reply.sent && onLate(request, reply), limitMs);
    done();
  });
  fastify.addHook('onResponse', (request: TimedRequest, _reply, done) => {
    clearTimeout(request[TIMER]);
    done();
  });
}

/** Drops what a handler answers after its time limit; Fastify would log the address with it. */
export class LateTolerantAdapter extends FastifyAdapter {
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    return 'sent' in response && response.sent ? response : super.reply(response, body, status);
  }
}
