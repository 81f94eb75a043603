import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { EtiquetasHttpModule } from '../etiquetas/etiquetas.module.js';
import { GuiasModule } from '../guias/guias.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { PanelFormsService } from './forms/panel-forms.service.js';
import { PanelGuiaService } from './guias/panel-guia.service.js';
import { PanelGuiasController } from './guias/panel-guias.controller.js';
import { PanelGuiasService } from './guias/panel-guias.service.js';
import { PanelController } from './panel.controller.js';
import { PanelAccess } from './session/panel-access.js';
import { SessionsService } from './session/sessions.service.js';
import { TodayService } from './today/today.service.js';

/** The merchants' panel; part of processes with the role `api`. */
@Module({
  imports: [AuthHttpModule, EtiquetasHttpModule, GuiasModule, NotificationsModule],
  controllers: [PanelController, PanelGuiasController],
  providers: [
    PanelGuiaService,
    PanelGuiasService,
    PanelAccess,
    SessionsService,
    PanelFormsService,
    TodayService,
  ],
})
export class PanelHttpModule {}
