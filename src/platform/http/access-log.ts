import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

/** Routes that are polled, and assets of pages. */
const POLLED =
  /^\/(livez|readyz|metrics|api\/docs\/|(c|panel)\/assets\/|r\/(assets\/|sw\.js|sin-red)|admin\/queues\/(static|api))/;

/** Whether a route is polled or serves an asset; undefined if there is no such route. */
export function isPolled(route: string | undefined): boolean {
  return route !== undefined && POLLED.test(route);
}

/** Whether a request is of no interest: it is polled or fetches an asset, and succeeded. */
export function isRoutine({ routeOptions }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode < 400 && isPolled(routeOptions.url);
}

/**
 * One line per request: who, which route, its status and time; at debug where it is routine. The route is a
 * template; address, query and body are left out because they hold references, tokens and phones.
 */
export function logRequest(logger: Logger, request: FastifyRequest, reply: FastifyReply): void {
  const { credential, codigo } = request;
  logger[isRoutine(request, reply) ? 'debug' : 'info'](
    {
      reqId: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
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
