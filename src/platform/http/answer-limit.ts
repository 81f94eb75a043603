import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './empty-body.js';

/** Milliseconds between checks for overdue answers. */
const CHECK_INTERVAL_MS = 100;

interface PendingAnswer {
  request: FastifyRequest;
  reply: FastifyReply;
  deadline: number;
}

/** The request's index among the pending answers. */
const SLOT = Symbol('slot');

interface PendingRequest extends FastifyRequest {
  [SLOT]?: number;
  /** ms left until the response deadline when the wait for the body began. */
  answerMs?: number;
  answerDeadline?: number;
}

/** The response deadline, as a `performance.now()` timestamp. */
export const AnswerDeadline = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<PendingRequest>().answerDeadline,
);

/** Ends when a request's answer is overdue, or its client has gone. @param deadline as `AnswerDeadline` */
export function whileAwaited({ raw }: FastifyReply, deadline: number): AbortSignal {
  const gone = new AbortController();
  if (raw.destroyed) gone.abort();
  raw.once('close', () => gone.abort());
  const left = Math.max(0, Math.floor(deadline - performance.now()));
  return AbortSignal.any([gone.signal, AbortSignal.timeout(left)]);
}

/**
 * Calls `onOverdue` for a request without a response after `limitMs` (checked every 0.1 s). Authenticating and handling
 * the request count; receiving its body does not. Call it before any other hook that may wait.
 *
 * Fastify's `handlerTimeout` cannot do this: it ends with the request's body, so it never fires for a POST. One timer
 * serves all requests, and their slots are reused. A timer per request, or a Map that grows and shrinks, would keep
 * finished requests alive in V8's old generation (measured: 320 MB instead of 184 MB under load).
 *
 * @returns `idleMs`: ms since the last request was answered, or began to send its body; 0 while one is pending.
 */
export function limitAnswers(
  fastify: FastifyInstance,
  limitMs: number,
  onOverdue: (request: FastifyRequest, reply: FastifyReply) => void,
): { readonly idleMs: number } {
  const slots: (PendingAnswer | undefined)[] = [];
  const freeSlots: number[] = [];
  const pending = () => slots.length - freeSlots.length;
  let lastLeftAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;

  const enter = (request: PendingRequest, reply: FastifyReply) => {
    // Counted already: at `preHandler` a request without a body, and a 404, whose hooks run twice.
    if (request[SLOT] !== undefined) return;
    const slot = freeSlots.pop() ?? slots.length;
    const deadline = performance.now() + (request.answerMs ?? limitMs);
    slots[slot] = { request, reply, deadline };
    request[SLOT] = slot;
    request.answerDeadline = deadline;
    timer ??= setInterval(check, CHECK_INTERVAL_MS);
  };
  const leave = (request: PendingRequest) => {
    const slot = request[SLOT];
    if (slot === undefined) return;
    request[SLOT] = undefined;
    slots[slot] = undefined;
    freeSlots.push(slot);
    lastLeftAt = performance.now();
  };
  const check = () => {
    const now = performance.now();
    for (const answer of slots) {
      if (!answer || answer.deadline > now) continue;
      leave(answer.request);
      // A response that has begun, such as a long file, is not overdue.
      if (!answer.reply.sent && !answer.reply.raw.headersSent) onOverdue(answer.request, answer.reply);
    }
    if (pending() > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  const begin = (request: PendingRequest, reply: FastifyReply, done: () => void) => {
    enter(request, reply);
    done();
  };
  fastify.addHook('onRequest', begin);
  fastify.addHook('preParsing', (request: PendingRequest, _reply, _payload, done) => {
    if (hasBody(request.raw)) {
      request.answerMs = request.answerDeadline! - performance.now();
      leave(request);
    }
    done();
  });
  fastify.addHook('preHandler', begin);
  fastify.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    leave(request);
    done();
  });
  return {
    get idleMs() {
      return pending() > 0 ? 0 : performance.now() - lastLeftAt;
    },
  };
}

/** Ignores what a handler returns after its deadline; Fastify would log it together with the URL. */
export class LateTolerantAdapter extends FastifyAdapter {
  override reply(
    ...[response, body, status]: Parameters<FastifyAdapter['reply']>
  ): ReturnType<FastifyAdapter['reply']> {
    return 'sent' in response && response.sent ? response : super.reply(response, body, status);
  }
}
