import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { Announcements } from './announcements.service.js';
import { Deliveries } from './deliveries.service.js';
import { DeliveryLog } from './delivery-log.service.js';
import { WebhookEntrega } from './webhook-entrega.entity.js';
import { WebhookIntento } from './webhook-intento.entity.js';
import { WebhookMensaje } from './webhook-mensaje.entity.js';
import { Webhook } from './webhook.entity.js';
import { WebhooksController } from './webhooks.controller.js';
import { WebhooksProcessor } from './webhooks.processor.js';
import { Webhooks } from './webhooks.service.js';

/** Everywhere: the relay runs in every process, and hands events to the announcements. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Webhook, WebhookMensaje, WebhookEntrega, WebhookIntento]),
    EventsModule,
  ],
  providers: [Announcements, Webhooks, DeliveryLog],
  exports: [Webhooks, DeliveryLog],
})
export class WebhooksModule {}

/** The merchants' routes, where they are served. */
@Module({ imports: [WebhooksModule], controllers: [WebhooksController] })
export class WebhooksHttpModule {}

/** Delivers, where there are workers. */
@Module({ imports: [WebhooksModule], providers: [Deliveries, WebhooksProcessor] })
export class WebhooksWorkerModule {}
