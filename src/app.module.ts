import { Module, type DynamicModule } from '@nestjs/common';
import { AuthModule } from './auth/auth.module.js';
import { ConfigModule } from './config/config.module.js';
import type { Config } from './config/env.js';
import type { Secrets } from './config/secrets.js';
import { DatabaseModule } from './database/database.module.js';
import { EventsModule } from './events/events.module.js';
import { GuiasModule } from './guias/guias.module.js';
import { HealthModule } from './health/health.module.js';

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  /** The migrated PostgreSQL. */
  databaseUrl: string;
}

@Module({})
export class AppModule {
  static register({ config, secrets, databaseUrl }: AppOptions): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.register(config, secrets),
        DatabaseModule.register(databaseUrl),
        AuthModule,
        EventsModule,
        HealthModule,
        ...(config.role === 'worker' ? [] : [GuiasModule]),
      ],
    };
  }
}
