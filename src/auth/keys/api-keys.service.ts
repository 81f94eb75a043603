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

/** Whom a request comes from, as its key says: a merchant or an operator, never both. */
export interface Credential {
  keyId: string;
  /** The key's public id, for logs and the rate limit. */
  identifier: string;
  scopes: readonly Scope[];
  merchant?: { id: string; name: string; country: CountryCode };
  operator?: { id: string; name: string };
}

/** Whose a key is. */
export type KeyOwner = { comercio_id: string } | { operador_id: string };

interface KeyOptions {
  label?: string;
  expiresAt?: Date;
  scopes?: readonly Scope[];
  /** Given where it was made, and kept, elsewhere. */
  apiKey?: string;
}

interface KnownKey extends Credential {
  hash: Buffer;
  expiresAt: number;
  revoked: boolean;
}

/** A key as listed: never the key itself. */
export type KeySummary = Omit<ClaveApi, 'huella' | 'comercio' | 'operador'>;

/** Shown once, when the key is made. */
export interface NewKey {
  id: string;
  apiKey: string;
  identifier: string;
}

/** A revoked key must stop within 5 s in every process: nothing read is believed for longer than this. */
const CACHE_MS = 4_000;
const CACHE_KEYS = 10_000;
const LAST_USED_FLUSH_MS = 30_000;

const NO_KEY = Symbol('no such key');

@Injectable()
export class ApiKeysService implements BeforeApplicationShutdown {
  private readonly known = new LRUCache<string, KnownKey | typeof NO_KEY>({
    max: CACHE_KEYS,
    ttl: CACHE_MS,
    fetchMethod: (identifier, _stale, { options }) => {
      // The age counts from the question, not from a slow answer.
      (options as { start?: number }).start = performance.now();
      return this.load(identifier);
    },
  });
  /** Whole keys whose secret was found right, with what was known then: while that is believed, so are they. */
  private readonly verified = new LRUCache<string, KnownKey>({ max: CACHE_KEYS });
  /** When each key was last used, in milliseconds since 1970. */
  private readonly used = new Map<string, number>();
  private readonly flushTimer = setInterval(() => void this.flushLastUsed(), LAST_USED_FLUSH_MS).unref();

  constructor(
    @InjectRepository(ClaveApi) private readonly keys: Repository<ClaveApi>,
    private readonly secrets: Secrets,
  ) {}

  /** Whom a presented key speaks for; undefined when it is malformed, unknown, expired or revoked. */
  async authenticate(key: string): Promise<Credential | undefined> {
    const known = this.recall(key) ?? (await this.verify(key));
    const now = Date.now();
    if (known === undefined || known.revoked || now >= known.expiresAt) return undefined;
    this.used.set(known.keyId, now);
    return known;
  }

  /** What is known of a key whose secret was right, as long as that is believed. */
  private recall(key: string): KnownKey | undefined {
    const known = this.verified.get(key);
    return known !== undefined && this.known.get(known.identifier) === known ? known : undefined;
  }

  private async verify(key: string): Promise<KnownKey | undefined> {
    const identifier = identifierOf(key);
    if (identifier === undefined) return undefined;
    const known = this.known.get(identifier) ?? (await this.known.fetch(identifier));
    if (known === undefined || known === NO_KEY) return undefined;
    if (!timingSafeEqual(known.hash, fingerprint(key, this.secrets.apiKeyPepper))) return undefined;
    this.verified.set(key, known);
    return known;
  }

  private async load(identifier: string): Promise<KnownKey | typeof NO_KEY> {
    // `findOne` would ask twice.
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
      revoked: row.revocada_en !== null,
    };
  }

  /** Makes a merchant's key. */
  create(merchantId: string, options: KeyOptions = {}): Promise<NewKey> {
    return this.insert(
      { comercio_id: merchantId },
      { ...options, scopes: options.scopes ?? MERCHANT_SCOPES },
    );
  }

  /** Makes an operator's key. */
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

  /** Revokes a key for good; revoking again keeps the first time. */
  async revoke(key: ClaveApi): Promise<Date> {
    if (key.revocada_en) return key.revocada_en;
    const now = new Date();
    await this.keys.update({ id: key.id }, { revocada_en: now });
    return now;
  }

  /** A new key with the same owner, label, scopes and expiry; the old one ends after the overlap (or sooner, where it already would). */
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

  /** Writes the last use of all keys seen since, in one statement: authenticating must not write. */
  private async flushLastUsed(): Promise<void> {
    if (this.used.size === 0) return;
    const ids = [...this.used.keys()];
    const times = [...this.used.values()].map((ms) => new Date(ms));
    this.used.clear();
    await this.keys
      .query(
        `update claves_api set ultimo_uso_en = greatest(ultimo_uso_en, seen.at)
         from unnest($1::uuid[], $2::timestamptz[]) as seen (id, at) where claves_api.id = seen.id`,
        [ids, times],
      )
      // Last use is a convenience: a database that is down has said so elsewhere, the next use is recorded again.
      .catch(() => undefined);
  }

  /** Before, because the connection pool ends in the shutdown itself. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.flushTimer);
    await this.flushLastUsed();
  }
}

function ownerOf({ comercio_id, operador_id }: ClaveApi): KeyOwner {
  return comercio_id === null ? { operador_id: operador_id! } : { comercio_id };
}
