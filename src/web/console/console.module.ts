import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthHttpModule } from '../../auth/auth-http.module.js';
import { AuthModule } from '../../auth/auth.module.js';
import { CobrosHttpModule } from '../../cobros/cobros.module.js';
import { EtiquetasHttpModule } from '../../etiquetas/etiquetas.module.js';
import { GuiasModule } from '../../guias/guias.module.js';
import { InboundModule } from '../../notifications/inbound/inbound.module.js';
import { NotificationsModule } from '../../notifications/notifications.module.js';
import { PilotosHttpModule } from '../../pilotos/pilotos.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { AccountsController } from './accounts/accounts.controller.js';
import { AccountsService } from './accounts/accounts.service.js';
import { AuditService } from './audit/audit.service.js';
import { ProcessesService } from './audit/processes.service.js';
import { ClosingController } from './dispatch/closing.controller.js';
import { ClosingService } from './dispatch/closing.service.js';
import { DispatchController } from './dispatch/dispatch.controller.js';
import { DispatchService } from './dispatch/dispatch.service.js';
import { DriversService } from './dispatch/drivers.service.js';
import { SettlementsController } from './dispatch/settlements.controller.js';
import { SettlementsService } from './dispatch/settlements.service.js';
import { GuiaActionsService } from './guia/guia-actions.service.js';
import { GuiaAuditService } from './guia/guia-audit.service.js';
import { GuiaCorrectionsService } from './guia/guia-corrections.service.js';
import { GuiaOverviewService } from './guia/guia-overview.service.js';
import { GuiaSupportController } from './guia/guia-support.controller.js';
import { RegistrarService } from './guia/registrar.service.js';
import { BulkService } from './bulk/bulk.service.js';
import { AdjustmentsService } from './accounts/adjustments.service.js';
import { EndpointActionsService } from './accounts/endpoint-actions.service.js';
import { EndpointOverviewService } from './accounts/endpoint-overview.service.js';
import { EndpointSupportController } from './accounts/endpoint-support.controller.js';
import { MerchantClosingService } from './accounts/merchant-closing.service.js';
import { MerchantOverviewService } from './accounts/merchant-overview.service.js';
import { SearchService } from './search/search.service.js';
import { SenderBannerService } from './senders/sender-banner.service.js';
import { SetupController } from './setup/setup.controller.js';
import { SetupService } from './setup/setup.service.js';
import { SupportController } from './support.controller.js';
import { CausesController } from './today/causes.controller.js';
import { CausesService } from './causes/causes.service.js';
import { TodayService } from './today/today.service.js';
import { Masiva } from '../../support/bulk/masiva.entity.js';
import { SupportModule } from '../../support/support.module.js';

/** The console; part of processes with the role `api`. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Masiva]),
    AuthHttpModule,
    AuthModule,
    CobrosHttpModule,
    EtiquetasHttpModule,
    GuiasModule,
    InboundModule,
    NotificationsModule,
    PilotosHttpModule,
    WebhooksModule,
    SupportModule,
  ],
  controllers: [
    AccountsController,
    CausesController,
    ClosingController,
    DispatchController,
    EndpointSupportController,
    SupportController,
    GuiaSupportController,
    SettlementsController,
    SetupController,
  ],
  providers: [
    AccountsService,
    AdjustmentsService,
    AuditService,
    ProcessesService,
    BulkService,
    CausesService,
    ClosingService,
    DispatchService,
    DriversService,
    EndpointActionsService,
    EndpointOverviewService,
    GuiaActionsService,
    GuiaAuditService,
    GuiaCorrectionsService,
    GuiaOverviewService,
    MerchantClosingService,
    MerchantOverviewService,
    RegistrarService,
    SearchService,
    SenderBannerService,
    SettlementsService,
    SetupService,
    TodayService,
  ],
  exports: [AuditService],
})
export class ConsoleModule {}
