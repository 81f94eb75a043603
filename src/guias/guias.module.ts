import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { Guia } from './guia.entity.js';
import { GuiaChanges } from './guia-changes.service.js';
import { GuiaNumeros } from './guia-numeros.service.js';
import { GuiasController } from './guias.controller.js';
import { GuiasService } from './guias.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Guia]), EventsModule],
  providers: [GuiasService, GuiaNumeros, GuiaChanges],
  exports: [GuiasService, GuiaChanges],
})
export class GuiasModule {}

/** The merchants' routes, where they are served. */
@Module({ imports: [GuiasModule], controllers: [GuiasController] })
export class GuiasHttpModule {}
