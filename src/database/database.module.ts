import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { TIME_LIMITS } from './time-limits.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param url of the migrated PostgreSQL, embedded or not. */
  static register(url: string, limits = TIME_LIMITS): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, limits),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [Database],
      exports: [Database],
    };
  }
}
