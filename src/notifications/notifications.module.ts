import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { Config } from '../platform/config/env.js';
import { ConfirmationsModule } from '../confirmations/confirmations.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { MessageHistoryService } from './messages/message-history.service.js';
import { MessageWarningsService } from './messages/message-warnings.service.js';
import { MessagesService } from './messages/messages.service.js';
import { NotificationsProcessor, TestNotificationsProcessor } from './notifications.processor.js';
import { OpenRequestsService } from './messages/open-requests.service.js';
import { PROVIDER } from './providers/messaging-provider.js';
import { createProvider } from './providers/create-provider.js';
import { SandboxRecipientService } from './providers/sandbox/sandbox-recipient.service.js';
import { LocationRequestsController } from './requests/location-requests.controller.js';
import { LocationRequestsService } from './requests/location-requests.service.js';
import { SendOutlookService } from './sending/send-outlook.service.js';
import { MessageRetriesService } from './sending/message-retries.service.js';
import { OutageSweep } from './sending/outage-sweep.js';
import { OutagesService } from './sending/outages.service.js';
import { SampleMessageService } from './sending/sample-message.service.js';
import { SenderService } from './sending/sender.service.js';
import { SenderPausesService } from './pauses/sender-pauses.service.js';
import { TriesService } from './sending/tries.service.js';

const SERVICES = [
  MessageHistoryService,
  MessagesService,
  OpenRequestsService,
  SampleMessageService,
  SenderService,
  SenderPausesService,
  MessageRetriesService,
  OutagesService,
  SendOutlookService,
  LocationRequestsService,
  SandboxRecipientService,
];

@Module({
  imports: [EventsModule, GuiasModule, ConfirmationsModule],
  providers: [
    ...SERVICES,
    MessageWarningsService,
    TriesService,
    { provide: PROVIDER, inject: [Config], useFactory: createProvider },
  ],
  exports: SERVICES,
})
export class NotificationsModule {}

@Module({
  imports: [AuthHttpModule, GuiasModule, NotificationsModule],
  controllers: [LocationRequestsController],
})
export class NotificationsHttpModule {}

@Module({
  imports: [NotificationsModule],
  providers: [NotificationsProcessor, TestNotificationsProcessor, OutageSweep],
})
export class NotificationsWorkerModule {}
