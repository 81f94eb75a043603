import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanOptions,
} from '@opentelemetry/api';

/*
 * All functions here are no-ops, at the cost of a few function calls, until `startTracing` has registered
 * OpenTelemetry's SDK. Attributes never contain a phone, address, name, token or key, and only the host of a merchant's
 * URL.
 */

interface SpanStart extends SpanOptions {
  /** Default: the current context. */
  parent?: Context;
  /** Whether an error of the work is no failure, such as a requested retry. */
  isExpected?: (error: unknown) => boolean;
}

/** Starts a span without making it the current one. It is exported once it is ended. */
export function startSpan(name: string, { parent = context.active(), ...options }: SpanStart): Span {
  return trace.getTracer('guias').startSpan(name, options, parent);
}

/** Runs work in a span, which ends with it. The span has only the class of an error, whose message may hold data. */
export async function inSpan<T>(
  name: string,
  { isExpected, ...start }: SpanStart,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  const span = startSpan(name, start);
  try {
    return await context.with(contextOf(span), work, undefined, span);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error);
    if (!isExpected?.(error)) span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** A context with this span as the current one, and nothing else of the current context. */
export function contextOf(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Starts work that does not belong to the request or job that triggers it. */
export function detached<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work);
}

/** The W3C `traceparent` of the current span; null without tracing. */
export function traceparent(of: Context = context.active()): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(of, carrier);
  return carrier.traceparent ?? null;
}

/** The context that a `traceparent` names, as a parent of spans; an empty one if it is missing or malformed. */
export function contextFrom(traceparent: string | null | undefined): Context {
  // Drops `tracestate`: values of other systems would be exported.
  return propagation.extract(ROOT_CONTEXT, { traceparent: traceparent ?? undefined });
}

/** The current trace, for log lines. */
export function traceOfLog(): { trace_id?: string } {
  const running = trace.getSpanContext(context.active());
  return running ? { trace_id: running.traceId } : {};
}
