import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { PanelFormsService } from './forms/panel-forms.service.js';
import { PanelController } from './panel.controller.js';
import { PanelAccess } from './session/panel-access.js';
import { SessionsService } from './session/sessions.service.js';

/** The merchants' panel; part of processes with the role `api`. */
@Module({
  imports: [AuthHttpModule],
  controllers: [PanelController],
  providers: [PanelAccess, SessionsService, PanelFormsService],
})
export class PanelHttpModule {}
