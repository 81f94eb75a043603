import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from '../events/events.module.js';
import { CobroListService } from './cobro-list.service.js';
import { CobrosController } from './cobros.controller.js';
import { LiquidacionesController } from './liquidaciones.controller.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { OperatorCobrosController } from './operator-cobros.controller.js';
import { OperatorLiquidacionesController } from './operator-liquidaciones.controller.js';

/** Amounts collected and settlements: the merchants' and the operators' routes. */
@Module({
  imports: [AuthModule, EventsModule],
  controllers: [
    CobrosController,
    LiquidacionesController,
    OperatorCobrosController,
    OperatorLiquidacionesController,
  ],
  providers: [CobroListService, LiquidacionesService],
  exports: [CobroListService, LiquidacionesService],
})
export class CobrosHttpModule {}
