import { Injectable } from '@nestjs/common';
import { ApiKeysService, type KeyWithMerchant, type NewKey } from '../../../auth/keys/api-keys.service.js';
import { DatosDeClave, expiryOf } from '../../../auth/keys/datos-de-clave.form.js';
import { MERCHANT_SCOPES, type Scope } from '../../../auth/keys/scopes.js';
import { isUuid } from '../../../database/row-id.js';
import { AppError } from '../../../errors/app-error.js';
import { valuesIn, type Form } from '../../../http/form-texts.js';
import { inspect, validValue } from '../../../validation/read-input.js';
import { may, type Visit } from '../visit.js';

/** The scopes that a session may give to a new key: its own, but never that of making keys. */
export function scopesToGive(visit: Visit): Scope[] {
  return MERCHANT_SCOPES.filter((scope) => scope !== 'claves' && may(visit, scope));
}

/** Makes, lists and ends a merchant's keys, in the mode of the session. */
@Injectable()
export class PanelKeysService {
  constructor(private readonly keys: ApiKeysService) {}

  /** Newest first. */
  async list({ merchant: { id } }: Visit): Promise<KeyWithMerchant[]> {
    const keys = await this.keys.list({ comercio_id: id });
    return keys.filter(({ comercio_id }) => comercio_id === id);
  }

  /** @throws AppError `validacion` */
  async make(visit: Visit, { clave: _, alcances, ...fields }: Form): Promise<NewKey> {
    const given: readonly string[] = scopesToGive(visit);
    const scopes = valuesIn(alcances) as Scope[];
    const { value, errors } = inspect(DatosDeClave, fields, {});
    const mensaje = scopes.length === 0 ? 'Elija al menos uno.' : `Puede dar solo: ${given.join(', ')}.`;
    if (scopes.length === 0 || scopes.some((scope) => !given.includes(scope)))
      errors.push({ campo: 'alcances', codigo: 'formato', mensaje });
    const dto = validValue({ value, errors });
    const { id, isTest } = visit.merchant;
    const expiresAt = expiryOf(dto, visit.zone);
    const options = { scopes, label: dto.etiqueta, expiresAt, mode: isTest ? 'test' : 'live' } as const;
    return this.keys.create({ comercio_id: id }, options);
  }

  /** @throws AppError `no_encontrado`; `transicion_invalida` for the last key that works. */
  async end({ merchant }: Visit, id: string): Promise<void> {
    if (!isUuid(id)) throw new AppError('no_encontrado', { detail: 'No existe esa clave.' });
    if (await this.keys.revokeUnlessLast(merchant.id, id)) return;
    throw new AppError('transicion_invalida', {
      detail: 'Es la última clave que funciona, y sin ella nadie entra. Haga antes otra.',
    });
  }
}
