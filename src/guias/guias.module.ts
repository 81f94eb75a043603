import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { EventsModule } from '../events/events.module.js';
import { Guia } from './guia.entity.js';
import { GuiaNumeros } from './guia-numeros.service.js';
import { GuiasController } from './guias.controller.js';
import { GuiasService } from './guias.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Guia]), EventsModule],
  controllers: [GuiasController],
  providers: [GuiasService, GuiaNumeros],
})
export class GuiasModule {}
