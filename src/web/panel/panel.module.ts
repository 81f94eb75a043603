import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthHttpModule } from '../../auth/auth-http.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { CobrosHttpModule } from '../../cobros/cobros.module.js';
import { CorreosModule } from '../../correos/correos.module.js';
import { EtiquetasHttpModule } from '../../etiquetas/etiquetas.module.js';
import { GuiasModule } from '../../guias/guias.module.js';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { PanelAjuste } from './ajustes/panel-ajuste.entity.js';
import { AjustesController } from './ajustes/ajustes.controller.js';
import { AjustesService } from './ajustes/ajustes.service.js';
import { BajaController } from './correo/baja.controller.js';
import { EnlacesService } from './entrada/enlaces.service.js';
import { EntradaController } from './entrada/entrada.controller.js';
import { PanelEnlace } from './entrada/panel-enlace.entity.js';
import { PanelFormsService } from './forms/panel-forms.service.js';
import { PanelGuiasController } from './guias/panel-guias.controller.js';
import { PanelGuiasService } from './guias/panel-guias.service.js';
import { PanelKeysController } from './keys/panel-keys.controller.js';
import { MoneyController } from './money/money.controller.js';
import { FileRepeatsService } from './importar/file-repeats.service.js';
import { ImportarController } from './importar/importar.controller.js';
import { ImportarService } from './importar/importar.service.js';
import { PanelArchivo } from './importar/panel-archivo.entity.js';
import { TakeBackService } from './importar/take-back.service.js';
import { NuevaController } from './nueva/nueva.controller.js';
import { NuevaService } from './nueva/nueva.service.js';
import { PanelController } from './panel.controller.js';
import { PanelRecogida } from './recogidas/panel-recogida.entity.js';
import { RecogidasController } from './recogidas/recogidas.controller.js';
import { RecogidasService } from './recogidas/recogidas.service.js';
import { PanelAccess } from './session/panel-access.js';
import { PanelSesion } from './session/panel-sesion.entity.js';
import { SessionsService } from './session/sessions.service.js';
import { TiendaController } from './tienda/tienda.controller.js';
import { TodayService } from './today/today.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([PanelAjuste, PanelArchivo, PanelEnlace, PanelRecogida, PanelSesion]),
    AuthModule,
    AuthHttpModule,
    CobrosHttpModule,
    CorreosModule,
    EtiquetasHttpModule,
    GuiasModule,
    NotificationsModule,
    WebhooksModule,
  ],
  controllers: [
    PanelController,
    EntradaController,
    AjustesController,
    NuevaController,
    ImportarController,
    PanelGuiasController,
    PanelKeysController,
    MoneyController,
    TiendaController,
    BajaController,
    RecogidasController,
  ],
  providers: [
    AjustesService,
    EnlacesService,
    RecogidasService,
    NuevaService,
    ImportarService,
    TakeBackService,
    FileRepeatsService,
    PanelGuiasService,
    PanelAccess,
    SessionsService,
    PanelFormsService,
    TodayService,
  ],
})
export class PanelModule {}
