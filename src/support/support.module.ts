import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { GuiaStoryService } from './guia-story.service.js';
import { ParkedEventosService } from './parked-eventos.service.js';
import { SupportController } from './support.controller.js';

@Module({
  imports: [GuiasModule, NotificationsModule, WebhooksModule],
  providers: [GuiaStoryService, ParkedEventosService],
  exports: [GuiaStoryService, ParkedEventosService],
})
export class SupportModule {}

@Module({ imports: [SupportModule], controllers: [SupportController] })
export class SupportHttpModule {}
