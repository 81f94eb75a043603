import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { Config } from '../config/env.js';
import { EventsModule } from '../events/events.module.js';
import { ShortLinkClient } from '../locations/short-links/short-link.client.js';
import { LOGGER } from '../logging/logging.module.js';
import { Guia } from './guia.entity.js';
import { GuiaEdits } from './changes/guia-edits.service.js';
import { GuiaMoves } from './changes/guia-moves.service.js';
import { GuiaChangesController } from './changes/guia-changes.controller.js';
import { Timeline } from './history/timeline.service.js';
import { GuiaChanges } from './changes/guia-changes.service.js';
import { GuiaList } from './list/guia-list.service.js';
import { GuiaInserts } from './create/guia-inserts.service.js';
import { GuiaNumeros } from './create/guia-numeros.service.js';
import { GuiasController } from './guias.controller.js';
import { GuiasService } from './guias.service.js';
import { LinkExpansion } from './links/link-expansion.service.js';
import { LinksProcessor } from './links/links.processor.js';

/** Milliseconds for a short link while someone waits: the answer must leave within 5 s, guide and all. */
const EXPANSION_LIMIT_MS = 4_000;

@Module({
  imports: [TypeOrmModule.forFeature([Guia]), EventsModule],
  providers: [
    GuiasService,
    GuiaList,
    GuiaInserts,
    GuiaNumeros,
    GuiaChanges,
    GuiaEdits,
    GuiaMoves,
    Timeline,
    LinkExpansion,
    {
      provide: ShortLinkClient,
      inject: [Config, LOGGER],
      useFactory: ({ mapsResolverUrl }: Config, logger: Logger) =>
        new ShortLinkClient({ resolverUrl: mapsResolverUrl, logger, totalMs: EXPANSION_LIMIT_MS }),
    },
  ],
  exports: [
    GuiasService,
    GuiaList,
    GuiaChanges,
    GuiaEdits,
    GuiaMoves,
    Timeline,
    LinkExpansion,
    ShortLinkClient,
  ],
})
export class GuiasModule {}

/** The merchants' routes, where they are served. */
@Module({ imports: [GuiasModule], controllers: [GuiasController, GuiaChangesController] })
export class GuiasHttpModule {}

/** Asks about map links, where there are workers. */
@Module({ imports: [GuiasModule], providers: [LinksProcessor] })
export class GuiasWorkerModule {}
