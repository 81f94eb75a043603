import { Module } from '@nestjs/common';
import { GuiasModule } from '../guias/guias.module.js';
import { OperationsController } from './operations.controller.js';
import { OperationsService } from './operations.service.js';

/** The operators' routes. */
@Module({ imports: [GuiasModule], controllers: [OperationsController], providers: [OperationsService] })
export class OperationsHttpModule {}
