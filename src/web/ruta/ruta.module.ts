import { Module } from '@nestjs/common';
import { GuiasModule } from '../../guias/guias.module.js';
import { PilotosModule } from '../../pilotos/pilotos.module.js';
import { RutaController } from './ruta.controller.js';
import { RutaService } from './ruta.service.js';

@Module({
  imports: [GuiasModule, PilotosModule],
  controllers: [RutaController],
  providers: [RutaService],
})
export class RutaModule {}
