import { Readiness } from '../../src/platform/health/readiness.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { expectProblem } from '../support/problem.js';
import { createTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';
import { visitsDuring } from '../support/visits.js';

const GUIAS = '/api/v1/guias';
const TOKEN = 'una-ficha-de-metricas';

describe('health', () => {
  let database: TestDatabase;
  let proxy: TcpProxy;
  let test: TestApp;
  /** Has METRICS_TOKEN, and is told to drain. */
  let other: TestApp;

  beforeAll(async () => {
    database = await createTestDatabase();
    proxy = await createTcpProxy(database);
    test = await createTestApp({ database: proxy.database });
    other = await createTestApp({ env: { METRICS_TOKEN: TOKEN }, database });
  });
  afterEach(() => proxy.set({ kind: 'fair' }));
  afterAll(async () => {
    await test.close();
    await other.close();
    await proxy.close();
    await database.drop();
  });

  describe('/livez', () => {
    it('answers 200 without a key, without asking the database', async () => {
      const visits = await visitsDuring(test, async () => {
        for (let i = 0; i < 5; i++) {
          const answer = await test.request('/livez');
          expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { ok: true } });
        }
      });
      expect(visits).toBe(0);
    });

    it.each(['cut', 'frozen'] as const)('answers 200 while the database is %s', async (kind) => {
      proxy.set({ kind });
      expect((await test.request('/livez')).status).toBe(200);
    });
  });

  describe('/readyz', () => {
    it('answers 200 without a key after asking the database once', async () => {
      const visits = await visitsDuring(test, async () => {
        const answer = await test.request('/readyz');
        expect({ status: answer.status, body: answer.body }).toEqual({ status: 200, body: { ok: true } });
      });
      expect(visits).toBe(1);
    });

    it.each(['cut', 'frozen'] as const)(
      'answers 503 while the database is %s, and 200 when it is back',
      async (kind) => {
        proxy.set({ kind });
        const answer = await test.request('/readyz');
        expectProblem(answer, 'no_disponible');
        expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
        proxy.set({ kind: 'fair' });
        await eventually(async () => expect((await test.request('/readyz')).status).toBe(200));
      },
    );

    it('answers 200 and names a paused sender of messages, to whoever may read the metrics', async () => {
      const pausa = { proveedor: 'sandbox', codigo: '190', causa: 'El token venció.' };
      await database.query(`insert into pausas values ($1, $2, $3, now())`, Object.values(pausa));
      await database.query(`insert into pausas values ('whatsapp', '190', 'de antes', now())`);
      const answer = await test.request('/readyz');
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { ok: true, pausas: [{ ...pausa, desde: expect.stringMatching(/^\d{4}-.*Z$/) }] },
      });
      const seenBy = async (app: TestApp, headers: Record<string, string>) => {
        const { status, body } = await app.request('/readyz', { headers });
        return { status, names: Object.keys(body) };
      };
      const token = { authorization: `Bearer ${TOKEN}`, 'x-forwarded-for': '10.0.0.1' };
      expect(await seenBy(test, { 'x-forwarded-for': '10.0.0.1' })).toEqual({ status: 200, names: ['ok'] });
      expect(await seenBy(other, {})).toEqual({ status: 200, names: ['ok'] });
      expect(await seenBy(other, token)).toEqual({ status: 200, names: ['ok', 'pausas'] });
      await database.query('delete from pausas');
    });

    it('answers 503 while the process drains and still serves requests', async () => {
      const merchant = await other.merchant();
      other.app.get(Readiness).drain();
      expectProblem(await other.request('/readyz'), 'no_disponible');
      expect((await other.request('/livez')).status).toBe(200);
      expect((await merchant.post(GUIAS, guiaBody())).status).toBe(201);
    });

    it('shows neither version nor cause of a 503', async () => {
      proxy.set({ kind: 'cut' });
      const { text } = await test.request('/readyz');
      expect(text).not.toMatch(/postgres|ECONN|127\.0\.0\.1|\d+\.\d+\.\d+/i);
    });
  });

  describe('/metrics', () => {
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

    it('answers Prometheus text on loopback without a token', async () => {
      const answer = await test.request('/metrics');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(answer.text).toMatch(/^# HELP /);
    });

    it.each<Record<string, string>>([
      { 'x-forwarded-for': '10.0.0.1' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=127.0.0.1' },
    ])('refuses a request that a proxy forwarded: %j', async (headers) => {
      expectProblem(await test.request('/metrics', { headers }), 'sin_permiso');
    });

    it('refuses an API key', async () => {
      const { key } = await test.merchant();
      const headers = { 'x-forwarded-for': '10.0.0.1', authorization: `Bearer ${key}` };
      expectProblem(await test.request('/metrics', { headers }), 'sin_permiso');
    });

    it('accepts METRICS_TOKEN alone, from anywhere, where it is set', async () => {
      const refused: (RequestInit | undefined)[] = [
        undefined,
        bearer(''),
        bearer(`${TOKEN}x`),
        bearer(TOKEN.slice(0, -1)),
        bearer(TOKEN.toUpperCase()),
        bearer((await other.merchant()).key),
        { headers: { authorization: TOKEN } },
        { headers: { authorization: `Basic ${TOKEN}` } },
      ];
      for (const init of refused) {
        const answer = await other.request('/metrics', init);
        expectProblem(answer, 'no_autenticado');
        expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      }
      for (const scheme of ['Bearer', 'bearer']) {
        const asked = { headers: { authorization: `${scheme} ${TOKEN}`, 'x-forwarded-for': '10.0.0.1' } };
        const answer = await other.request('/metrics', asked);
        expect(answer.status).toBe(200);
        expect(answer.text).toContain('http_request_duration_seconds');
      }
    });

    it('measures requests by route template, pool and event loop, without key, id, phone or reference in a label', async () => {
      const merchant = await test.merchant();
      const { id, guia } = (await merchant.post(GUIAS, guiaBody({ external_ref: 'canario-ref' }))).body;
      for (const name of [id, guia, 'canario-id', `${id}?canario=1`]) await merchant.get(`${GUIAS}/${name}`);
      await merchant.get(`${GUIAS}?cursor=canario-cursor`);
      await test.request('/canario-ruta');
      await test.request('/canario%ff');
      await test.request('/livez', { method: 'DELETE' });
      await test.request(GUIAS, { headers: { authorization: 'Bearer canario-clave' } });
      const { text } = await test.request('/metrics');

      const requests = samples(text, 'http_request_duration_seconds_count');
      const routes = new Set(requests.map(({ labels }) => labels.route));
      expect([...routes].sort()).toEqual(
        [GUIAS, `${GUIAS}/:id`, '/livez', '/metrics', '/readyz', 'none'].sort(),
      );
      const created = { method: 'POST', route: GUIAS, status: '201' };
      expect(requests).toContainEqual({ labels: created, value: expect.any(Number) });
      const detail = { method: 'GET', route: `${GUIAS}/:id`, status: '200' };
      expect(requests).toContainEqual({ labels: detail, value: 2 });

      for (const gauge of ['db_pool_connections', 'db_pool_in_use', 'db_pool_waiting'])
        expect({ gauge, found: samples(text, gauge) }).toEqual({
          gauge,
          found: [{ labels: {}, value: expect.any(Number) }],
        });
      expect(samples(text, 'db_pool_connections')[0]!.value).toBeGreaterThan(0);
      expect(samples(text, 'db_pool_waiting')[0]!.value).toBe(0);
      expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);

      expect(text).not.toMatch(/canario/);
      for (const secret of [
        id,
        guia,
        merchant.id,
        merchant.key,
        merchant.keyId,
        merchant.key.slice(8, 16),
        '50255551234',
      ])
        expect({ secret, shown: text.includes(secret) }).toEqual({ secret, shown: false });
    });

    it('does not add series with more guides and requests', async () => {
      const merchant = await test.merchant();
      // Node's own grow by themselves: each kind of garbage collection begins a series of its own.
      const count = async () =>
        (await test.request('/metrics')).text.split('\n').filter((line) => !line.startsWith('nodejs_'))
          .length;
      const requests = async (round: string) => {
        for (let i = 0; i < 20; i++) {
          await merchant.post(GUIAS, guiaBody({ external_ref: `${round}-${i}` }));
          await merchant.get(`${GUIAS}/${round}-${i}`);
          await test.request(`/${round}-${i}`);
        }
      };
      await requests('primera');
      await count();
      const before = await count();
      await requests('segunda');
      expect(await count()).toBe(before);
    });
  });
});

/** The samples of one metric in Prometheus text. */
function samples(text: string, name: string): { labels: Record<string, string>; value: number }[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`));
  return lines.map((line) => {
    const [, labels = '', value] = /^\w+(?:\{(.*)\})? (\S+)$/.exec(line)!;
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, text]) => [label, text]);
    return { labels: Object.fromEntries(pairs), value: Number(value) };
  });
}
