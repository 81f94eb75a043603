import { NotificationsModule } from '../notifications/notifications.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { SupportModule } from '../support/support.module.js';
import type { ModulesOf } from './run-command.js';

/** Modules of commands about guides and messages. In a file of its own because loading them is slow. */
export const supportModules: ModulesOf = (databaseUrl) => [
  QueuesModule.register(databaseUrl),
  NotificationsModule,
  SupportModule,
];
