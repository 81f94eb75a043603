import { Module } from '@nestjs/common';
import { RequestLogService } from './request-log.service.js';
import { SolicitudesController } from './solicitudes.controller.js';
import { SolicitudesService } from './solicitudes.service.js';

/** Requests that changed something or were refused, by their `X-Request-Id`. */
@Module({
  controllers: [SolicitudesController],
  providers: [RequestLogService, SolicitudesService],
})
export class SolicitudesHttpModule {}
