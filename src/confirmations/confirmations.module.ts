import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { ConfirmationsService } from './confirmations.service.js';
import { PageController } from './page.controller.js';
import { PageLimits } from './page-limits.js';
import { RecipientPageService } from './recipient-page.service.js';

@Module({
  imports: [GuiasModule],
  providers: [ConfirmationsService],
  exports: [ConfirmationsService],
})
export class ConfirmationsModule {}

/** The recipient's page, for processes that serve HTTP. */
@Module({
  imports: [ConfirmationsModule],
  controllers: [PageController],
  providers: [PageLimits, RecipientPageService],
})
export class ConfirmationsHttpModule {}
