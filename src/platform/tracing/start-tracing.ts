import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator, type ExportResult } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TracerProvider,
  TraceIdRatioBasedSampler,
  type ReadableSpan,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type { TracingConfig } from '../config/tracing.js';
import { withTimeout } from '../timeouts/with-timeout.js';

/** Maximum buffered spans; more are dropped, so that an unavailable collector costs at most some megabytes. */
const MAX_WAITING = 2_048;

/** ms between exports. */
const EXPORT_EVERY_MS = 1_000;

/** ms; timeout of an export, including its retries. */
const EXPORT_LIMIT_MS = 10_000;

/** ms; timeout of the final flush, within the shutdown's time for closing connections. */
const FLUSH_LIMIT_MS = 700;

/** ms between two warnings. */
const WARN_EVERY_MS = 60_000;

/**
 * Registers OpenTelemetry's SDK for the whole process. Import it dynamically: without tracing nothing of the SDK is loaded.
 * @returns a function that exports the waiting spans, within `FLUSH_LIMIT_MS`, and ends tracing.
 */
export function startTracing(config: TracingConfig, role: string, logger: Logger): () => Promise<void> {
  const resource = resourceFromAttributes({ 'guias.role': role })
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(resourceFromAttributes({ 'service.name': config.serviceName }));
  const exporter = new WarningExporter({ url: `${config.endpoint}/v1/traces` }, logger);
  const provider = new TracerProvider({
    resource,
    sampler: samplerOf(config),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: EXPORT_EVERY_MS,
        exportTimeoutMillis: EXPORT_LIMIT_MS,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await withTimeout(FLUSH_LIMIT_MS, provider.shutdown()).catch(() => undefined);
    for (const part of [trace, propagation, context]) part.disable();
  };
}

function samplerOf({ sampler, ratio }: TracingConfig): Sampler {
  const root = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  }[sampler.replace('parentbased_', '') as 'always_on' | 'always_off' | 'traceidratio']();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Warns of failed exports at most once a minute. The SDK's own reports, one per export, are disabled. */
class WarningExporter extends OTLPTraceExporter {
  private warnedAt = -Infinity;

  constructor(
    config: ConstructorParameters<typeof OTLPTraceExporter>[0],
    private readonly logger: Logger,
  ) {
    super(config);
  }

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, ({ code, error }) => {
      if (code !== ExportResultCode.SUCCESS) this.warn(error);
      done({ code: ExportResultCode.SUCCESS });
    });
  }

  private warn(error: Error | undefined): void {
    if (performance.now() - this.warnedAt < WARN_EVERY_MS) return;
    this.warnedAt = performance.now();
    this.logger.warn(
      { err: error },
      'spans were lost: the collector at OTEL_EXPORTER_OTLP_ENDPOINT did not take them',
    );
  }
}
