import { Global, Inject, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';

/** The service's logger, for factories. */
export const LOGGER = Symbol('logger');

/** The service's logger, as a constructor parameter of type pino's `Logger`. */
export const InjectLogger = () => Inject(LOGGER);

@Global()
@Module({})
export class LoggingModule {
  static register(logger: Logger): DynamicModule {
    return {
      module: LoggingModule,
      providers: [{ provide: LOGGER, useValue: logger }],
      exports: [LOGGER],
    };
  }
}
