import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Evento } from './evento.entity.js';

@Module({ imports: [TypeOrmModule.forFeature([Evento])] })
export class EventsModule {}
