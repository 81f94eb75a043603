import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeysService } from './api-keys.service.js';
import { ClaveApi } from './clave-api.entity.js';
import { Comercio } from './comercio.entity.js';
import { MerchantsService } from './merchants.service.js';
import { Operador } from './operador.entity.js';
import { OperatorsService } from './operators.service.js';
import { RateLimit } from './rate-limit.js';

@Module({
  imports: [TypeOrmModule.forFeature([Comercio, Operador, ClaveApi])],
  providers: [
    ApiKeysService,
    MerchantsService,
    OperatorsService,
    RateLimit,
    { provide: APP_GUARD, useClass: ApiKeyGuard },
  ],
  exports: [ApiKeysService, MerchantsService, OperatorsService],
})
export class AuthModule {}
