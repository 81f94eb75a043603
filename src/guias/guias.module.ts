import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { Config } from '../platform/config/env.js';
import { EventsModule } from '../platform/events/events.module.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { LOGGER } from '../platform/logging/logging.module.js';
import { GuiaUndoService } from './changes/guia-undo.service.js';
import { GuiaCobrosService } from './changes/guia-cobros.service.js';
import { GuiaEditsService } from './changes/guia-edits.service.js';
import { GuiaMovesService } from './changes/guia-moves.service.js';
import { GuiaChangesController } from './changes/guia-changes.controller.js';
import { GuiaChangesService } from './changes/guia-changes.service.js';
import { HistoryController } from './history/history.controller.js';
import { TimelineService } from './history/timeline.service.js';
import { GuiaAdvertenciasService } from './changes/guia-advertencias.service.js';
import { GuiaConfirmationsService } from './changes/guia-confirmations.service.js';
import { GuiaListService } from './list/guia-list.service.js';
import { GuiaInsertsService } from './create/guia-inserts.service.js';
import { GuiaNumerosService } from './create/guia-numeros.service.js';
import { GuiasController } from './guias.controller.js';
import { GuiasService } from './guias.service.js';
import { LugaresController } from './lugares.controller.js';
import { LoteController } from './lote/lote.controller.js';
import { LoteService } from './lote/lote.service.js';
import { LinkExpansionService } from './links/link-expansion.service.js';
import { LinksProcessor } from './links/links.processor.js';
import { SearchIndexService } from './search/search-index.service.js';
import { TrackingLinksService } from './tracking/tracking-links.service.js';

/** ms; timeout of expanding a short link within a request, which must be answered within 5 s. */
const EXPANSION_LIMIT_MS = 4_000;

const SERVICES = [
  GuiasService,
  GuiaChangesService,
  LoteService,
  GuiaListService,
  GuiaAdvertenciasService,
  GuiaConfirmationsService,
  GuiaCobrosService,
  GuiaUndoService,
  GuiaEditsService,
  GuiaMovesService,
  TimelineService,
  LinkExpansionService,
  TrackingLinksService,
];

@Module({
  imports: [EventsModule],
  providers: [
    ...SERVICES,
    GuiaInsertsService,
    GuiaNumerosService,
    SearchIndexService,
    {
      provide: ShortLinkClient,
      inject: [Config, LOGGER],
      useFactory: ({ mapsResolverUrl }: Config, logger: Logger) =>
        new ShortLinkClient({ resolverUrl: mapsResolverUrl, logger, totalMs: EXPANSION_LIMIT_MS }),
    },
  ],
  exports: [...SERVICES, ShortLinkClient],
})
export class GuiasModule {}

/** The merchants' routes, for processes with the role `api`. */
@Module({
  imports: [AuthHttpModule, GuiasModule],
  controllers: [GuiasController, LoteController, GuiaChangesController, HistoryController, LugaresController],
})
export class GuiasHttpModule {}

/** The worker that expands map links, for processes with the role `worker`. */
@Module({ imports: [GuiasModule], providers: [LinksProcessor] })
export class GuiasWorkerModule {}
