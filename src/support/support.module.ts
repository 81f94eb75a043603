import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { GuiaStoryService } from './guia-story.service.js';
import { SupportController } from './support.controller.js';

@Module({
  imports: [GuiasModule, NotificationsModule, WebhooksModule],
  providers: [GuiaStoryService],
  exports: [GuiaStoryService],
})
export class SupportModule {}

@Module({ imports: [SupportModule], controllers: [SupportController] })
export class SupportHttpModule {}
