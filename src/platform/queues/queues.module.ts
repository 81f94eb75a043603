import { BullModule, BullRegistrar } from '@nestjs/bullmq';
import { Global, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { pino } from 'pino';
import { queueClassOn } from './app-queue.js';
import { workerClassOn } from './app-worker.js';
import { JobCounters } from './job-counters.js';
import { JOB_OPTIONS } from './job-options.js';
import { QueueStore } from './queue-store.js';
import { QueuesService } from './queues.service.js';
import { SweepsService } from './sweeps.service.js';

/**
 * BullMQ through @nestjs/bullmq, on Redis or PostgreSQL. Its only way to choose a backend are classes that it keeps for the
 * whole process: each is set right before it is read, because several applications may run in a process.
 */
@Global()
@Module({})
export class QueuesModule implements OnModuleInit {
  constructor(
    private readonly store: QueueStore,
    private readonly workers: BullRegistrar,
  ) {}

  /** @param queues names of the application's queues, which `@InjectQueue` injects. */
  static register(store: QueueStore, queues: readonly string[]): DynamicModule {
    BullModule.queueClass = queueClassOn(store);
    const providers = [{ provide: QueueStore, useValue: store }, JobCounters, QueuesService, SweepsService];
    return {
      module: QueuesModule,
      imports: [
        BullModule.forRoot({
          connection: store.producer(),
          // If Redis dies during this check, the queue stays unusable.
          skipVersionCheck: true,
          defaultJobOptions: JOB_OPTIONS,
          extraOptions: { manualRegistration: true },
        }),
        BullModule.registerQueue(...queues.map((name) => ({ name }))),
      ],
      providers,
      exports: providers,
    };
  }

  /** For a program that records events, but adds no jobs and runs none. */
  static withoutQueues(databaseUrl: string): DynamicModule {
    return QueuesModule.register(new QueueStore(undefined, databaseUrl, pino({ enabled: false })), []);
  }

  /** Starts the workers. */
  onModuleInit(): void {
    BullModule.workerClass = workerClassOn(this.store);
    this.workers.register();
  }
}
