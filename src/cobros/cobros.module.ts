import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../auth/auth.module.js';
import { EventsModule } from '../platform/events/events.module.js';
import { Ajuste } from './ajuste.entity.js';
import { AjustesController } from './ajustes.controller.js';
import { AjustesService } from './ajustes.service.js';
import { CobroListService } from './cobro-list.service.js';
import { CobrosController } from './cobros.controller.js';
import { Liquidacion } from './liquidacion.entity.js';
import { LiquidacionesController } from './liquidaciones.controller.js';
import { LiquidacionesService } from './liquidaciones.service.js';
import { OperatorAjustesController } from './operator-ajustes.controller.js';
import { OperatorCobrosController } from './operator-cobros.controller.js';
import { OperatorLiquidacionesController } from './operator-liquidaciones.controller.js';

/** Amounts collected, adjustments and settlements: the merchants' and the operators' routes. */
@Module({
  imports: [TypeOrmModule.forFeature([Ajuste, Liquidacion]), AuthModule, EventsModule],
  controllers: [
    AjustesController,
    CobrosController,
    LiquidacionesController,
    OperatorAjustesController,
    OperatorCobrosController,
    OperatorLiquidacionesController,
  ],
  providers: [AjustesService, CobroListService, LiquidacionesService],
  exports: [AjustesService, CobroListService, LiquidacionesService],
})
export class CobrosHttpModule {}
