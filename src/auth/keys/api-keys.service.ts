import { timingSafeEqual } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { CountryCode } from 'libphonenumber-js';
import { LRUCache } from 'lru-cache';
import { Repository } from 'typeorm';
import { v7 } from 'uuid';
import { Secrets } from '../../config/secrets.js';
import { fingerprint, generateApiKey, identifierOf } from './api-key.js';
import { ClaveApi } from './clave-api.entity.js';
import { MERCHANT_SCOPES, OPERATOR_SCOPES, type Scope } from './scopes.js';

/** The caller of a request: a merchant or an operator, never both. */
export interface Credential {
  keyId: string;
  /** The key's public id, for logs and the rate limit. */
  identifier: string;
  scopes: readonly Scope[];
  merchant?: { id: string; name: string; country: CountryCode };
  operator?: { id: string; name: string };
}

/** The owner of a key. */
export type KeyOwner = { comercio_id: string } | { operador_id: string };

interface KeyOptions {
  label?: string;
  expiresAt?: Date;
  scopes?: readonly Scope[];
  /** Stores this key instead of a new one. */
  apiKey?: string;
}

interface CachedKey extends Credential {
  hash: Buffer;
  expiresAt: number;
  isRevoked: boolean;
}

/** A key as listed, without its hash. */
export type KeySummary = Omit<ClaveApi, 'huella' | 'comercio' | 'operador'>;

export interface NewKey {
  id: string;
  /** Shown once. */
  apiKey: string;
  identifier: string;
}

/** A revoked key must stop within 5 s in every process: the maximum age of a cached key. */
const CACHE_MS = 4_000;
const CACHE_KEYS = 10_000;
const LAST_USED_FLUSH_MS = 30_000;

const NO_KEY = Symbol('no such key');

/** Creates, authenticates and revokes API keys. */
@Injectable()
export class ApiKeysService implements BeforeApplicationShutdown {
  /** Keys by identifier. */
  private readonly cache = new LRUCache<string, CachedKey | typeof NO_KEY>({
    max: CACHE_KEYS,
    ttl: CACHE_MS,
    fetchMethod: async (identifier, _stale, { options }) => {
      const askedAt = performance.now();
      const key = await this.load(identifier);
      // The age counts from the query, not from a slow answer. A ttl of 0 would never expire.
      options.ttl = Math.max(1, CACHE_MS - (performance.now() - askedAt));
      return key;
    },
  });
  /** Full keys whose secret was correct; valid while `cache` holds the same entry. Saves the HMAC. */
  private readonly verified = new LRUCache<string, CachedKey>({ max: CACHE_KEYS });
  /** Last use of each key since the last flush, in milliseconds since 1970. */
  private readonly lastUsed = new Map<string, number>();
  private readonly flushTimer = setInterval(() => void this.flushLastUsed(), LAST_USED_FLUSH_MS).unref();

  constructor(
    @InjectRepository(ClaveApi) private readonly keys: Repository<ClaveApi>,
    private readonly secrets: Secrets,
  ) {}

  /** The caller of a key; undefined if it is malformed, unknown, expired or revoked. */
  async authenticate(key: string): Promise<Credential | undefined> {
    const cached = this.recall(key) ?? (await this.verify(key));
    const now = Date.now();
    if (cached === undefined || cached.isRevoked || now >= cached.expiresAt) return undefined;
    this.lastUsed.set(cached.keyId, now);
    return cached;
  }

  private recall(key: string): CachedKey | undefined {
    const cached = this.verified.get(key);
    return cached !== undefined && this.cache.get(cached.identifier) === cached ? cached : undefined;
  }

  private async verify(key: string): Promise<CachedKey | undefined> {
    const identifier = identifierOf(key);
    if (identifier === undefined) return undefined;
    const cached = this.cache.get(identifier) ?? (await this.cache.fetch(identifier));
    if (cached === undefined || cached === NO_KEY) return undefined;
    if (!timingSafeEqual(cached.hash, fingerprint(key, this.secrets.apiKeyPepper))) return undefined;
    this.verified.set(key, cached);
    return cached;
  }

