import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { AuthModule } from './auth.module.js';
import { RateLimit } from './rate-limit.js';

/** Every route asks for a key. In a file of its own: commands that make keys load no web server. */
@Module({
  imports: [AuthModule],
  providers: [RateLimit, { provide: APP_GUARD, useClass: ApiKeyGuard }],
})
export class AuthHttpModule {}
