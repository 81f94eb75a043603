import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PruebasController } from './pruebas.controller.js';
import { SimulacionesProcessor } from './simulaciones.processor.js';
import { SimulacionesService } from './simulaciones.service.js';
import { SimulatedCourierService } from './simulated-courier.service.js';
import { TestMessagesService } from './test-messages.service.js';

const SERVICES = [SimulatedCourierService, SimulacionesService, TestMessagesService];

@Module({
  imports: [AuthModule, GuiasModule, NotificationsModule],
  providers: SERVICES,
  exports: SERVICES,
})
class PruebasModule {}

@Module({ imports: [PruebasModule], controllers: [PruebasController] })
export class PruebasHttpModule {}

@Module({ imports: [PruebasModule], providers: [SimulacionesProcessor] })
export class PruebasWorkerModule {}
