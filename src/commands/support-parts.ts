import { NotificationsModule } from '../notifications/notifications.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { SupportModule } from '../support/support.module.js';
import type { Parts } from './run-command.js';

/** What commands about guides and messages need; to load it takes longer than most other commands. */
export const supportParts: Parts = (databaseUrl) => [
  QueuesModule.register(databaseUrl),
  NotificationsModule,
  SupportModule,
];
