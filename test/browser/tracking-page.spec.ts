import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { axeFaults, overflowOf, watchPage } from '../support/inspect-page.js';
import { createTestApp, guiaBody, type TestApp, type TestOperator } from '../support/test-app.js';

const PHONE = {
  viewport: { width: 320, height: 640 },
  hasTouch: true,
  isMobile: true,
  locale: 'es-GT',
  timezoneId: 'America/Tijuana',
};

describeInBrowser('the page that tells how a parcel goes', () => {
  let test: TestApp;
  let operator: TestOperator;
  let browser: Browser;
  let context: BrowserContext;
  let complaints: string[];
  let asked: string[];

  beforeAll(async () => {
    test = await createTestApp();
    operator = await test.operator();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  /** Opens the page of a new guide, whose clock the test moves. */
  async function follow(options: BrowserContextOptions = {}): Promise<{ id: string; page: Page }> {
    const merchant = await test.merchant();
    const place = { lat: 14.6407, lng: -90.5133, cod_amount: 349.5, contenido: 'Zapatos, talla 38' };
    const { body } = await merchant.post('/api/v1/guias', guiaBody(place));
    const { seguimiento } = (await merchant.get(`/api/v1/guias/${body.id}`)).body.guia;
    asked = [];
    context = await browser.newContext({ ...PHONE, ...options });
    const page = await context.newPage();
    await page.clock.install();
    ({ complaints } = watchPage(page, test.url));
    page.on(
      'request',
      (request) => void asked.push(new URL(request.url()).pathname.replace(/^\/c\/[\w-]{43}$/, 'page')),
    );
    await page.goto(test.url + new URL(seguimiento).pathname);
    return { id: body.id, page };
  }
  const move = async (id: string, estado: string) =>
    expect(
      (await operator.move(id, { estado, ...(estado === 'entregado' && { cod_cobrado: 349.5 }) })).status,
    ).toBe(201);
  const titled = (page: Page, title: string) =>
    eventually(async () => expect(await page.locator('h1').innerText()).toBe(title));

  it('polls each minute until the parcel has arrived, and requests nothing else', async () => {
    const { id, page } = await follow();
    await titled(page, 'Tu paquete se está preparando');
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await move(id, estado);
    await page.clock.fastForward('01:01');
    await titled(page, 'Tu paquete va en camino');
    expect(await page.locator('.steps li').count()).toBe(4);
    expect(await page.getByText('Q\u00a0349.50').count()).toBe(1);
    await move(id, 'entregado');
    await page.clock.fastForward('01:01');
    await titled(page, 'Tu paquete fue entregado');
    expect(await page.title()).toBe('Tu paquete fue entregado');
    expect(await page.getByText('Pagaste en efectivo').count()).toBe(1);
    await page.clock.fastForward('10:00');
    expect(asked).toEqual(['page', '/c/assets/page.css', '/c/assets/page.js', 'page', 'page']);
  });

  it('continues polling after an outage of the service', async () => {
    const { id, page } = await follow();
    await context.route(/\/c\/[\w-]{43}$/, (route) => route.abort(), { times: 1 });
    await move(id, 'en_camino_a_recoger');
    await page.clock.fastForward('01:01');
    await eventually(() => expect(asked.filter((path) => path === 'page')).toHaveLength(2));
    await page.clock.fastForward('01:01');
    await titled(page, 'Van a la tienda por tu paquete');
    complaints = complaints.filter((text) => !text.includes('ERR_FAILED'));
  });

  it('takes the correction away once the courier has left, but not from under the fingers', async () => {
    const { id, page } = await follow();
    const landmark = page.getByLabel('¿Cómo reconocemos tu casa?');
    await page.getByText('Corregir la ubicación').tap();
    await landmark.fill('Portón');
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await move(id, estado);
    await page.clock.fastForward('01:01');
    await eventually(() => expect(asked.filter((path) => path === 'page')).toHaveLength(2));
    expect(await landmark.inputValue()).toBe('Portón');
    await landmark.blur();
    await page.clock.fastForward('01:01');
    await titled(page, 'Tu paquete va en camino');
    expect(await page.locator('#form').count()).toBe(0);
  });

  it("writes times in the phone's own zone", async () => {
    const { page } = await follow();
    const time = page.locator('.band time');
    const at = new Date((await time.getAttribute('datetime'))!);
    const hour = new Intl.DateTimeFormat('es-GT', { timeStyle: 'short', timeZone: PHONE.timezoneId }).format(
      at,
    );
    const written = (await time.innerText()).replace(/\s/g, ' ');
    expect(written).toMatch(/^\p{L}+, \d{1,2} de \p{L}+, /u);
    expect(written).toContain(hour.replace(/\s/g, ' '));
  });

  it('loads a map with a pin that stays in its place when it is opened', async () => {
    const { page } = await follow();
    const files = () => asked.filter((path) => path.startsWith('/c/assets/'));
    expect(files()).toHaveLength(2);
    await page.getByText('Ver el punto de entrega').tap();
    await page.locator('#where-map .pin').waitFor();
    expect(files()).toHaveLength(5);
    await page.locator('#where-map').tap({ position: { x: 20, y: 20 } });
    expect(await page.locator('#where a[href^="geo:"]').innerText()).toBe('14.640700, -90.513300');
  });

  it('tells everything without scripts too', async () => {
    const { page } = await follow({ javaScriptEnabled: false });
    await page.getByText('Todo lo que ha pasado').tap();
    const text = await page.locator('main').innerText();
    for (const fact of ['Zapatos, talla 38', 'Q\u00a0349.50', 'La tienda preparó el envío'])
      expect(text).toContain(fact);
    await page.getByText('Ver el punto de entrega').tap();
    expect(await page.locator('#where a[href^="geo:"]').isVisible()).toBe(true);
  });

  it.each([
    ['light', 'es-GT'],
    ['dark', 'es-GT'],
    ['light', 'en-US'],
  ] as const)(
    'is accessible and fits a narrow phone, also with large type: %s, %s',
    async (colorScheme, locale) => {
      const { id, page } = await follow({ colorScheme, locale, bypassCSP: true });
      for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta']) await move(id, estado);
      await test.database.query(
        'update comercios set con_pin = true where id = (select comercio_id from guias where id = $1)',
        [id],
      );
      await page.reload();
      await page.locator('#where summary').tap();
      await page.locator('#where-map .pin').waitFor();
      expect(await overflowOf(page)).toBe(0);
      await page.addStyleTag({ content: 'html { font-size: 200% !important }' });
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await overflowOf(page)).toBe(0);
      // The merchant's name keeps its words.
      expect((await page.locator('.merchant bdi').boundingBox())!.height).toBeLessThan(100);
      const steps = await page
        .locator('.way-line li')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      expect(steps).toEqual(Array<number>(4).fill(steps[0]!));
      const pin = page.locator('[data-pin]');
      const copied =
        'getSelection().selectAllChildren(document.querySelector("[data-pin]")), String(getSelection())';
      expect(await page.evaluate(copied)).toMatch(/^\d{4}$/);
      const { x, width, height } = (await pin.boundingBox())!;
      expect({ fits: x + width <= 320, isOneLine: height < 100 }).toEqual({ fits: true, isOneLine: true });
      expect(await axeFaults(page)).toEqual([]);
    },
  );
});
