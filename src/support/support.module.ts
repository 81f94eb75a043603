import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PilotosModule } from '../pilotos/pilotos.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { GuiaStoryService } from './guia/guia-story.service.js';
import { BulkProcessor } from './bulk/bulk.processor.js';
import { BulkRunService } from './bulk/bulk-run.service.js';

/** The history of a guide, for commands. */
@Module({
  imports: [GuiasModule, NotificationsModule, WebhooksModule],
  providers: [GuiaStoryService],
  exports: [GuiaStoryService],
})
export class SupportModule {}

/** Does what staff asks for many guides, where there are workers. */
@Module({
  imports: [GuiasModule, NotificationsModule, PilotosModule],
  providers: [BulkRunService, BulkProcessor],
})
export class SupportWorkerModule {}
