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
 * Everything here does nothing, at the cost of a few function calls, until `startTracing` has registered
 * OpenTelemetry's SDK. Attributes never hold a phone, an address, a name, a token, a key, or more of a merchant's URL
 * than its host.
 */

interface SpanStart extends SpanOptions {
  /** Default: what is running. */
  parent?: Context;
  /** Whether an error that the span's work throws is no failure, like a retry that was asked for. */
  isExpected?: (error: unknown) => boolean;
}

/** Starts a span, which is not made the running one. It is exported once it is ended. */
export function startSpan(name: string, { parent = context.active(), ...options }: SpanStart): Span {
  return trace.getTracer('guias').startSpan(name, options, parent);
}

/** Does some work in a span, which ends with it. Of an error the span has the class alone: its text may quote data. */
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

/** A context in which the span is running, and nothing else of what runs now. */
export function contextOf(span: Span): Context {
  return trace.setSpan(ROOT_CONTEXT, span);
}

/** Starts work that serves more than the request, or job, in which it happens to begin. */
export function detached<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work);
}

/** The W3C `traceparent` of what is running; null without tracing. */
export function traceparent(of: Context = context.active()): string | null {
  const carrier: { traceparent?: string } = {};
  propagation.inject(of, carrier);
  return carrier.traceparent ?? null;
}

/** The context that a `traceparent` names, as a parent of spans; an empty one if it is missing or malformed. */
export function contextFrom(traceparent: string | null | undefined): Context {
  // Without `tracestate`: what other systems put there would be exported.
  return propagation.extract(ROOT_CONTEXT, { traceparent: traceparent ?? undefined });
}

/** The trace of what is running, for its log lines. */
export function traceOfLog(): { trace_id?: string } {
  const running = trace.getSpanContext(context.active());
  return running ? { trace_id: running.traceId } : {};
}
