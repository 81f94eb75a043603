import crypto, { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { ApiKeysService } from '../../src/auth/keys/api-keys.service.js';
import { AuthenticationService } from '../../src/auth/keys/authentication.service.js';
import { generateApiKey, identifierOf } from '../../src/auth/keys/api-key.js';
import { Database } from '../../src/platform/database/database.js';
import { setClocksAhead, stopCacheClock } from '../support/clock-ahead.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import {
  client,
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
  withTestApp,
} from '../support/test-app.js';
import { visitsDuring } from '../support/visits.js';

const GUIAS = '/api/v1/guias';
const HOUR_MS = 3_600_000;

describe('API keys', () => {
  let test: TestApp;
  let second: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    // Of its own: wrong keys, and a clock that is wrong.
    test = await createTestApp();
    second = await createTestApp({ database: test.database });
    merchant = await test.merchant();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await second.close();
    await test.close();
  });

  const keys = () => test.app.get(ApiKeysService);
  const row = async (keyId: string) => (await keys().find(keyId))!;
  const withHeader = (authorization?: string) =>
    test.request(GUIAS, { headers: authorization === undefined ? {} : { authorization } });
  const withKey = (key: string) => withHeader(`Bearer ${key}`);
  /** Brings the ends of all keys nearer, and ends what is cached of them. */
  const pass = async (ms: number) => {
    const by = `interval '${ms} ms'`;
    await test.database.query(
      `update claves_api set expira_en = expira_en - ${by}, solape_hasta = solape_hasta - ${by}`,
    );
    setClocksAhead(5_000);
  };
  /** The statuses of both processes' answers to a key. */
  const inBoth = (key: string) =>
    Promise.all([test, second].map(async ({ request }) => (await client(request, key).get(GUIAS)).status));

  /** Changes a letter in the middle, so that the checksum is wrong. */
  const mistyped = (key: string) => `${key.slice(0, 20)}${key[20] === 'a' ? 'b' : 'a'}${key.slice(21)}`;
  const CREDENTIALS: [what: string, header: () => string | undefined | Promise<string>][] = [
    ['no header', () => undefined],
    ['another scheme', () => `Basic ${Buffer.from(merchant.key).toString('base64')}`],
    ['a key without a scheme', () => merchant.key],
    ['two keys', () => `Bearer ${merchant.key} ${merchant.key}`],
    ['a key with a typo', () => `Bearer ${mistyped(merchant.key)}`],
    ['a test key', () => `Bearer ${merchant.key.replace('live', 'test')}`],
    ['a well-formed key that does not exist', () => `Bearer ${generateApiKey()}`],
    ['an existing id with another secret', async () => `Bearer ${await otherSecret()}`],
    ['an expired key', async () => `Bearer ${(await test.merchant({ expiresAt: new Date(0) })).key}`],
    ['a revoked key', async () => `Bearer ${(await revoked()).key}`],
    ['a very long key', () => `Bearer ${'a'.repeat(10_000)}`],
  ];

  const withOtherSecret = (key: string) => generateApiKey('live', identifierOf(key));
  /** A well-formed key with the id of an existing key that was never used. */
  const otherSecret = async () => withOtherSecret((await test.merchant()).key);
  const revoked = async () => {
    const by = await test.merchant();
    await keys().revoke(by.keyId);
    return by;
  };

  it.each(CREDENTIALS)(
    '%s gets the same 401 as no header, with WWW-Authenticate: Bearer',
    async (_, header) => {
      const answer = await withHeader(await header());
      expectProblem(answer, 'no_autenticado');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      const reference = await withHeader();
      const headersOf = ({ headers }: typeof answer) => [...headers.keys()].sort();
      expect({ ...answer.body, instance: '' }).toEqual({ ...reference.body, instance: '' });
      expect(headersOf(answer)).toEqual(headersOf(reference));
    },
  );

  it.each(['Bearer ', 'bearer ', 'BEARER ', 'Bearer   '])("accepts '%s' before the key", async (scheme) => {
    expect((await withHeader(scheme + merchant.key)).status).toBe(200);
  });

  it('ignores a key in the URL or the body', async () => {
    expect((await test.request(`${GUIAS}?key=${merchant.key}`)).status).toBe(401);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const body = JSON.stringify(guiaBody({ api_key: merchant.key }));
    expect((await test.request(GUIAS, { ...init, body })).status).toBe(401);
  });

  it('makes no query for a key with a typo, and one for an existing id with another secret', async () => {
    const wrong = await otherSecret();
    // Never used, so it is in no cache: a query would show.
    const { key } = await test.merchant();
    const typos = [...key]
      .map((letter, i) => key.slice(0, i) + (letter === 'x' ? 'y' : 'x') + key.slice(i + 1))
      .filter((_, i) => i >= 'gk_live_'.length && key[i] !== '_');
    expect(typos.length).toBeGreaterThan(40);
    const visits = await visitsDuring(test, async () => {
      for (const key of [...typos, 'clave', '']) expect((await withKey(key)).status).toBe(401);
    });
    expect(visits).toBe(0);
    expect(await visitsDuring(test, () => withKey(wrong))).toBe(1);
  });

  it('makes one query for all unknown keys that arrive together', async () => {
    const guesses = Array.from({ length: 50 }, () => generateApiKey());
    const visits = await visitsDuring(test, async () => {
      const found = await Promise.all(
        guesses.map((key) => test.app.get(AuthenticationService).authenticate(key)),
      );
      expect(new Set(found)).toEqual(new Set([undefined]));
    });
    expect(visits).toBe(1);
  });

  it('costs one look-up and the same hashing for a refused key, whether its id is unknown, known, or in use', async () => {
    const work = async (key: string) => {
      const spies = [jest.spyOn(crypto, 'createHmac'), jest.spyOn(crypto, 'timingSafeEqual')];
      syncBuiltinESMExports();
      try {
        const visits = await visitsDuring(test, async () =>
          expect(await test.app.get(AuthenticationService).authenticate(key)).toBeUndefined(),
        );
        return { visits, calls: spies.map((spy) => spy.mock.calls.length) };
      } finally {
        for (const spy of spies) spy.mockRestore();
        syncBuiltinESMExports();
      }
    };
    const inUse = await test.merchant();
    const guesses = [generateApiKey(), await otherSecret(), withOtherSecret(inUse.key)];
    // The second round meets what the first one left in the cache.
    for (let round = 0; round < 2; round++) {
      for (const guess of guesses) {
        await inUse.get(`${GUIAS}/x`);
        expect(await work(guess)).toEqual({ visits: 1, calls: [1, 2] });
      }
    }
  });

  it('keeps a key in use working while the database is away and somebody guesses its secret', async () => {
    const inUse = await test.merchant();
    const authentication = test.app.get(AuthenticationService);
    expect(await authentication.authenticate(inUse.key)).toBeDefined();
    jest.spyOn(test.app.get(Database), 'query').mockRejectedValue(new Error('away'));
    await expect(authentication.authenticate(withOtherSecret(inUse.key))).rejects.toThrow();
    expect(await authentication.authenticate(inUse.key)).toBeDefined();
  });

  it('stop working within 5 s in every process once revoked or rotated, while other keys keep working', async () => {
    const [revokedKey, replaced, other] = [
      await test.merchant(),
      await test.merchant(),
      await test.merchant(),
    ];
    for (const { key } of [revokedKey, replaced, other]) expect(await inBoth(key)).toEqual([200, 200]);
    await keys().revoke(revokedKey.keyId);
    const fresh = await keys().rotate(await row(replaced.keyId), 0);
    setClocksAhead(5_000);
    for (const { key } of [revokedKey, replaced]) expect(await inBoth(key)).toEqual([401, 401]);
    for (const key of [other.key, fresh.apiKey]) expect(await inBoth(key)).toEqual([200, 200]);
    setClocksAhead(60_000);
    for (const { key } of [revokedKey, replaced]) expect(await inBoth(key)).toEqual([401, 401]);
  });

  it('keep the time of their first revocation, also of one that commits during the second', async () => {
    const { keyId } = await test.merchant();
    const first = new Date('2026-01-02T03:04:05.678Z');
    const second = await withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query('update claves_api set revocada_en = $2 where id = $1', [keyId, first]);
      const revoking = keys().revoke(keyId);
      await eventually(async () => {
        const waits = `select 1 from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query ilike '%claves_api%'`;
        expect(await test.database.query(waits)).toHaveLength(1);
      });
      await holder.query('commit');
      return revoking;
    });
    expect([second, (await row(keyId)).revocada_en]).toEqual([first, first]);
  });

  it('stop when they expire, in every process', async () => {
    const { key } = await test.merchant({ expiresAt: new Date(Date.now() + HOUR_MS) });
    expect(await inBoth(key)).toEqual([200, 200]);
    await pass(HOUR_MS);
    expect(await inBoth(key)).toEqual([401, 401]);
  });

  it('rotated with an overlap both work, for the same merchant, with the same scopes', async () => {
    const old = await test.merchant({ scopes: ['guias:leer'] });
    const before = Date.now();
    const fresh = await keys().rotate(await row(old.keyId), HOUR_MS);
    expect(fresh.oldEndsAt.getTime()).toBeGreaterThanOrEqual(before + HOUR_MS);
    expect(fresh.oldEndsAt.getTime()).toBeLessThanOrEqual(Date.now() + HOUR_MS);
    for (const key of [old.key, fresh.apiKey]) {
      expect(await inBoth(key)).toEqual([200, 200]);
      expectProblem(await client(test.request, key).post(GUIAS, guiaBody()), 'sin_permiso');
    }
    expect((await row(fresh.id)).comercio_id).toBe(old.id);
  });

  it.each([
    ['no expiry', null],
    ['the expiry that was asked for', new Date('2099-01-31T23:59:59.999Z')],
  ])(
    'keep the expiry of the key they replace, but not its overlap, also at a second rotation: %s',
    async (_, expiresAt) => {
      const old = await test.merchant({ expiresAt: expiresAt ?? undefined });
      const first = await keys().rotate(await row(old.keyId), HOUR_MS);
      const second = await keys().rotate(await row(old.keyId), 24 * HOUR_MS);
      expect([first.expiresAt, second.expiresAt]).toEqual([expiresAt, expiresAt]);
      expect(second.oldEndsAt).toEqual(first.oldEndsAt);
      await pass(2 * HOUR_MS);
      expect(await inBoth(old.key)).toEqual([401, 401]);
      for (const { apiKey } of [first, second]) expect(await inBoth(apiKey)).toEqual([200, 200]);
    },
  );

  it("expire by the database's clock, however wrong the process's clock is", async () => {
    const soon = await test.merchant({ expiresAt: new Date(Date.now() + HOUR_MS) });
    const over = await test.merchant({ expiresAt: new Date(Date.now() - 1) });
    for (const errorMs of [-2 * HOUR_MS, 2 * HOUR_MS]) {
      const wrong = Date.now() + errorMs;
      jest.spyOn(Date, 'now').mockReturnValue(wrong);
      expect([...(await inBoth(soon.key)), ...(await inBoth(over.key))]).toEqual([200, 200, 401, 401]);
      const rotated = await keys().rotate(await row(soon.keyId), 30 * 60_000);
      expect(await inBoth(rotated.apiKey)).toEqual([200, 200]);
      jest.restoreAllMocks();
    }
    const [left] = await test.database.query<{ minutes: number }>(
      `select round(extract(epoch from solape_hasta - now()) / 60)::int as minutes
       from claves_api where id = $1`,
      [soon.keyId],
    );
    expect(left!.minutes).toBe(30);
  });

  it('have their last use written in batches, at the latest on shutdown, not on each request', async () => {
    const [used, unused] = [await test.keyOf(merchant.id), await test.keyOf(merchant.id)];
    const before = Date.now();
    await withTestApp({ database: test.database }, async (app) => {
      const by = client(app.request, used.key);
      await by.get(`${GUIAS}/x`);
      stopCacheClock();
      const visits = await visitsDuring(app, async () => {
        for (let i = 0; i < 50; i++) await by.get(`${GUIAS}/x`);
      });
      expect(visits).toBe(0);
    });
    const { ultimo_uso_en } = await row(used.keyId);
    expect(ultimo_uso_en!.getTime()).toBeGreaterThanOrEqual(before);
    expect(ultimo_uso_en!.getTime()).toBeLessThanOrEqual(Date.now());
    expect((await row(unused.keyId)).ultimo_uso_en).toBeNull();
  });

  it('never reach the logs or the database: not whole, in part or as a plain hash', async () => {
    const tables = ['comercios', 'claves_api', 'guias', 'eventos'];
    const rows = await Promise.all(
      tables.map((table) => test.database.query(`select t::text from ${table} t`)),
    );
    const [database, logs] = [JSON.stringify(rows), JSON.stringify([test.logs, second.logs])];
    const secret = merchant.key.slice('gk_live_12345678_'.length);
    const identifier = merchant.key.slice('gk_live_'.length).slice(0, 8);
    const { huella } = await row(merchant.keyId);
    expect(database).toContain(identifier);
    expect(database).toContain(huella.toString('hex'));
    const plain = [merchant.key, secret].map((text) => createHash('sha256').update(text).digest('hex'));
    for (const text of [secret, secret.slice(0, 16), Buffer.from(merchant.key).toString('hex'), ...plain])
      expect({ text, stored: database.includes(text) }).toEqual({ text, stored: false });
    for (const text of [secret, secret.slice(0, 16), huella.toString('hex'), huella.toString('base64')])
      expect({ text, logged: logs.includes(text) }).toEqual({ text, logged: false });
  });
});
