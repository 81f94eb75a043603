import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CountryCode } from 'libphonenumber-js';
import { IsNull, Repository } from 'typeorm';
import { v7 } from 'uuid';
import { isUuid } from '../../platform/database/row-id.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Comercio } from './comercio.entity.js';
import { currencyOf } from './currency.js';

type MerchantChanges = Partial<
  Pick<Comercio, 'nombre' | 'telefono_contacto' | 'con_pin' | 'correo' | 'con_avisos' | 'con_resumen'>
>;

@Injectable()
export class MerchantsService {
  constructor(@InjectRepository(Comercio) private readonly merchants: Repository<Comercio>) {}

  /**
   * @param currency ISO 4217; the country's by default.
   * @param contactPhone E.164, shown to recipients; none by default.
   * @param hasPin whether a delivery needs the recipient's PIN.
   * @param email where mails for it go, as `toEmail` writes it; nowhere by default.
   */
  async create(
    name: string,
    country: CountryCode,
    currency = currencyOf(country),
    contactPhone: string | null = null,
    hasPin = false,
    email: string | null = null,
  ): Promise<Comercio> {
    const id = v7();
    const merchant = {
      id,
      nombre: name,
      pais: country,
      moneda: currency,
      telefono_contacto: contactPhone,
      con_pin: hasPin,
      correo: email,
    };
    await this.merchants.insert(merchant);
    return this.merchants.findOneByOrFail({ id });
  }

  /**
   * Changes what is given of a merchant that exists and of its test twin, which has no address. Another address is not
   * confirmed yet, and the sessions that began with the one before end.
   */
  async update(id: string, { correo, ...changes }: MerchantChanges): Promise<Comercio> {
    await this.merchants.manager.transaction(async (manager) => {
      const update = (set: Partial<Comercio>) => manager.createQueryBuilder().update(Comercio).set(set);
      if (Object.keys(changes).length > 0)
        await update(changes).where('id = :id or prueba_de = :id', { id }).execute();
      if (correo === undefined) return;
      const { affected } = await update({ correo, correo_confirmado_en: null, correo_rechazo: null })
        .where('id = :id and correo is distinct from :correo', { id, correo })
        .execute();
      // A link that was sent to a further address replaces this one no more.
      if (affected) await manager.query('delete from panel_enlaces where comercio_id = $1', [id]);
      // Its sessions have ended, and stay so where the address before is given again.
      if (affected) await manager.query('delete from panel_sesiones where comercio_id = $1', [id]);
    });
    return this.merchants.findOneByOrFail({ id });
  }

  /** The merchant's test twin, created on first use; name, country, currency, contact and PIN are copied each time. */
  async testTwinOf({ id }: Pick<Comercio, 'id'>): Promise<Comercio> {
    return this.merchants.manager.transaction(async (manager) => {
      const merchants = manager.getRepository(Comercio);
      // Locked: a closing waits until the twin is there, or the twin is made of a closed merchant.
      const { nombre, pais, moneda, telefono_contacto, con_pin, cerrado_en, cerrado_por, cierre_hecho_en } =
        await merchants.findOneOrFail({ where: { id }, lock: { mode: 'for_no_key_update' } });
      const copied = { nombre, pais, moneda, telefono_contacto, con_pin };
      // One that is made of a closed merchant is closed; of one that exists, closing and opening the merchant say so.
      const twin = { id: v7(), ...copied, cerrado_en, cerrado_por, cierre_hecho_en, prueba_de: id };
      await merchants
        .createQueryBuilder()
        .insert()
        .values(twin)
        .orUpdate(['nombre', 'pais', 'moneda', 'telefono_contacto', 'con_pin'], ['prueba_de'])
        .execute();
      return merchants.findOneByOrFail({ prueba_de: id });
    });
  }

  /** All merchants, oldest first, without test twins. */
  list(): Promise<Comercio[]> {
    return this.merchants.find({ where: { prueba_de: IsNull() }, order: { id: 'asc' } });
  }

  /** A merchant by id; null for a text that is no UUID, and for a test twin. */
  async find(id: string): Promise<Comercio | null> {
    return isUuid(id) ? this.merchants.findOneBy({ id, prueba_de: IsNull() }) : null;
  }

  /** As `find`. @throws AppError `no_encontrado` */
  async findOrFail(id: string): Promise<Comercio> {
    const merchant = await this.find(id);
    if (!merchant) throw new AppError('no_encontrado', { detail: 'No existe ese comercio.' });
    return merchant;
  }
}
