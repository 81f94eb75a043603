import { Injectable } from '@nestjs/common';
import { MerchantsService } from '../../../auth/merchants/merchants.service.js';
import { OperatorsService } from '../../../auth/operators/operators.service.js';
import { Config } from '../../../platform/config/env.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { timeZoneOf } from '../../../platform/validation/time-zone.js';
import { accountOfMerchant, accountOfOperator, type EndpointAccount } from './endpoint-account.js';

/** The part of the console that an account's page is in. */
export type AccountKind = 'comercios' | 'operadores';

/** Finds whose endpoints a page is about. */
@Injectable()
export class EndpointAccountsService {
  constructor(
    private readonly merchants: MerchantsService,
    private readonly operators: OperatorsService,
    private readonly config: Config,
  ) {}

  /** @throws AppError `no_encontrado` */
  async find(kind: AccountKind, id: string): Promise<EndpointAccount> {
    if (kind === 'comercios') {
      const merchant = await this.merchants.find(id);
      if (!merchant) throw new AppError('no_encontrado', { detail: 'No existe ese comercio.' });
      return accountOfMerchant(merchant);
    }
    const operator = await this.operators.findById(id);
    if (!operator) throw new AppError('no_encontrado', { detail: 'No existe ese operador.' });
    return accountOfOperator(operator, timeZoneOf(this.config.defaultCountry));
  }
}
