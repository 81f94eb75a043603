import { Module } from '@nestjs/common';
import { AuthHttpModule } from '../auth/auth-http.module.js';
import { EtiquetasController } from './etiquetas.controller.js';
import { EtiquetasService } from './etiquetas.service.js';

@Module({
  imports: [AuthHttpModule],
  controllers: [EtiquetasController],
  providers: [EtiquetasService],
  exports: [EtiquetasService],
})
export class EtiquetasHttpModule {}
