import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeysService } from './keys/api-keys.service.js';
import { ClaveApi } from './keys/clave-api.entity.js';
import { Comercio } from './merchants/comercio.entity.js';
import { MerchantsService } from './merchants/merchants.service.js';
import { Operador } from './operators/operador.entity.js';
import { OperatorsService } from './operators/operators.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Comercio, Operador, ClaveApi])],
  providers: [ApiKeysService, MerchantsService, OperatorsService],
  exports: [ApiKeysService, MerchantsService, OperatorsService],
})
export class AuthModule {}
