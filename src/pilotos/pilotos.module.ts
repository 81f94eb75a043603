import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { AsignacionesController } from './asignaciones/asignaciones.controller.js';
import { AsignacionesService } from './asignaciones/asignaciones.service.js';
import { CajaController } from './caja/caja.controller.js';
import { CajaService } from './caja/caja.service.js';
import { SaldoMovimiento } from './caja/saldo-movimiento.entity.js';
import { SaldoService } from './caja/saldo.service.js';
import { Piloto } from './piloto.entity.js';
import { PilotosController } from './pilotos.controller.js';
import { PilotosService } from './pilotos.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Piloto]), GuiasModule],
  providers: [PilotosService, AsignacionesService],
  exports: [PilotosService, AsignacionesService],
})
export class PilotosModule {}

@Module({
  imports: [TypeOrmModule.forFeature([SaldoMovimiento]), AuthHttpModule, GuiasModule, PilotosModule],
  controllers: [PilotosController, AsignacionesController, CajaController],
  providers: [CajaService, SaldoService],
  exports: [PilotosModule, CajaService, SaldoService],
})
export class PilotosHttpModule {}
