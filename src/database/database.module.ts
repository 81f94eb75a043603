import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';
import { Reads, ReplicaUrls } from './replicas/reads.js';
import { TIME_LIMITS } from './time-limits.js';

@Global()
@Module({})
export class DatabaseModule {
  /**
   * @param url of the migrated PostgreSQL, embedded or not.
   * @param replicaUrls of its replicas, from which `Reads` reads.
   */
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
      providers: [Database, Reads, { provide: ReplicaUrls, useValue: new ReplicaUrls(replicaUrls) }],
      exports: [Database, Reads],
    };
  }
}
