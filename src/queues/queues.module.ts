import { Global, Module, type DynamicModule } from '@nestjs/common';
import { Config } from '../config/env.js';
import { QueueConnections } from './queue-connections.js';
import { QueuesService } from './queues.service.js';

@Global()
@Module({})
export class QueuesModule {
  /** `databaseUrl` is where the queues live without REDIS_URL. */
  static register(databaseUrl: string): DynamicModule {
    return {
      module: QueuesModule,
      providers: [
        QueuesService,
        {
          provide: QueueConnections,
          inject: [Config],
          useFactory: async ({ redisUrl }: Config) => {
            const connections = new QueueConnections(redisUrl, databaseUrl);
            await connections.migrate();
            return connections;
          },
        },
      ],
      exports: [QueuesService],
    };
  }
}
