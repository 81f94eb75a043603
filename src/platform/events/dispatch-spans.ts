import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api';
import { contextFrom, contextOf, startSpan, traceparent } from '../tracing/spans.js';
import type { Evento } from './evento.entity.js';

/** The attributes of an event's dispatch span. */
type TracedEvento = Pick<Evento, 'comercio_id' | 'guia_id' | 'id' | 'tipo' | 'traza'>;

/**
 * Calls the subscribers of a batch with a span for each event that has a trace, so that each keeps its own. Meanwhile
 * `traza` is the event's span, for the jobs that follow from it.
 */
export async function inDispatchSpans<Failure extends { evento: TracedEvento }>(
  eventos: TracedEvento[],
  callSubscribers: () => Promise<Failure[]>,
): Promise<Failure[]> {
  const spans = new Map<TracedEvento, Span>();
  for (const evento of eventos)
    if (evento.traza !== null) spans.set(evento, startDispatch(evento, eventos.length));
  let failed = new Set(eventos);
  try {
    const failures = await callSubscribers();
    failed = new Set(failures.map(({ evento }) => evento));
    return failures;
  } finally {
    for (const [evento, span] of spans) {
      if (failed.has(evento)) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  }
}

function startDispatch(evento: TracedEvento, count: number): Span {
  const { tipo, id, guia_id, comercio_id, traza } = evento;
  const span = startSpan(`dispatch ${tipo}`, {
    kind: SpanKind.CONSUMER,
    parent: contextFrom(traza),
    attributes: {
      'messaging.batch.message_count': count,
      'guias.event': id,
      'guias.merchant': comercio_id,
      'guias.subject': guia_id,
    },
  });
  // A process without tracing passes the trace on.
  evento.traza = traceparent(contextOf(span)) ?? traza;
  return span;
}
