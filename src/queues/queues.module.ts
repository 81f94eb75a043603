import { BullModule } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { Config } from '../config/env.js';
import { LOGGER } from '../logging/logging.module.js';
import { AppQueue } from './app-queue.js';
import { AppWorker } from './app-worker.js';
import { JobCounters } from './job-counters.js';
import { JOB_OPTIONS } from './job-options.js';
import { QueueStore } from './queue-store.js';
import { QueuesService } from './queues.service.js';
import { SweepsService } from './sweeps.service.js';

// Process-wide, and read when a module registers a queue. `forFeature` is in this file so that it runs after this.
BullModule.queueClass = AppQueue;
BullModule.workerClass = AppWorker;

/** BullMQ through @nestjs/bullmq, on Redis or PostgreSQL. */
@Global()
@Module({})
export class QueuesModule {
  /** @param databaseUrl where the queues live without REDIS_URL. */
  static register(databaseUrl: string): DynamicModule {
    return {
      module: QueuesModule,
      imports: [
        BullModule.forRootAsync({
          inject: [QueueStore],
          useFactory: (store: QueueStore) => ({
            connection: store.producer(),
            // If Redis dies during this check, the queue stays unusable.
            skipVersionCheck: true,
            defaultJobOptions: JOB_OPTIONS,
          }),
        }),
      ],
      providers: [
        JobCounters,
        QueuesService,
        SweepsService,
        {
          provide: QueueStore,
          inject: [Config, LOGGER],
          useFactory: ({ redis }: Config, logger: Logger) => new QueueStore(redis, databaseUrl, logger),
        },
      ],
      exports: [QueueStore, JobCounters, QueuesService, SweepsService],
    };
  }

  /** Registers a queue, which `@InjectQueue(name)` injects. */
  static forFeature(name: string): DynamicModule {
    return BullModule.registerQueue({ name });
  }
}
