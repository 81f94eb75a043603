import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { OperationsController } from './operations.controller.js';
import { OperatorGuiasController } from './guias/operator-guias.controller.js';
import { OperatorGuiasService } from './guias/operator-guias.service.js';
import { OperationsService } from './operations.service.js';

@Module({
  imports: [AuthHttpModule, AuthModule, GuiasModule, NotificationsModule],
  controllers: [OperationsController, OperatorGuiasController],
  providers: [OperationsService, OperatorGuiasService],
})
export class OperationsHttpModule {}
