import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiKeyGuard } from './api-key.guard.js';
import { AuthModule } from './auth.module.js';
import { AuthenticationService } from './keys/authentication.service.js';
import { KeyLimits } from './key-limits.js';
import { RequestCounts } from './request-counts.js';

/** Makes every route require a key. Separate from `AuthModule`, which commands load without a web server. */
@Module({
  imports: [AuthModule],
  providers: [
    AuthenticationService,
    RequestCounts,
    KeyLimits,
    ApiKeyGuard,
    { provide: APP_GUARD, useExisting: ApiKeyGuard },
  ],
  exports: [AuthenticationService, KeyLimits],
})
export class AuthHttpModule {}
