import { Module } from '@nestjs/common';
import { APP_PIPE } from '@nestjs/core';
import { InputPipe } from './input.pipe.js';

/** Validates the body and the query of every route. */
@Module({ providers: [{ provide: APP_PIPE, useClass: InputPipe }] })
export class ValidationModule {}
