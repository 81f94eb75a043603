import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Logger } from 'pino';
import { Config } from '../config/env.js';
import { EventsModule } from '../events/events.module.js';
import { ShortLinkClient } from '../locations/short-link.client.js';
import { LOGGER } from '../logging/logging.module.js';
import { Guia } from './guia.entity.js';
import { GuiaChanges } from './guia-changes.service.js';
import { GuiaList } from './guia-list.service.js';
import { GuiaNumeros } from './guia-numeros.service.js';
import { GuiasController } from './guias.controller.js';
import { GuiasService } from './guias.service.js';
import { LinkExpansion } from './link-expansion.service.js';
import { LinksProcessor } from './links.processor.js';

/** Milliseconds for a short link while someone waits: the answer must leave within 5 s, guide and all. */
const EXPANSION_LIMIT_MS = 4_000;

@Module({
  imports: [TypeOrmModule.forFeature([Guia]), EventsModule],
  providers: [
    GuiasService,
    GuiaList,
    GuiaNumeros,
    GuiaChanges,
    LinkExpansion,
    {
      provide: ShortLinkClient,
      inject: [Config, LOGGER],
      useFactory: ({ mapsResolverUrl }: Config, logger: Logger) =>
        new ShortLinkClient({ resolverUrl: mapsResolverUrl, logger, totalMs: EXPANSION_LIMIT_MS }),
    },
  ],
  exports: [GuiasService, GuiaList, GuiaChanges, LinkExpansion, ShortLinkClient],
})
export class GuiasModule {}

/** The merchants' routes, where they are served. */
@Module({ imports: [GuiasModule], controllers: [GuiasController] })
export class GuiasHttpModule {}

/** Asks about map links, where there are workers. */
@Module({ imports: [GuiasModule], providers: [LinksProcessor] })
export class GuiasWorkerModule {}
