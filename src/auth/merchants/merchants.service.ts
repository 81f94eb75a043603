import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CountryCode } from 'libphonenumber-js';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import { Comercio } from './comercio.entity.js';
import { currencyOf } from './currency.js';

@Injectable()
export class MerchantsService {
  constructor(@InjectRepository(Comercio) private readonly merchants: Repository<Comercio>) {}

  /** @param currency ISO 4217; the country's by default. */
  async create(name: string, country: CountryCode, currency = currencyOf(country)): Promise<Comercio> {
    const id = v7();
    await this.merchants.insert({ id, nombre: name, pais: country, moneda: currency });
    return this.merchants.findOneByOrFail({ id });
  }

  /** All merchants, oldest first. */
  list(): Promise<Comercio[]> {
    return this.merchants.find({ order: { id: 'asc' } });
  }

  find(id: string): Promise<Comercio | null> {
    return this.merchants.findOneBy({ id });
  }
}
