import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysService } from './api-keys.service.js';
import { ClaveApi } from './clave-api.entity.js';
import { Comercio } from './comercio.entity.js';
import { MerchantsService } from './merchants.service.js';
import { Operador } from './operador.entity.js';
import { OperatorsService } from './operators.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Comercio, Operador, ClaveApi])],
  providers: [ApiKeysService, MerchantsService, OperatorsService],
  exports: [ApiKeysService, MerchantsService, OperatorsService],
})
export class AuthModule {}
