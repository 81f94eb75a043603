import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from './env.js';
import { Secrets } from './secrets.js';

@Global()
@Module({})
export class ConfigModule {
  static register(config: Config, secrets: Secrets): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: Config, useValue: config },
        { provide: Secrets, useValue: secrets },
      ],
      exports: [Config, Secrets],
    };
  }
}
