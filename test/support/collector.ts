import { randomBytes } from 'node:crypto';
import { startHttpStub, type HttpStub } from './http-stub.js';

/** A span as it was exported. */
export interface ExportedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  /** 2: error. */
  status: { code?: number };
  attributes: Record<string, unknown>;
}

/** An OpenTelemetry collector that takes OTLP as JSON over HTTP. */
export interface Collector extends HttpStub {
  /** The variables that send spans here. */
  env: Record<string, string>;
  spans(): ExportedSpan[];
  /** Names of resource attributes and their values, as each export has them. */
  resources(): Record<string, unknown>[];
  /** The spans of a trace, each as the names from its first one to itself, sorted. */
  paths(traceId: string): string[];
}

export async function startCollector(): Promise<Collector> {
  const stub = await startHttpStub();
  const exported = () => stub.requests.flatMap(({ json }) => (json?.resourceSpans ?? []) as any[]);
  const spans = (): ExportedSpan[] =>
    exported()
      .flatMap(({ scopeSpans }) => scopeSpans)
      .flatMap((scope) => scope.spans)
      .map((span) => ({ ...span, attributes: valuesOf(span.attributes) }));
  return Object.assign(stub, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: stub.url },
    spans,
    resources: () => exported().map(({ resource }) => valuesOf(resource.attributes)),
    paths: (traceId: string) => {
      const all = new Map(spans().map((span) => [span.spanId, span]));
      const pathOf = ({ name, parentSpanId }: ExportedSpan): string => {
        const parent = parentSpanId === undefined ? undefined : all.get(parentSpanId);
        return parent ? `${pathOf(parent)} > ${name}` : name;
      };
      return [...all.values()]
        .filter((span) => span.traceId === traceId)
        .map(pathOf)
        .sort();
    },
  });
}

function valuesOf(attributes: { key: string; value: Record<string, unknown> }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** A caller's span, and the header that names it. */
export function callersSpan(): { traceId: string; spanId: string; headers: { traceparent: string } } {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-01` } };
}
