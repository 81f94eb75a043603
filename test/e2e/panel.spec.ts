import { ApiKeysService } from '../../src/auth/keys/api-keys.service.js';
import { eventually } from '../support/eventually.js';
import { PanelBrowser } from '../support/panel.js';
import { createTestApp, type Answer, type TestApp, type TestMerchant } from '../support/test-app.js';
import { useSharedApp } from '../support/use.js';

const SIGN_IN = 'Entre al panel de su tienda';

const test = useSharedApp();

describe('a session of the panel', () => {
  let merchant: TestMerchant;

  beforeAll(async () => {
    merchant = await test.merchant();
  });

  it('begins with a key, in a cookie of the panel alone, and shows the first page', async () => {
    const browser = new PanelBrowser(test);
    expect(await browser.page('/panel')).toContain(SIGN_IN);
    const { status, headers } = await browser.signIn(` ${merchant.key}\n`);
    expect([status, headers.get('location')]).toEqual([303, '/panel']);
    expect(headers.get('set-cookie')).toMatch(
      /^guias_panel=[\w-]{43}; Path=\/panel; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect(await browser.page('/panel')).toContain('<h1>Hoy</h1>');
  });

  it.each([
    ['an https PUBLIC_URL', { PUBLIC_URL: 'https://guias.example.com' }, {}],
    ['a proxy that speaks TLS', { TRUST_PROXY: '127.0.0.1' }, { 'x-forwarded-proto': 'https' }],
  ])('has a cookie for TLS alone behind %s', async (_, env, headers) => {
    const other = await createTestApp({ env: { ...env }, database: test.database });
    try {
      const { headers: sent } = await new PanelBrowser(other, headers).signIn(merchant.key);
      expect(sent.get('set-cookie')).toMatch(/; Secure$/);
    } finally {
      await other.close();
    }
  });

  it('is one same 401 for every key that opens nothing', async () => {
    const operator = await test.operator();
    const revoked = await test.keyOf(merchant.id);
    await test.app.get(ApiKeysService).revoke(revoked.keyId);
    const expired = await test.keyOf(merchant.id, { expiresAt: new Date(Date.now() - 1_000) });
    const pages = new Set<string>();
    for (const key of [
      `${merchant.key.slice(0, -7)}0000000`,
      'gk_live_00000000_00000000000000000000000000000000000000',
      'x',
      '',
      operator.key,
      revoked.key,
      expired.key,
    ]) {
      const { status, text } = await new PanelBrowser(test).signIn(key);
      expect(status).toBe(401);
      pages.add(text);
    }
    expect(pages.size).toBe(1);
    expect([...pages][0]).toContain('aria-invalid="true"');
  });

  it('needs a key that reads guides', async () => {
    const { key } = await test.keyOf(merchant.id, { scopes: ['guias:escribir'] });
    const { status, headers } = await new PanelBrowser(test).signIn(key);
    expect([status, headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('opens the panel in every process, and never the API', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    const other = await createTestApp({ database: test.database });
    try {
      const headers = { cookie: `guias_panel=${browser.token}` };
      expect((await other.request('/panel', { headers })).text).toContain('<h1>Hoy</h1>');
      for (const authorization of [undefined, `Bearer ${browser.token}`])
        expect(
          (
            await other.request('/api/v1/guias', {
              headers: { ...headers, ...(authorization && { authorization }) },
            })
          ).status,
        ).toBe(401);
    } finally {
      await other.close();
    }
  });

  it('counts in the limit of its key, and ends for the newest twenty of the merchant', async () => {
    const owner = await test.merchant();
    const leftIn = ({ headers }: Answer) => Number(/r=(\d+)/.exec(headers.get('ratelimit')!)![1]);
    const browsers = Array.from({ length: 21 }, () => new PanelBrowser(test));
    const left: number[] = [];
    for (const browser of browsers) left.push(leftIn(await browser.signIn(owner.key)));
    expect(left[0]! - left.at(-1)!).toBe(20);
    const [oldest, second] = browsers;
    expect(await oldest!.page('/panel')).toContain(SIGN_IN);
    expect(await second!.page('/panel')).toContain('<h1>Hoy</h1>');
    expect(await (await PanelBrowser.in(test, merchant)).page('/panel')).toContain('<h1>Hoy</h1>');
  });

  it('has a new token at each sign-in, whatever the browser came with, and ends the one before', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    const before = browser.token;
    await browser.signIn(merchant.key);
    expect(browser.token).not.toBe(before);
    const page = (token: string) => test.request('/panel', { headers: { cookie: `guias_panel=${token}` } });
    expect((await page(before)).text).toContain(SIGN_IN);
    const planted = 'A'.repeat(43);
    const { headers } = await test.request('/panel', {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: `guias_panel=${planted}` },
      body: new URLSearchParams({ api_key: merchant.key }),
    });
    expect(headers.get('set-cookie')).not.toContain(planted);
    expect((await page(planted)).text).toContain(SIGN_IN);
  });

  it('ends by the button, on the server', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    const { token } = browser;
    const { status, headers } = await browser.submit('/panel', '/salir');
    expect([status, headers.get('location')]).toEqual([303, '/panel']);
    const { text } = await test.request('/panel', { headers: { cookie: `guias_panel=${token}` } });
    expect(text).toContain(SIGN_IN);
  });

  it('ends 12 hours after it began', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    const [row] = await test.database.query<{ hours: number }>(
      `select (extract(epoch from max(vence_en) - now()) / 3600)::float8 as hours from panel_sesiones`,
    );
    expect(row!.hours).toBeGreaterThan(11.9);
    expect(row!.hours).toBeLessThanOrEqual(12);
    await test.database.query('update panel_sesiones set vence_en = now()');
    expect(await browser.page('/panel')).toContain(SIGN_IN);
  });

  it('ends with its key, which a process remembers for seconds', async () => {
    const own = await test.keyOf(merchant.id);
    const browser = await PanelBrowser.in(test, own);
    await test.app.get(ApiKeysService).revoke(own.keyId);
    await eventually(async () => expect(await browser.page('/panel')).toContain(SIGN_IN));
  });

  it('stores a hash of its token', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    const rows = await test.database.query('select * from panel_sesiones');
    expect(JSON.stringify(rows)).not.toContain(browser.token);
    expect(JSON.stringify(test.logs)).not.toContain(browser.token);
    expect(JSON.stringify(test.logs)).not.toContain(merchant.key);
  });

  it('is shown in no frame, stored nowhere, and loads nothing of other sites', async () => {
    const browser = await PanelBrowser.in(test, merchant);
    for (const { headers } of [await browser.get('/panel'), await new PanelBrowser(test).get('/panel')]) {
      expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });
});

