import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { CobroListService } from './cobro-list.service.js';
import { Cobro } from './cobro.entity.js';
import { CobrosController } from './cobros.controller.js';
import { Liquidacion } from './liquidacion.entity.js';
import { LiquidacionesController } from './liquidaciones.controller.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { OperatorLiquidacionesController } from './operator-liquidaciones.controller.js';

/** What was collected and settled: the merchants' and the operators' routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Cobro, Liquidacion]), EventsModule],
  controllers: [CobrosController, LiquidacionesController, OperatorLiquidacionesController],
  providers: [CobroListService, LiquidacionesService],
})
export class CobrosHttpModule {}
