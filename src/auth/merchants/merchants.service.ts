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

  /**
   * @param currency ISO 4217; the country's by default.
   * @param contactPhone E.164, shown to recipients; none by default.
   */
  async create(
    name: string,
    country: CountryCode,
    currency = currencyOf(country),
    contactPhone: string | null = null,
  ): Promise<Comercio> {
    const id = v7();
    await this.merchants.insert({
      ...{ id, nombre: name, pais: country, moneda: currency, telefono_contacto: contactPhone },
    });
    return this.merchants.findOneByOrFail({ id });
  }

  /** Changes what is given, at least one thing, of a merchant that exists. */
  async update(
    id: string,
    changes: Partial<Pick<Comercio, 'nombre' | 'telefono_contacto'>>,
  ): Promise<Comercio> {
    await this.merchants.update({ id }, changes);
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
