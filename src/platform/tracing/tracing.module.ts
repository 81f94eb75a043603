import { Inject, Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import type { Config } from '../config/env.js';

const STOP = Symbol('stop of tracing');

/** OpenTelemetry, where `OTEL_EXPORTER_OTLP_ENDPOINT` is set. */
@Module({})
export class TracingModule implements OnApplicationShutdown {
  constructor(@Inject(STOP) private readonly stop: () => Promise<void>) {}

  static register({ tracing, role }: Config, logger: Logger): DynamicModule {
    const start = async () => {
      if (!tracing) return () => Promise.resolve();
      const { startTracing } = await import('./start-tracing.js');
      return startTracing(tracing, role, logger);
    };
    return { module: TracingModule, providers: [{ provide: STOP, useFactory: start }] };
  }

  /** Runs after requests and jobs have ended. */
  onApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