describe('guesses at keys on the panel', () => {
  let limited: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    limited = await createTestApp({ env: { RATE_LIMIT_PER_MINUTE: '5' }, database: test.database });
    merchant = await limited.merchant();
  });
  afterAll(() => limited.close());

  it("count in the key's limit where they are right: a session shares it with the API", async () => {
    const own = await limited.merchant();
    const browser = await PanelBrowser.in(limited, own);
    for (let i = 0; i < 4; i++) expect((await browser.get('/panel')).status).toBe(200);
    const { status, headers, text } = await browser.get('/panel');
    expect([status, Number(headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(text).toContain('<h1>Espere un momento</h1>');
    expect((await own.get('/api/v1/guias')).status).toBe(429);
  });

  it('are refused after 10 for an address and key, and after 100 for an address; sessions go on', async () => {
    const browser = await PanelBrowser.in(limited, merchant);
    const wrong = (id: string) => `gk_live_${id}_${'0'.repeat(38)}`;
    const statuses: number[] = [];
    for (let i = 0; i < 105; i++)
      statuses.push((await new PanelBrowser(limited).signIn(wrong(String(i % 5).padStart(8, '0')))).status);
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401));
    const refused = await new PanelBrowser(limited).signIn(merchant.key);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('Espere un minuto');
    expect((await browser.get('/panel')).status).toBe(200);
  });
});
