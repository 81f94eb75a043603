import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { QueuesModule } from '../queues/queues.module.js';
import { AnnouncementsService } from './deliveries/announcements.service.js';
import { DeliveriesService } from './deliveries/deliveries.service.js';
import { DeliveryLogService } from './deliveries/delivery-log.service.js';
import { DeliveryRetentionService } from './deliveries/delivery-retention.service.js';
import { WebhookEntrega } from './deliveries/webhook-entrega.entity.js';
import { WebhookIntento } from './deliveries/webhook-intento.entity.js';
import { WebhookMensaje } from './deliveries/webhook-mensaje.entity.js';
import { Webhook } from './endpoints/webhook.entity.js';
import { WebhooksController } from './endpoints/webhooks.controller.js';
import { DeliveriesProcessor } from './deliveries/deliveries.processor.js';
import { WEBHOOKS } from './deliveries/deliveries.queue.js';
import { WebhooksService } from './endpoints/webhooks.service.js';

/** Everywhere: the relay runs in every process, and hands events to the announcements. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookMensaje, WebhookEntrega, WebhookIntento]),
    QueuesModule.forFeature(WEBHOOKS),
    EventsModule,
  ],
  providers: [AnnouncementsService, WebhooksService, DeliveryLogService],
  exports: [WebhooksService, DeliveryLogService],
})
export class WebhooksModule {}

/** The merchants' routes, where they are served. */
@Module({ imports: [WebhooksModule], controllers: [WebhooksController] })
export class WebhooksHttpModule {}

/** Delivers, where there are workers. */
@Module({
  imports: [WebhooksModule],
  providers: [DeliveriesService, DeliveryRetentionService, DeliveriesProcessor],
})
export class WebhooksWorkerModule {}
