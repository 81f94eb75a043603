import { Module } from '@nestjs/common';
import { ConfirmationsModule } from '../../confirmations/confirmations.module.js';
import { InboundModule } from '../../notifications/inbound/inbound.module.js';
import { PageController } from './page.controller.js';
import { RecipientPageService } from './recipient-page.service.js';

@Module({
  imports: [ConfirmationsModule, InboundModule],
  controllers: [PageController],
  providers: [RecipientPageService],
})
export class DestinatarioModule {}
