import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { Ajuste } from './ajuste.entity.js';
import { AjustesService } from './ajustes.service.js';
import { CobroListService } from './cobro-list.service.js';
import { Liquidacion } from './liquidacion.entity.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { MoneyController, OperatorMoneyController } from './money.controller.js';
import { SettlingController } from './settling.controller.js';

/** Amounts collected, adjustments and settlements: the merchants' and the operators' routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Ajuste, Liquidacion]), AuthModule, EventsModule],
  controllers: [MoneyController, OperatorMoneyController, SettlingController],
  providers: [AjustesService, CobroListService, LiquidacionesService],
  exports: [AjustesService, CobroListService, LiquidacionesService],
})
export class CobrosHttpModule {}
