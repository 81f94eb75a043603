import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PilotosModule } from '../pilotos/pilotos.module.js';
import { WebhooksModule } from '../webhooks/webhooks.module.js';
import { GuiaStoryService } from './guia/guia-story.service.js';
import { ClosingSweep } from './closing/closing-sweep.js';
import { ClosingsService } from './closing/closings.service.js';
import { BulkProcessor } from './bulk/bulk.processor.js';
import { BulkRunService } from './bulk/bulk-run.service.js';
import { MasivaGuia } from './bulk/masiva-guia.entity.js';
import { Masiva } from './bulk/masiva.entity.js';

/** The history of a guide, and the closing of merchants, for commands and the console. */
@Module({
  imports: [GuiasModule, NotificationsModule, WebhooksModule],
  providers: [ClosingsService, GuiaStoryService],
  exports: [ClosingsService, GuiaStoryService],
})
export class SupportModule {}

@Module({
  imports: [
    TypeOrmModule.forFeature([Masiva, MasivaGuia]),
    GuiasModule,
    NotificationsModule,
    PilotosModule,
    SupportModule,
  ],
  providers: [BulkRunService, BulkProcessor, ClosingSweep],
})
export class SupportWorkerModule {}
