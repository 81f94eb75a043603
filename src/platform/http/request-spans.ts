import { context, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { contextFrom, contextOf, startSpan } from '../tracing/spans.js';
import { isPolled } from './access-log.js';

/**
 * Creates a span for each request that is not polled, continuing the caller's `traceparent`. It is named after the
 * route's template, which contains no token. Call it before any other hook, and only with tracing.
 */
export function traceRequests(fastify: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  /** Continues with the request's context as the current one. */
  const enter = (request: FastifyRequest, done: () => void) => {
    const running = contexts.get(request);
    if (running) context.with(running, done);
    else done();
  };

  fastify.addHook('onRequest', (request, _reply, done) => {
    const { url: route } = request.routeOptions;
    // A 404 runs these hooks twice.
    if (!contexts.has(request) && !isPolled(route)) {
      const span = startSpan(route === undefined ? request.method : `${request.method} ${route}`, {
        kind: SpanKind.SERVER,
        parent: contextFrom(request.headers.traceparent as string | undefined),
        attributes: { 'http.request.method': request.method, ...(route && { 'http.route': route }) },
      });
      contexts.set(request, contextOf(span));
    }
    enter(request, done);
  });
  // A body arrives in its connection's context: restore the request's.
  fastify.addHook('preValidation', (request, _reply, done) => enter(request, done));
  fastify.addHook('onResponse', (request, { statusCode }, done) => {
    const running = contexts.get(request);
    const span = running && trace.getSpan(running);
    span?.setAttribute('http.response.status_code', statusCode);
    const { merchant, operator } = request.credential ?? {};
    span?.setAttributes({ 'guias.merchant': merchant?.id, 'guias.operator': operator?.id });
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
    enter(request, done);
  });
  fastify.addHook('onRequestAbort', (request, done) => {
    const running = contexts.get(request);
    const span = running && trace.getSpan(running);
    span?.setAttribute('error.type', 'aborted');
    span?.end();
    contexts.delete(request);
    done();
  });
}
