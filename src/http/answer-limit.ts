import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** Milliseconds between looks for answers that are late. */
const LOOK_MS = 100;

interface Waiting {
  request: FastifyRequest;
  reply: FastifyReply;
  since: number;
}

/** A request's place among those that wait. */
const PLACE = Symbol('place');

interface PlacedRequest extends FastifyRequest {
  [PLACE]?: number;
}

/**
 * Calls `onLate` for a request that has no answer so long after it arrived whole, or a tenth of a second later.
 * Fastify's own `handlerTimeout` will not do: it ends with the request's body, so it never strikes a POST. One timer
 * for all: one for each would cost more, and keep what requests leave behind alive through two collections. So would
 * a Map or a Set of them: each table that it outgrows goes on holding what it held, and is itself collected last.
 * @returns for how many milliseconds no request has waited for its answer.
 */
export function limitAnswers(
  fastify: FastifyInstance,
  limitMs: number,
  onLate: (request: FastifyRequest, reply: FastifyReply) => void,
): { readonly quietMs: number } {
  const places: (Waiting | undefined)[] = [];
  const free: number[] = [];
  const unanswered = () => places.length - free.length;
  let lastLeft = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  const enter = (request: PlacedRequest, reply: FastifyReply) => {
    // What turns out to be nowhere passes the hooks again.
    if (request[PLACE] !== undefined) return;
    const place = free.pop() ?? places.length;
    places[place] = { request, reply, since: performance.now() };
    request[PLACE] = place;
    timer ??= setInterval(look, LOOK_MS);
  };
  const leave = (request: PlacedRequest) => {
    const place = request[PLACE];
    if (place === undefined) return;
    request[PLACE] = undefined;
    places[place] = undefined;
    free.push(place);
    lastLeft = performance.now();
  };
  const look = () => {
    const lateSince = performance.now() - limitMs;
    for (const one of places) {
      if (!one || one.since > lateSince) continue;
      leave(one.request);
      if (!one.reply.sent) onLate(one.request, one.reply);
    }
    if (unanswered() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  fastify.addHook('preHandler', (request, reply, done) => {
    enter(request, reply);
    done();
  });
  fastify.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  // Who is gone waits for nothing.
  fastify.addHook('onRequestAbort', (request, done) => {
    leave(request);
    done();
  });
  return {
    get quietMs() {
      return unanswered() > 0 ? 0 : performance.now() - lastLeft;
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
