import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module.js';
import { CobroListService } from './cobro-list.service.js';
import { CobrosController } from './cobros.controller.js';
import { LiquidacionesController } from './liquidaciones.controller.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { OperatorLiquidacionesController } from './operator-liquidaciones.controller.js';

/** Amounts collected and settlements: the merchants' and the operators' routes. */
@Module({
  imports: [EventsModule],
  controllers: [CobrosController, LiquidacionesController, OperatorLiquidacionesController],
  providers: [CobroListService, LiquidacionesService],
})
export class CobrosHttpModule {}
