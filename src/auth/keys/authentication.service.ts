import { timingSafeEqual } from 'node:crypto';
import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Secrets } from '../../platform/config/secrets.js';
import { Coalescer } from '../../platform/database/coalescer.js';
import { Database } from '../../platform/database/database.js';
import type { Merchant } from '../merchants/merchant.js';
import type { Operator } from '../operators/operator.js';
import { fingerprint, identifierOf, prefixOf } from './api-key.js';
import { findKeys, recordUses, type KeyRow } from './authentication.queries.js';
import type { Scope } from './scopes.js';

/** The caller of a request: a merchant or an operator, never both. */
export interface Credential {
  /** Null for a session of the panel that began by mail. */
  keyId: string | null;
  /** The part of the key that logs show. */
  keyPrefix: string | null;
  scopes: readonly Scope[];
  merchant?: Merchant;
  /** Whether the merchant is closed: the key only reads. */
  isClosed: boolean;
  operator?: Omit<Operator, 'isTest'>;
}

interface CachedKey extends Credential {
  keyId: string;
  /** The key's public id. */
  identifier: string;
  hash: Buffer;
  /** As `performance.now()` counts: this process's clock may be wrong. */
  endsAt: number;
  isRevoked: boolean;
}

/** ms; maximum age of a cached key: a revoked key must stop working within 5 s in every process. */
const CACHE_MS = 4_000;
const CACHE_KEYS = 10_000;
const LAST_USED_FLUSH_MS = 30_000;

/** In place of a key that does not exist: compared like any other, so that both answers take the same time. */
const NO_KEY: CachedKey = {
  keyId: '',
  keyPrefix: '',
  identifier: '',
  scopes: [],
  isClosed: false,
  hash: Buffer.alloc(32),
  endsAt: 0,
  isRevoked: true,
};

/** Authenticates API keys, from caches that are at most `CACHE_MS` old. */
@Injectable()
export class AuthenticationService implements BeforeApplicationShutdown {
  /** Keys by identifier. */
  private readonly cache = new LRUCache<string, CachedKey>({
    max: CACHE_KEYS,
    ttl: CACHE_MS,
    // A query that fails keeps the cached key: a wrong key sent during an outage would evict the right one.
    noDeleteOnFetchRejection: true,
    fetchMethod: async (identifier, _stale, { options }) => {
      const askedAt = performance.now();
      const key = await this.lookups.call(identifier);
      // The age counts from the query, however slow its answer is. A ttl of 0 would mean that it never expires.
      options.ttl = Math.max(1, CACHE_MS - (performance.now() - askedAt));
      return key;
    },
  });
  /** Takes two connections at most, however many keys are guessed at once. */
  private readonly lookups = new Coalescer<string, CachedKey>((identifiers) => this.load(identifiers), {
    concurrency: 2,
    maxBatch: 128,
  });
  /** Full keys whose secret was verified, to save the HMAC; valid while `cache` holds the same object. */
  private readonly verified = new LRUCache<string, CachedKey>({ max: CACHE_KEYS });
  /** Last use of each key since the last flush, in milliseconds since 1970. */
  private readonly lastUsed = new Map<string, number>();
  private readonly flushTimer = setInterval(() => void this.flushLastUsed(), LAST_USED_FLUSH_MS).unref();

  constructor(
    private readonly database: Database,
    private readonly secrets: Secrets,
  ) {}

  /** The caller of a key; undefined if it is malformed, unknown, expired or revoked. */
  async authenticate(key: string): Promise<Credential | undefined> {
    return this.known(key) ?? this.ifWorking(await this.verify(key));
  }

  /** The caller of a key that was authenticated a moment ago, at once; undefined for any other. */
  known(key: string): Credential | undefined {
    return this.ifWorking(this.recall(key));
  }

  /**
   * The caller of a key that was authenticated before, such as when a session began; undefined once it has ended.
   * @param identifier the public part of the key.
   */
  async ofIdentifier(identifier: string): Promise<Credential | undefined> {
    const cached = this.cache.get(identifier) ?? (await this.cache.fetch(identifier, { forceRefresh: true }));
    return this.ifWorking(cached);
  }

  /** Asks for the keys of these merchants anew at their next request, in this process. */
  forget(comercioIds: readonly string[]): void {
    for (const [identifier, { merchant }] of [...this.cache.entries()])
      if (merchant && comercioIds.includes(merchant.id)) this.cache.delete(identifier);
  }

  private ifWorking(cached: CachedKey | undefined): Credential | undefined {
    if (cached === undefined || cached.isRevoked || performance.now() >= cached.endsAt) return undefined;
    this.lastUsed.set(cached.keyId, Date.now());
    return cached;
  }

  private recall(key: string): CachedKey | undefined {
    const cached = this.verified.get(key);
    return cached !== undefined && this.cache.get(cached.identifier) === cached ? cached : undefined;
  }

  /** A refused key always costs one look-up and one HMAC: the time of an answer tells a guesser nothing. */
  private async verify(key: string): Promise<CachedKey | undefined> {
    const identifier = identifierOf(key);
    if (identifier === undefined) return undefined;
    const hash = fingerprint(key, this.secrets.apiKeyPepper);
    const matches = (cached: CachedKey | undefined) => timingSafeEqual((cached ?? NO_KEY).hash, hash);
    const known = this.cache.get(identifier);
    const cached = matches(known) ? known : await this.cache.fetch(identifier, { forceRefresh: true });
    if (cached === undefined || !matches(cached)) return undefined;
    this.verified.set(key, cached);
    return cached;
  }

  private async load(identifiers: string[]): Promise<CachedKey[]> {
    const askedAt = performance.now();
    const { rows } = await this.database.query<KeyRow>(findKeys(identifiers));
    const found = new Map(rows.map((row) => [row.identificador, toCachedKey(row, askedAt)]));
    return identifiers.map((identifier) => found.get(identifier) ?? NO_KEY);
  }

  /** Writes the last use of all keys in one statement: authentication must not write. */
  private async flushLastUsed(): Promise<void> {
    if (this.lastUsed.size === 0) return;
    const ids = [...this.lastUsed.keys()];
    const times = [...this.lastUsed.values()].map((ms) => new Date(ms));
    this.lastUsed.clear();
    await this.database
      .query(recordUses(ids, times))
      // No error: an unavailable database is reported elsewhere, and the next use of the key is written again.
      .catch(() => undefined);
  }

  /** Not `onApplicationShutdown`: it closes the connection pool. */
  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.flushTimer);
    await this.flushLastUsed();
  }
}

/** @param askedAt when the row was asked for, as `performance.now()` counts. */
function toCachedKey(row: KeyRow, askedAt: number): CachedKey {
  return {
    keyId: row.id,
    keyPrefix: prefixOf(row.identificador, row.de_prueba ? 'test' : 'live'),
    identifier: row.identificador,
    scopes: row.alcances,
    isClosed: row.cerrado === true,
    ...(row.comercio_id !== null && {
      merchant: {
        id: row.comercio_id,
        name: row.comercio!,
        country: row.pais!,
        currency: row.moneda!,
        isTest: row.de_prueba!,
      },
    }),
    ...(row.operador_id !== null && { operator: { id: row.operador_id, name: row.operador! } }),
    hash: row.huella,
    endsAt: row.vigencia_ms === null ? Infinity : askedAt + row.vigencia_ms,
    isRevoked: row.revocada_en !== null,
  };
}