  private async load(identifier: string): Promise<CachedKey | typeof NO_KEY> {
    // Not `findOne`: with relations it makes two queries.
    const [row] = await this.keys.find({
      where: { identificador: identifier },
      relations: { comercio: true, operador: true },
    });
    if (!row) return NO_KEY;
    return {
      keyId: row.id,
      identifier,
      scopes: row.alcances,
      ...(row.comercio && {
        merchant: { id: row.comercio.id, name: row.comercio.nombre, country: row.comercio.pais },
      }),
      ...(row.operador && { operator: { id: row.operador.id, name: row.operador.nombre } }),
      hash: row.huella,
      expiresAt: row.expira_en?.getTime() ?? Infinity,
      isRevoked: row.revocada_en !== null,
    };
  }

  /** Creates a merchant's key, with all scopes unless told otherwise. */
  create(merchantId: string, options: KeyOptions = {}): Promise<NewKey> {
    return this.insert(
      { comercio_id: merchantId },
      { ...options, scopes: options.scopes ?? MERCHANT_SCOPES },
    );
  }

  /** Creates an operator's key. */
  createForOperator(operatorId: string, options: KeyOptions = {}): Promise<NewKey> {
    return this.insert({ operador_id: operatorId }, { ...options, scopes: OPERATOR_SCOPES });
  }

  private async insert(
    owner: KeyOwner,
    options: KeyOptions & { scopes: readonly Scope[] },
    keys = this.keys,
  ): Promise<NewKey> {
    const apiKey = options.apiKey ?? generateApiKey();
    const identifier = identifierOf(apiKey)!;
    const id = v7();
    await keys.insert({
      id,
      ...owner,
      identificador: identifier,
      huella: fingerprint(apiKey, this.secrets.apiKeyPepper),
      alcances: [...options.scopes],
      etiqueta: options.label ?? null,
      expira_en: options.expiresAt ?? null,
    });
    return { id, apiKey, identifier };
  }

  /** The keys of a merchant or an operator, newest first. */
  async list(owner: KeyOwner): Promise<KeySummary[]> {
    return this.keys.find({ where: owner, order: { id: 'desc' } });
  }

  find(keyId: string): Promise<ClaveApi | null> {
    return this.keys.findOneBy({ id: keyId });
  }

  findByIdentifier(identifier: string): Promise<ClaveApi | null> {
    return this.keys.findOneBy({ identificador: identifier });
  }

  /** Revokes a key for good. Idempotent: keeps the first time. */
  async revoke(key: ClaveApi): Promise<Date> {
    if (key.revocada_en) return key.revocada_en;
    const now = new Date();
    await this.keys.update({ id: key.id }, { revocada_en: now });
    return now;
  }

  /**
   * Creates a key with the same owner, label, scopes and expiry. The old one ends after the overlap, or at
   * its own expiry if that is sooner.
   */
  async rotate(key: ClaveApi, overlapMs: number): Promise<NewKey & { oldExpiresAt: Date }> {
    const end = Math.min(Date.now() + overlapMs, key.expira_en?.getTime() ?? Infinity);
    const options = {
      label: key.etiqueta ?? undefined,
      scopes: key.alcances,
      expiresAt: key.expira_en ?? undefined,
    };
    return this.keys.manager.transaction(async (manager) => {
      const keys = manager.getRepository(ClaveApi);
      const fresh = await this.insert(ownerOf(key), options, keys);
      await keys.update({ id: key.id }, { expira_en: new Date(end) });
      return { ...fresh, oldExpiresAt: new Date(end) };
    });
  }

  /** Writes the last use of all keys in one statement: authentication must not write. */
  private async flushLastUsed(): Promise<void> {
    if (this.lastUsed.size === 0) return;
    const ids = [...this.lastUsed.keys()];
    const times = [...this.lastUsed.values()].map((ms) => new Date(ms));
    this.lastUsed.clear();
    await this.keys
      .query(
        `update claves_api set ultimo_uso_en = greatest(ultimo_uso_en, seen.at)
         from unnest($1::uuid[], $2::timestamptz[]) as seen (id, at) where claves_api.id = seen.id`,
        [ids, times],
      )
      // Not worth an error: an unavailable database is reported elsewhere, and the next use is written again.
      .catch(() => undefined);
  }

  /** Not `onApplicationShutdown`: it closes the connection pool. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.flushTimer);
    await this.flushLastUsed();
  }
}

function ownerOf({ comercio_id, operador_id }: ClaveApi): KeyOwner {
  return comercio_id === null ? { operador_id: operador_id! } : { comercio_id };
}
