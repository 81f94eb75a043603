import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../platform/events/events.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { AnnouncementsService } from './deliveries/announcements.service.js';
import { AvisosController } from './avisos/avisos.controller.js';
import { AvisosService } from './avisos/avisos.service.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryLimits } from './deliveries/delivery-limits.js';
import { DeliveryLogService } from './deliveries/delivery-log.service.js';
import { Webhook } from './endpoints/webhook.entity.js';
import { DeliveriesProcessor, SlowDeliveriesProcessor } from './deliveries/deliveries.processor.js';
import { OperatorWebhooksController, WebhooksController } from './webhooks.controller.js';
import { WebhooksService } from './endpoints/webhooks.service.js';

/** Part of every process, because the relay, which dispatches events to the announcements, runs in each. */
@Module({
  imports: [TypeOrmModule.forFeature([Webhook]), EventsModule, GuiasModule],
  providers: [AnnouncementsService, WebhooksService, DeliveryLogService, DeliveryLimits],
  exports: [WebhooksService, DeliveryLogService, DeliveryLimits],
})
export class WebhooksModule {}

@Module({
  imports: [WebhooksModule],
  controllers: [AvisosController, WebhooksController, OperatorWebhooksController],
  providers: [AvisosService],
})
export class WebhooksHttpModule {}

@Module({
  imports: [WebhooksModule],
  providers: [DeliveriesService, DeliveriesProcessor, SlowDeliveriesProcessor],
})
export class WebhooksWorkerModule {}
