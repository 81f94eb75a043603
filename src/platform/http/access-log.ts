import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Routes that are polled, and assets of pages. */
const POLLED =
  /^\/(livez|readyz|metrics|api\/docs\/|(c|panel)\/assets\/|r\/(assets\/|sw\.js|sin-red)|admin\/queues\/(static|api))/;

/** Whether a route is polled or serves an asset; undefined if there is no such route. */
export function isPolled(route: string | undefined): boolean {
  return route !== undefined && POLLED.test(route);
}

/** An answered request, for the log, the metrics and the ids that staff look up: Fastify makes `routeOptions` anew each time. */
export interface Answered {
  request: FastifyRequest;
  reply: FastifyReply;
  /** Template of the path, without ids or tokens; undefined for an unknown path. */
  route: string | undefined;
  /** Whether it is of no interest: it is polled or fetches an asset, and succeeded. */
  isRoutine: boolean;
}

export function toAnswered(request: FastifyRequest, reply: FastifyReply): Answered {
  const route = request.routeOptions.url;
  return { request, reply, route, isRoutine: reply.statusCode < 400 && isPolled(route) };
}

/**
 * One line per request: who, which route, its status and time; at debug where it is routine. The route is a
 * template; address, query and body are left out because they hold references, tokens and phones.
 */
export function logRequest(logger: Logger, { request, reply, route, isRoutine }: Answered): void {
  const { credential, codigo } = request;
  logger[isRoutine ? 'debug' : 'info'](
    {
      reqId: request.id,
      method: request.method,
      route: route ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(credential && {
        merchant: credential.merchant?.id,
        operator: credential.operator?.id,
        key: credential.keyPrefix ?? undefined,
      }),
      ...(codigo && { codigo }),
    },
    'request',
  );
}
