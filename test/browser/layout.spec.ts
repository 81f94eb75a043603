import type { Browser, Page } from 'playwright-core';
import { inFours } from '../../src/guias/guia/guia-digits.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { CONSOLE_USERS } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

/** Stops of Tab that a page is followed for. */
const MAX_STOPS = 150;

const TILES = 'https://tiles.example';

/** A tile: one grey pixel. */
const TILE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
  'base64',
);

describeInBrowser("the layout of the panel's and staff's pages", () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let browser: Browser;
  let page: Page;
  let placed: string;

  beforeAll(async () => {
    test = await createTestApp({
      env: { BOARD_USERS: CONSOLE_USERS, TILE_URL: `${TILES}/{z}/{x}/{y}.png` },
    });
    merchant = await test.merchant();
    const guias = Array.from({ length: 12 }, (_, i) =>
      guiaBody({ nombre: `Persona número ${i}`, cod_amount: i }),
    );
    expect((await merchant.post('/api/v1/guias/lote', { guias })).status).toBe(200);
    placed = (await merchant.post('/api/v1/guias', { ...guiaBody(), lat: 14.61, lng: -90.52 })).body.guia;
    browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: { width: 360, height: 640 },
      httpCredentials: { username: 'sol', password: 'clave-de-sol' },
    });
    page = await context.newPage();
    await page.goto(`${test.url}/panel`);
    await page.getByLabel('Clave de API').fill(merchant.key);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Hoy' }).waitFor();
  });
  afterAll(async () => {
    await browser?.close();
    await test?.close();
  });

  /** What has the focus; undefined where nothing has. Compares the middle of what the screen shows of it. */
  const focused = () =>
    page.evaluate<{ name: string; isCovered: boolean } | undefined>(`(() => {
      const one = document.activeElement;
      if (one === document.body) return undefined;
      const { left, top, right, bottom } = one.getClientRects()[0];
      const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
      const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
      const hit = document.elementFromPoint(x, y);
      return { name: one.name || one.textContent, isCovered: hit !== one && !one.contains(hit) };
    })()`);

  it.each(['/panel', '/panel/guias', '/panel/guias/nueva', '/admin/despacho'])(
    'never hides what has the focus: %s',
    async (path) => {
      await page.goto(test.url + path, { waitUntil: 'networkidle' });
      // An open menu lies above the page until it is closed.
      for (const fold of await page.locator('details:not(.menu)').all())
        await fold.evaluate((one) => one.setAttribute('open', ''));
      // What has the focus from the start was moved by that, which nobody sees as focusing it.
      await page.evaluate('((one) => { one.blur(); one.focus(); })(document.activeElement)');
      const covered: unknown[] = [];
      let stops = 0;
      for (; stops < MAX_STOPS; stops++) {
        const one = await focused();
        if (one?.isCovered) covered.push(one.name);
        if (stops > 5 && !one) break;
        await page.keyboard.press('Tab');
      }
      expect(covered).toEqual([]);
      expect(stops).toBeGreaterThan(10);
    },
  );

  it.each(['/panel/guias', '/panel/cobros'])(
    'keeps a table with long words inside the page: %s',
    async (path) => {
      await merchant.post('/api/v1/guias', {
        ...guiaBody(),
        nombre: 'Xiomaraelizabeth'.repeat(6),
        external_ref: 'R'.repeat(100),
        cod_amount: 349.5,
      });
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(test.url + path);
      await page.getByText('RRRRRRRRRR').waitFor();
      const widths =
        '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.documentElement)';
      expect(await page.evaluate<number>(widths)).toBe(0);
      await page.setViewportSize({ width: 360, height: 640 });
    },
  );

  it.each([
    ["the panel's guide", () => `/panel/guias/${placed}`],
    ["the dispatcher's map", () => '/admin/despacho'],
  ])('shows a grid and a sentence where the tiles of a map do not load: %s', async (_, path) => {
    const map = page.locator('.map');
    const pictureWithout = async (selector: string) => {
      await map.evaluate((one, all) => one.querySelectorAll(all).forEach((each) => each.remove()), selector);
      return map.screenshot();
    };
    await page.route(`${TILES}/**`, (route) => route.abort());
    await page.goto(test.url + path(), { waitUntil: 'networkidle' });
    await map.scrollIntoViewIfNeeded();
    const bare = await map.screenshot();
    expect((await pictureWithout('img')).equals(bare)).toBe(true);
    expect((await pictureWithout('p')).equals(bare)).toBe(false);

    await page.unroute(`${TILES}/**`);
    await page.route(`${TILES}/**`, (route) => route.fulfill({ contentType: 'image/png', body: TILE }));
    await page.goto(test.url + path(), { waitUntil: 'networkidle' });
    await map.scrollIntoViewIfNeeded();
    const isLoaded = '[...document.querySelectorAll(".map img")].every((one) => one.naturalWidth > 0)';
    await eventually(async () => expect(await page.evaluate<boolean>(isLoaded)).toBe(true));
    const cover = `(({ left, top, width, height }) => document.elementFromPoint(left + width / 2, top + height / 2))(
      document.querySelector('.map > p').getBoundingClientRect()).tagName`;
    expect(await page.evaluate<string>(cover)).toBe('IMG');
    await page.unroute(`${TILES}/**`);
  });

  it("keeps the columns of a merchant's file apart, also where its pickup point is asked for", async () => {
    await page.setViewportSize({ width: 960, height: 640 });
    await page.goto(`${test.url}/panel/importar`);
    const rows =
      'Cliente;Cel / WhatsApp;Depto.;Muni;Dirección de entrega\nRosa;42129087;Guatemala;Mixco;5a calle';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'pedidos.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
    await page.locator('main form[enctype] button[type=submit]').click();
    await page.getByRole('heading', { name: 'Sus columnas' }).waitFor();
    expect(await page.getByRole('heading', { name: '¿Dónde se recogen?' }).isVisible()).toBe(true);
    const over = `[...document.querySelectorAll('td select')].map((one) =>
      one.getBoundingClientRect().right > one.closest('td').getBoundingClientRect().right)`;
    expect(await page.evaluate<boolean[]>(over)).toEqual([false, false, false, false, false]);
    await page.setViewportSize({ width: 360, height: 640 });
  });

  it('says what was scanned with the number of the guide in fours', async () => {
    await page.goto(`${test.url}/admin/despacho`);
    await page.keyboard.type(placed);
    await page.keyboard.press('Enter');
    await page.getByText(`Elegida: ${inFours(placed)}`).waitFor();
  });

  it('takes 48 labels at one each 0.3 s, while each answer takes 0.4 s, without another page', async () => {
    const bodies = Array.from({ length: 48 }, () => guiaBody());
    const { resultados } = (await merchant.post('/api/v1/guias/lote', { guias: bodies })).body;
    const numeros: string[] = resultados.map(({ guia }: { guia: string }) => guia);
    await merchant.post(`/api/v1/guias/${placed}/cancelar`, {});
    await page.goto(`${test.url}/admin/despacho?municipio=Cob%C3%A1n`);
    let loads = 0;
    page.on('load', () => loads++);
    await page.route('**/admin/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    const scan = async (numero: string) => {
      await page.keyboard.type(numero);
      await page.keyboard.press('Enter');
      await page.waitForTimeout(300);
    };
    for (const numero of numeros) await scan(numero);
    const counted = page.locator('[data-escaneadas]');
    await eventually(async () => expect(await counted.textContent()).toBe('48'));
    for (const [numero, aviso] of [
      [numeros[3]!, 'repetida'],
      ['124685296335', 'desconocida'],
      [placed, 'terminada'],
    ] as const) {
      await scan(numero);
      const item = page.locator(`[data-escaneo="${numero}"]`).first();
      await eventually(async () => expect(await item.getAttribute('data-aviso')).toBe(aviso));
    }
    const newest = await page.evaluate<string[]>(
      `[...document.querySelectorAll('[data-escaneo]')].slice(0, 3).map((one) => one.dataset.escaneo)`,
    );
    expect(newest).toEqual([placed, '124685296335', numeros[3]]);
    expect(await counted.textContent()).toBe('48');
    expect(await page.locator('[data-elegidas]').textContent()).toBe('48 elegidas');
    // Also where a button has the focus, and where a driver was chosen first. Again where a busy machine types as a person does.
    for (const [elsewhere, numero] of [
      [page.getByRole('button', { name: 'Agregar' }), numeros[4]!],
      [page.locator('select[name=piloto]').last(), numeros[5]!],
    ] as const)
      await eventually(async () => {
        await elsewhere.focus();
        await scan(numero);
        const newestNow = page.locator('[data-escaneo]').first();
        expect(await newestNow.getAttribute('data-escaneo')).toBe(numero);
      });
    expect(loads).toBe(0);
    await page.unroute('**/admin/**');
  }, 120_000);

  it("keeps staff's header and the dispatcher's bar low on a phone", async () => {
    await page.goto(`${test.url}/admin/despacho`);
    const heightOf = async (selector: string) => (await page.locator(selector).boundingBox())!.height;
    expect(await heightOf('header')).toBeLessThan(200);
    expect(await heightOf('.dock')).toBeLessThan(180);
  });
});
