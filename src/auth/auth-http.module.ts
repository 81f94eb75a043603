import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Config } from '../config/env.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { AuthModule } from './auth.module.js';
import { RateLimiter } from './rate-limiter.js';

/** Every route asks for a key. Separate from `AuthModule`, which commands load without a web server. */
@Module({
  imports: [AuthModule],
  providers: [
    {
      provide: RateLimiter,
      inject: [Config],
      useFactory: ({ rateLimitPerMinute }: Config) => new RateLimiter(rateLimitPerMinute),
    },
    ApiKeyGuard,
    { provide: APP_GUARD, useExisting: ApiKeyGuard },
  ],
})
export class AuthHttpModule {}
