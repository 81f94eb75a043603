import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../../auth/auth-http.module.js';
import { GuiasModule } from '../../guias/guias.module.js';
import { NotificationsModule } from '../notifications.module.js';
import { InboundProcessor } from './inbound.processor.js';
import { InboundService } from './inbound.service.js';
import { OptOutsController } from './opt-outs.controller.js';
import { OptOutsService } from './opt-outs.service.js';
import { WhatsappController } from './whatsapp.controller.js';

@Module({
  imports: [GuiasModule, NotificationsModule],
  providers: [InboundService, OptOutsService],
  exports: [InboundService, OptOutsService],
})
export class InboundModule {}

/** Receives events of messaging apps, in processes that serve HTTP. */
@Module({ imports: [AuthHttpModule, InboundModule], controllers: [WhatsappController, OptOutsController] })
export class InboundHttpModule {}

@Module({ imports: [InboundModule], providers: [InboundProcessor] })
export class InboundWorkerModule {}
