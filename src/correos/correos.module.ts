import { Module } from '@nestjs/common';
import { CorreosService } from './correos.service.js';

/** Mails to merchants: written by those who know of something, sent by a worker. */
@Module({ providers: [CorreosService], exports: [CorreosService] })
export class CorreosModule {}
