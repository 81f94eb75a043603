import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.js';

@Global()
@Module({})
export class DatabaseModule {
  /** `url` is that of PostgreSQL, embedded or not, already migrated. */
  static register(url: string): DynamicModule {
    return {
      module: DatabaseModule,
      imports: [
        TypeOrmModule.forRoot({ ...dataSourceOptions(url), autoLoadEntities: true, retryAttempts: 0 }),
      ],
      providers: [Database],
      exports: [Database],
    };
  }
}
