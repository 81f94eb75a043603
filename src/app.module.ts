import { Module, type DynamicModule } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import type { Logger } from 'pino';
import { AuthHttpModule } from './auth/auth-http.module.js';
import { CobrosHttpModule } from './cobros/cobros.module.js';
import { CorreoAvisosModule, CorreosWorkerModule } from './correos/correos.module.js';
import { MAILS } from './correos/correos.work.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { BoardUser } from './platform/config/board-users.js';
import type { Config } from './platform/config/env.js';
import type { Secrets } from './platform/config/secrets.js';
import { EtiquetasHttpModule } from './etiquetas/etiquetas.module.js';
import { DatabaseModule } from './platform/database/database.module.js';
import type { TimeLimits } from './platform/database/time-limits.js';
import { RelayModule } from './platform/events/events.module.js';
import { GuiasHttpModule, GuiasWorkerModule } from './guias/guias.module.js';
import { LINKS } from './guias/links/links.work.js';
import { HealthModule } from './platform/health/health.module.js';
import { INBOUND_EVENTS } from './notifications/inbound/inbound.work.js';
import { InboundHttpModule, InboundWorkerModule } from './notifications/inbound/inbound.module.js';
import { LoggingModule } from './platform/logging/logging.module.js';
import { MESSAGES } from './notifications/notifications.work.js';
import {
  NotificationsHttpModule,
  NotificationsModule,
  NotificationsWorkerModule,
} from './notifications/notifications.module.js';
import { OperationsHttpModule } from './operations/operations.module.js';
import { PanelModule } from './web/panel/panel.module.js';
import { PilotosHttpModule } from './pilotos/pilotos.module.js';
import { SIMULATIONS } from './pruebas/simulaciones.work.js';
import { PruebasHttpModule, PruebasWorkerModule } from './pruebas/pruebas.module.js';
import { QueueStore } from './platform/queues/queue-store.js';
import { QueuesModule } from './platform/queues/queues.module.js';
import { RetentionWorkerModule } from './platform/retention/retention.module.js';
import { SolicitudesHttpModule } from './auth/solicitudes/solicitudes.module.js';
import { BoardModule } from './web/console/board/board.module.js';
import { BULK_ACTIONS } from './support/bulk/bulk.work.js';
import { SupportWorkerModule } from './support/support.module.js';
import { TracingModule } from './platform/tracing/tracing.module.js';
import { InputPipe } from './platform/http/input.pipe.js';
import { ConsoleModule } from './web/console/console.module.js';
import { DestinatarioModule } from './web/destinatario/destinatario.module.js';
import { RutaModule } from './web/ruta/ruta.module.js';
import { WEBHOOK_QUEUES } from './webhooks/deliveries/deliveries.queue.js';
import { WebhooksHttpModule, WebhooksModule, WebhooksWorkerModule } from './webhooks/webhooks.module.js';
import type { WorkKind } from './platform/work/work-kind.js';
import { WorkModule } from './platform/work/work.module.js';

export interface AppOptions {
  config: Config;
  secrets: Secrets;
  /** The migrated PostgreSQL. */
  databaseUrl: string;
  /** Who may open `/admin`; without users there is no `/admin`. */
  boardUsers: readonly BoardUser[] | undefined;
  timeLimits?: TimeLimits;
}

/** Modules that serve HTTP, beside health checks. */
const HTTP = [
  GuiasHttpModule,
  OperationsHttpModule,
  PilotosHttpModule,
  RutaModule,
  NotificationsHttpModule,
  CobrosHttpModule,
  EtiquetasHttpModule,
  DestinatarioModule,
  ConsoleModule,
  PanelModule,
  InboundHttpModule,
  WebhooksHttpModule,
  PruebasHttpModule,
  SolicitudesHttpModule,
];

const WORKERS = [
  GuiasWorkerModule,
  NotificationsWorkerModule,
  InboundWorkerModule,
  WebhooksWorkerModule,
  PruebasWorkerModule,
  RetentionWorkerModule,
  SupportWorkerModule,
  CorreosWorkerModule,
];

/** Work that must not be lost, with a job for each row: every kind of it. */
export const WORK: readonly WorkKind[] = [MESSAGES, INBOUND_EVENTS, LINKS, SIMULATIONS, BULK_ACTIONS, MAILS];

const QUEUES = [...WORK.flatMap(({ queues }) => queues), ...WEBHOOK_QUEUES];

@Module({})
export class AppModule {
  static register(
    { config, secrets, databaseUrl, boardUsers, timeLimits }: AppOptions,
    logger: Logger,
  ): DynamicModule {
    return {
      module: AppModule,
      providers: [{ provide: APP_PIPE, useClass: InputPipe }],
      imports: [
        LoggingModule.register(logger),
        ConfigModule.register(config, secrets),
        TracingModule.register(config, logger),
        DatabaseModule.register(databaseUrl, timeLimits, config.replicaUrls),
        QueuesModule.register(new QueueStore(config.redis, databaseUrl, logger), QUEUES),
        WorkModule.register(config.role === 'api' ? [] : WORK),
        AuthHttpModule,
        RelayModule,
        // In every role: the relay runs in all of them and needs its subscribers.
        NotificationsModule,
        WebhooksModule,
        CorreoAvisosModule,
        HealthModule,
        ...(config.role === 'worker' ? [] : HTTP),
        ...(config.role === 'worker' || !boardUsers ? [] : [BoardModule]),
        ...(config.role === 'api' ? [] : WORKERS),
      ],
    };
  }
}
