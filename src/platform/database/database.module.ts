import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { LOGGER } from '../logging/logging.module.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { Reads } from './replicas/reads.js';
import { TIME_LIMITS } from './time-limits.js';

@Global()
@Module({})
export class DatabaseModule {
  /** @param url of the migrated PostgreSQL, embedded or not. @param replicaUrls of its replicas, from which `Reads` reads. */
  static register(url: string, limits = TIME_LIMITS, replicaUrls: readonly string[] = []): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(url, limits),
          autoLoadEntities: true,
          retryAttempts: 0,
        }),
      ],
      providers: [
        {
          provide: Database,
          inject: [DataSource],
          useFactory: (dataSource: DataSource) => new Database(dataSource, limits),
        },
        {
          provide: Reads,
          inject: [Database, LOGGER],
          useFactory: (database: Database, logger: Logger) => new Reads(database, replicaUrls, logger),
        },
      ],
      exports: [Database, Reads],
    };
  }
}
