import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Not, Repository } from 'typeorm';
import { v7 } from 'uuid';
import { Secrets } from '../../platform/config/secrets.js';
import { Database } from '../../platform/database/database.js';
import { AppError } from '../../platform/errors/app-error.js';
import { Comercio } from '../merchants/comercio.entity.js';
import { fingerprint, generateApiKey, identifierOf, type KeyMode } from './api-key.js';
import { ClaveApi, endOf, isWorking } from './clave-api.entity.js';
import { MERCHANT_SCOPES, type Scope } from './scopes.js';

export type KeyOwner = { comercio_id: string } | { operador_id: string };

interface KeyOptions {
  label?: string;
  expiresAt?: Date;
  scopes?: readonly Scope[];
  /** Stores this key instead of a new one. */
  apiKey?: string;
  /** `live` by default; `test` only for the key of a test twin. */
  mode?: KeyMode;
}

/** A key with its merchant, which says what it acts on; the merchant is null for an operator's key. */
export type KeyWithMerchant = ClaveApi & { comercio: Comercio | null };

export interface NewKey {
  id: string;
  /** Shown once. */
  apiKey: string;
  identifier: string;
  expiresAt: Date | null;
}

@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ClaveApi) private readonly keys: Repository<ClaveApi>,
    @InjectRepository(Comercio) private readonly merchants: Repository<Comercio>,
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /**
   * Creates a key. By default a merchant's key has all scopes, and an operator's key reads and moves guides.
   * @throws AppError `comercio_cerrado`
   */
  async create(owner: KeyOwner, options: KeyOptions = {}): Promise<NewKey> {
    const id = 'comercio_id' in owner && owner.comercio_id;
    if (id && (await this.merchants.existsBy({ id, cerrado_en: Not(IsNull()) })))
      throw new AppError('comercio_cerrado', {
        detail: 'El comercio está cerrado: no se hacen claves nuevas. Para hacer una, reábralo antes.',
      });
    return this.insert(owner, options, this.keys);
  }

  private async insert(owner: KeyOwner, options: KeyOptions, keys: Repository<ClaveApi>): Promise<NewKey> {
    const { scopes = 'comercio_id' in owner ? MERCHANT_SCOPES : ['operaciones' as const] } = options;
    const apiKey = options.apiKey ?? generateApiKey(options.mode);
    const identifier = identifierOf(apiKey)!;
    const id = v7();
    await keys.insert({
      id,
      ...owner,
      identificador: identifier,
      huella: fingerprint(apiKey, this.secrets.apiKeyPepper),
      alcances: [...scopes],
      etiqueta: options.label ?? null,
      expira_en: options.expiresAt ?? null,
    });
    return { id, apiKey, identifier, expiresAt: options.expiresAt ?? null };
  }

  /** The keys of an operator, or of a merchant and its test twin, newest first. */
  list(owner: KeyOwner): Promise<KeyWithMerchant[]> {
    const where = 'comercio_id' in owner ? [owner, { comercio: { prueba_de: owner.comercio_id } }] : owner;
    return this.keys.find({ where, relations: { comercio: true }, order: { id: 'desc' } });
  }

  find(keyId: string): Promise<KeyWithMerchant | null> {
    return this.keys.findOne({ where: { id: keyId }, relations: { comercio: true } });
  }

  findByIdentifier(identifier: string): Promise<ClaveApi | null> {
    return this.keys.findOneBy({ identificador: identifier });
  }

  /** Revokes a key for good, and returns since when it is revoked. Idempotent: keeps the first time. */
  async revoke(id: string): Promise<Date> {
    await this.keys.update({ id, revocada_en: IsNull() }, { revocada_en: new Date() });
    const { revocada_en } = await this.keys.findOneByOrFail({ id });
    return revocada_en!;
  }

  /**
   * Revokes a merchant's key for good, unless no other of its keys works. Idempotent.
   * @param mayBeLast whether it is also revoked then: who asks can enter without a key.
   * @returns whether it is revoked. @throws AppError `no_encontrado`, also for another merchant's key.
   */
  async revokeUnlessLast(comercioId: string, id: string, mayBeLast = false): Promise<boolean> {
    return this.database.managed(comercioId, async (manager) => {
      // Of two requests that end the last two keys, the second sees what the first did.
      await manager.query('select from comercios where id = $1 for no key update', [comercioId]);
      const keys = manager.getRepository(ClaveApi);
      const own = await keys.findBy({ comercio_id: comercioId });
      const key = own.find((one) => one.id === id);
      if (!key) throw new AppError('no_encontrado', { detail: 'No existe esa clave.' });
      if (key.revocada_en !== null) return true;
      if (!mayBeLast && !own.some((one) => one.id !== id && isWorking(one))) return false;
      await keys.update({ id }, { revocada_en: new Date() });
      return true;
    });
  }

  /**
   * Creates a key with the same owner, mode, label, scopes and expiry, also of a closed merchant, whose keys only read. The
   * old key ends after the overlap, or when it expires, whichever is first; a leaked one is revoked at once, and its sessions
   * in the panel end with it.
   * @param overlapMs not looked at for a leaked key.
   */
  async rotate(
    key: KeyWithMerchant,
    overlapMs: number,
    isLeaked = false,
  ): Promise<NewKey & { oldEndsAt: Date }> {
    const options = {
      label: key.etiqueta ?? undefined,
      scopes: key.alcances,
      expiresAt: key.expira_en ?? undefined,
      mode: keyModeOf(key),
    };
    return this.database.managed(key.id, async (manager) => {
      const keys = manager.getRepository(ClaveApi);
      const fresh = await this.insert(ownerOf(key), options, keys);
      const end = { solape_hasta: () => `least(solape_hasta, now() + interval '${overlapMs} ms')` };
      await keys.update({ id: key.id }, isLeaked ? { revocada_en: () => 'now()' } : end);
      const old = await keys.findOneByOrFail({ id: key.id });
      return { ...fresh, oldEndsAt: old.revocada_en ?? endOf(old)! };
    });
  }
}

/** The guides that a key acts on. */
export function keyModeOf({ comercio }: Pick<KeyWithMerchant, 'comercio'>): KeyMode {
  return (comercio?.prueba_de ?? null) === null ? 'live' : 'test';
}

function ownerOf({ comercio_id, operador_id }: ClaveApi): KeyOwner {
  return comercio_id === null ? { operador_id: operador_id! } : { comercio_id };
}
