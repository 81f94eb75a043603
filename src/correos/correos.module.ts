import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Correo } from './correo.entity.js';
import { CorreosService } from './correos.service.js';

/** Mails to merchants: written by those who know of something, sent by a worker. */
@Module({
  imports: [TypeOrmModule.forFeature([Correo])],
  providers: [CorreosService],
  exports: [CorreosService],
})
export class CorreosModule {}
