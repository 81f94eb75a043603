import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { TrackingLinksService } from '../guias/tracking/tracking-links.service.js';
import { EventsModule } from '../platform/events/events.module.js';
import { AvisosRecorder, AvisosSweep } from './avisos/correo-avisos.service.js';
import { Correo } from './correo.entity.js';
import { CorreosProcessor } from './correos.processor.js';
import { CorreosService } from './correos.service.js';
import { ResumenService } from './resumen/resumen.service.js';
import { CorreoSenderService } from './sending/correo-sender.service.js';

/** Mails to merchants: written by those who know of something, sent by a worker. Commands need no queues for it. */
@Module({
  imports: [TypeOrmModule.forFeature([Correo])],
  providers: [CorreosService, TrackingLinksService],
  exports: [CorreosService],
})
export class CorreosModule {}

/** Part of every process, because the relay, which dispatches the events that are told, runs in each. */
@Module({ imports: [EventsModule], providers: [AvisosRecorder] })
export class CorreoAvisosModule {}

/** Writes what is due, and sends it; part of processes with the role `worker`. */
@Module({
  imports: [CorreosModule],
  providers: [AvisosSweep, ResumenService, CorreoSenderService, CorreosProcessor],
})
export class CorreosWorkerModule {}
