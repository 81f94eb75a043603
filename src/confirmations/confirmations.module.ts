import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { ConfirmationsService } from './confirmations.service.js';

@Module({
  imports: [GuiasModule],
  providers: [ConfirmationsService],
  exports: [ConfirmationsService],
})
export class ConfirmationsModule {}
