import { generateApiKey } from '../../src/auth/keys/api-key.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { PanelBrowser } from '../support/panel.js';
import { expectProblem } from '../support/problem.js';
import { client, createTestApp, guiaBody, type Answer, type TestMerchant } from '../support/test-app.js';
import { opened } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const LIMIT = 3;

describe(`RATE_LIMIT_PER_MINUTE=${LIMIT}`, () => {
  const test = opened(() =>
    createTestApp({ env: { RATE_LIMIT_PER_MINUTE: String(LIMIT), TRUST_PROXY: '127.0.0.1' } }),
  );

  it('answers 429 with Retry-After of 1 to 60 seconds to the requests of a key beyond it', async () => {
    const by = await test.merchant();
    for (let i = 0; i < LIMIT; i++) expect((await by.get(GUIAS)).status).toBe(200);
    for (let i = 0; i < 3; i++) {
      const answer = await by.get(GUIAS);
      expectProblem(answer, 'demasiadas_solicitudes');
      expect(answer.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
    }
  });

  /** What the headers of an answer say is left. */
  const left = ({ headers }: Answer) => {
    expect(headers.get('ratelimit-policy')).toBe(`"clave";q=${LIMIT};w=60`);
    const [, requests, seconds] = /^"clave";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '') ?? [];
    expect(Number(seconds)).toBeGreaterThan(0);
    expect(Number(seconds)).toBeLessThanOrEqual(60);
    return Number(requests);
  };

  it('reports the remaining quota in every response to a key, also in rejections', async () => {
    const by = await test.merchant({ scopes: ['guias:leer'] });
    const answers = [
      await by.get(GUIAS),
      await by.get(`${GUIAS}/x`),
      await by.post(GUIAS, guiaBody()),
      await by.get(GUIAS),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 403, 429]);
    expect(answers.map(left)).toEqual([2, 1, 0, 0]);
  });

  it('counts the sessions of the panel that begin with a key', async () => {
    const by = await test.merchant();
    for (let i = 0; i < LIMIT; i++) await by.get(GUIAS);
    const { status, headers } = await new PanelBrowser(test).signIn(by.key);
    expect([status, headers.get('set-cookie')]).toEqual([429, null]);
  });

  it('reports the quota in responses without a route too, but only to valid keys', async () => {
    const by = await test.merchant();
    expect(left(await by.post(GUIAS, '{'))).toBe(2);
    expect(left(await by.post(GUIAS, 'x', { 'content-type': 'text/plain' }))).toBe(1);
    expect(left(await by.get('/api/v1/nada'))).toBe(0);
    const other = await test.merchant();
    expect(left(await other.delete(GUIAS))).toBe(2);
    for (const key of ['', generateApiKey()])
      expect((await client(test.request, key).get(GUIAS)).headers.get('ratelimit')).toBeNull();
  });

  describe('a batch of guides', () => {
    const send = (by: TestMerchant, count: number) =>
      by.post(`${GUIAS}/lote`, { guias: Array.from({ length: count }, () => guiaBody()) });

    it('costs one request for each ten guides', async () => {
      const by = await test.merchant();
      expect(left(await send(by, 11))).toBe(1);
      expect(left(await send(by, 10))).toBe(0);
    });

    it('creates nothing where fewer are left, and only its arrival is counted', async () => {
      const by = await test.merchant();
      await by.get(GUIAS);
      const refused = await send(by, 30);
      expectProblem(refused, 'demasiadas_solicitudes');
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect(left(refused)).toBe(1);
      expect(left(await send(by, 10))).toBe(0);
      const made = await test.database.query('select 1 from guias where comercio_id = $1', [by.id]);
      expect(made).toHaveLength(10);
    });

    it('costs at most the whole limit, so that a batch above it can still be sent', async () => {
      const by = await test.merchant();
      const answer = await send(by, 100);
      expect(answer.status).toBe(200);
      expect(left(answer)).toBe(0);
      expect((await by.get(GUIAS)).status).toBe(429);
    });
  });

  it('a batch of events or of labels costs one request for each ten items, if it is well-formed', async () => {
    const operator = await test.operator();
    const eventos = (count: number) => ({ eventos: Array.from({ length: count }, () => ({ guia: '1' })) });
    expect(left(await operator.post('/api/v1/operaciones/eventos', eventos(11)))).toBe(1);
    const another = await test.operator();
    expect(left(await another.post('/api/v1/operaciones/eventos', eventos(101)))).toBe(2);
    for (const [by, path] of [
      [await test.merchant(), '/api/v1/etiquetas'],
      [await test.operator(), '/api/v1/operaciones/etiquetas'],
    ] as const) {
      const guias = Array.from({ length: 21 }, (_, i) => `no-${i}`);
      expect(left(await by.post(path, { guias: guias.slice(0, 11) }))).toBe(1);
      expectProblem(await by.post(path, { guias }), 'demasiadas_solicitudes');
    }
  });

  it('counts every method, and creates nothing for a refused request', async () => {
    const by = await test.merchant();
    await by.get(GUIAS);
    await by.get(`${GUIAS}/x`);
    expect((await by.post(GUIAS, guiaBody())).status).toBe(201);
    expectProblem(await by.post(GUIAS, guiaBody()), 'demasiadas_solicitudes');
    const made = await test.database.query('select 1 from guias where comercio_id = $1', [by.id]);
    expect(made).toHaveLength(1);
  });

  it('counts each key by itself, also those of one merchant', async () => {
    const one = await test.merchant();
    for (let i = 0; i <= LIMIT; i++) await one.get(GUIAS);
    expect((await one.get(GUIAS)).status).toBe(429);
    expect((await (await test.keyOf(one.id)).get(GUIAS)).status).toBe(200);
    expect((await (await test.merchant()).get(GUIAS)).status).toBe(200);
  });

  it('counts concurrent requests exactly, also while they share one lookup of the key', async () => {
    const by = await test.merchant();
    const answers = await withClient(test.database.url, async (holder) => {
      await holder.query('begin');
      await holder.query('lock table claves_api in access exclusive mode');
      const waiting = Promise.all(Array.from({ length: 20 }, () => by.get(GUIAS)));
      await eventually(async () => {
        const waits = `select 1 from pg_locks where not granted and relation = 'claves_api'::regclass`;
        expect((await holder.query(waits)).rows).not.toEqual([]);
      });
      await holder.query('commit');
      return waiting;
    });
    const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
    expect({ 200: count(200), 429: count(429) }).toEqual({ 200: LIMIT, 429: 20 - LIMIT });
  });

  it('does not count requests refused with 401, not even with the id of the key', async () => {
    const by = await test.merchant();
    // A well-formed key with another secret, under whose id this key is kept.
    const wrong = generateApiKey();
    const identifier = wrong.slice('gk_live_'.length).slice(0, 8);
    await test.database.query('update claves_api set identificador = $1 where id = $2', [
      identifier,
      by.keyId,
    ]);
    const typo = by.key.slice(0, -1) + (by.key.endsWith('0') ? '1' : '0');
    for (const key of [wrong, typo]) {
      for (let i = 0; i < 2 * LIMIT; i++)
        expect((await client(test.request, key).get(GUIAS)).status).toBe(401);
    }
    await test.database.query('update claves_api set identificador = $1 where id = $2', [
      by.key.slice('gk_live_'.length).slice(0, 8),
      by.keyId,
    ]);
    for (let i = 0; i < LIMIT; i++) expect((await by.get(GUIAS)).status).toBe(200);
    expect((await by.get(GUIAS)).status).toBe(429);
  });

  describe('wrong keys', () => {
    /** More wrong keys than an address may send in a minute. */
    const MANY = 100;
    const sendFrom = (address: string, key: string) =>
      test.request(GUIAS, { headers: { authorization: `Bearer ${key}`, 'x-forwarded-for': address } });
    const statuses = (answers: Answer[]) => [...new Set(answers.map(({ status }) => status))];

    it('get 429 with Retry-After once their address has sent too many', async () => {
      const address = '10.1.0.1';
      const answers = await Promise.all(
        Array.from({ length: MANY }, () => sendFrom(address, generateApiKey())),
      );
      expect(statuses(answers).sort()).toEqual([401, 429]);
      const refused = await sendFrom(address, generateApiKey());
      expectProblem(refused, 'demasiadas_solicitudes');
      expect(refused.headers.get('retry-after')).toMatch(/^([1-9]|[1-5]\d|60)$/);
      expect((await sendFrom('10.1.0.2', generateApiKey())).status).toBe(401);
    });

    it('of all addresses of an IPv6 /64 are counted together', async () => {
      const answers = await Promise.all(
        Array.from({ length: MANY }, (_, n) =>
          sendFrom(`2001:db8:0:7:${n.toString(16)}::1`, generateApiKey()),
        ),
      );
      expect(statuses(answers).sort()).toEqual([401, 429]);
      expect((await sendFrom('2001:db8:0:8::1', generateApiKey())).status).toBe(401);
    });

    it('do not affect right keys from their address, not even one that was never used', async () => {
      const address = '10.1.0.3';
      await Promise.all(Array.from({ length: MANY }, () => sendFrom(address, generateApiKey())));
      expect((await sendFrom(address, generateApiKey())).status).toBe(429);
      const { key } = await test.merchant();
      for (let n = 0; n < LIMIT; n++) expect((await sendFrom(address, key)).status).toBe(200);
    });

    it('are not counted where they are malformed or missing', async () => {
      const headers = { 'x-forwarded-for': '10.1.0.4' };
      const sendBoth = async () => [
        await sendFrom('10.1.0.4', 'gk_live_no'),
        await test.request(GUIAS, { headers }),
      ];
      const answers = await Promise.all(Array.from({ length: MANY }, sendBoth));
      expect(statuses(answers.flat())).toEqual([401]);
    });
  });

  it('does not limit routes without a key', async () => {
    for (let i = 0; i < 3 * LIMIT; i++) expect((await test.request('/livez')).status).toBe(200);
  });
});
