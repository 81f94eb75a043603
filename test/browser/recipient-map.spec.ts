import type { Browser, BrowserContext, BrowserContextOptions, Page, Route } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { startConfirmationHarness, type ConfirmationHarness } from '../support/confirmation-harness.js';
import { eventually } from '../support/eventually.js';
import { watchPage } from '../support/inspect-page.js';

const OPENSTREETMAP = 'https://tile.openstreetmap.org/';
const SATELLITE = 'https://satellite.example/';
const TILE = { contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' };

/** The phone of the issue that a button out of view was reported from. */
const PHONE: BrowserContextOptions = {
  viewport: { width: 360, height: 640 },
  hasTouch: true,
  isMobile: true,
  locale: 'es-GT',
};
const LOCATED: BrowserContextOptions = {
  permissions: ['geolocation'],
  geolocation: { latitude: 14.834999, longitude: -91.518069, accuracy: 18 },
};

describeInBrowser("the map of the recipient's page", () => {
  let browser: Browser;
  let harness: ConfirmationHarness;
  let context: BrowserContext;
  /** Every request of the page, in order, without its query. */
  let asked: string[];
  let complaints: string[];

  beforeAll(async () => {
    [browser, harness] = await Promise.all([
      launchBrowser(),
      // No TILE_URL: the default.
      startConfirmationHarness({
        TILE_URL: '',
        TILE_URL_SATELLITE: `${SATELLITE}{z}/{x}/{y}.jpg`,
        TILE_ATTRIBUTION_SATELLITE: '© Fotos',
      }),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });
  afterEach(async () => {
    await context.close();
    expect(complaints.filter((text) => !text.includes('net::ERR_FAILED'))).toEqual([]);
  });

  /** Opens a page on a phone whose requests for tiles the test answers. */
  async function visit(
    answer: (route: Route) => Promise<void> = (route) => route.fulfill(TILE),
    options: BrowserContextOptions = LOCATED,
  ): Promise<Page> {
    asked = [];
    context = await browser.newContext({ ...PHONE, ...options });
    await context.route(new RegExp(`^(${OPENSTREETMAP}|${SATELLITE})`), answer);
    const page = await context.newPage();
    ({ complaints } = watchPage(page, harness.url));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) asked.push(request.url().split('?')[0]!);
    });
    await page.goto(harness.url + (await harness.open()));
    return page;
  }
  const locate = async (page: Page) => {
    await page.locator('#locate').tap();
    await page.locator('.pin').waitFor();
  };
  const tilesOf = (start: string) => asked.filter((url) => url.startsWith(start));
  const note = (page: Page) => page.locator('.map-note').textContent();
  /** Whether a part of the page is in view as a whole. */
  const isInView = async (page: Page, selector: string) => {
    const { y, height } = (await page.locator(selector).boundingBox())!;
    return y >= 0 && y + height <= 640;
  };

  it('shows the streets of OpenStreetMap once it is opened, credited; they learn the origin alone', async () => {
    const referrers = new Set<string | undefined>();
    const page = await visit((route) => {
      referrers.add(route.request().headers().referer);
      return route.fulfill(TILE);
    });
    expect(asked).toHaveLength(3);
    await locate(page);
    await page.locator(`.leaflet-tile-loaded[src^="${OPENSTREETMAP}"]`).first().waitFor();
    expect(referrers).toEqual(new Set([`${harness.url}/`]));
    expect(await page.locator('.leaflet-control-attribution a').getAttribute('href')).toBe(
      'https://www.openstreetmap.org/copyright',
    );
    expect(tilesOf(SATELLITE)).toEqual([]);
    expect(await note(page)).toBe('');
  });

  it('switches to satellite images and back', async () => {
    const page = await visit();
    await locate(page);
    await page.getByRole('button', { name: 'Satélite' }).tap();
    await page.locator(`.leaflet-tile-loaded[src^="${SATELLITE}"]`).first().waitFor();
    expect(await page.locator('.leaflet-control-attribution').innerText()).toBe('© Fotos');
    await page.getByRole('button', { name: 'Calles' }).tap();
    await page.locator(`.leaflet-tile-loaded[src^="${OPENSTREETMAP}"]`).first().waitFor();
    await page.getByRole('button', { name: 'Satélite' }).waitFor();
  });

  it.each<[string, (route: Route) => Promise<void>]>([
    ['are refused', (route) => route.fulfill({ status: 403 })],
    ['fail', (route) => route.abort()],
    ['never come', () => new Promise(() => undefined)],
  ])('is a grid where tiles %s, says so, and works', async (_, answer) => {
    const page = await visit(answer);
    await page.clock.install();
    await page.reload();
    await locate(page);
    await eventually(async () => {
      await page.clock.fastForward(8_001);
      expect(await note(page)).toContain('Las calles no cargaron');
    });
    expect(await page.locator('.map .cell').count()).toBeGreaterThan(0);
    complaints = complaints.filter((text) => !text.includes('status of 403'));
    await page.getByRole('button', { name: 'Confirmar' }).tap();
    await page.getByRole('heading', { name: 'Ya confirmaste' }).waitFor();
  });

  it('keeps the button in view on a small phone, with what is said about the place', async () => {
    const page = await visit();
    await locate(page);
    for (const part of ['#confirm', '#map', '#status', '#map-hint'])
      expect({ part, inView: await isInView(page, part) }).toEqual({ part, inView: true });
  });

  it('opens at a button without asking for the position, for somebody who is elsewhere', async () => {
    const page = await visit();
    await page.evaluate(
      'navigator.geolocation.getCurrentPosition = () => document.body.classList.add("asked")',
    );
    await page.getByRole('button', { name: 'Elegir en el mapa' }).tap();
    await page.locator('.pin.guess').waitFor();
    expect(await page.locator('body.asked').count()).toBe(0);
    expect(await page.locator('#map-hint').innerText()).toContain('Busca tu casa en el mapa');
    expect(await page.locator('#help').isHidden()).toBe(true);
    expect(await isInView(page, '#confirm')).toBe(true);
    await page.locator('#map').tap({ position: { x: 160, y: 200 } });
    await page.getByRole('button', { name: 'Confirmar' }).tap();
    await page.getByRole('heading', { name: 'Ya confirmaste' }).waitFor();
  });

  it('invites nobody to search their house on a grid: without tiles and position it says what else to do', async () => {
    const page = await visit((route) => route.abort(), {});
    await locate(page);
    await eventually(async () =>
      expect(await note(page)).toBe('El mapa no cargó. Pega un enlace de mapa o permite tu ubicación.'),
    );
    expect(await page.getByText('Busca tu casa').filter({ visible: true }).count()).toBe(0);
    await page.getByLabel('Latitud').fill('14.6407');
    await page.getByLabel('Longitud').fill('-90.5133');
    await page.getByLabel('¿Cómo reconocemos tu casa?').focus();
    await eventually(async () => expect(await note(page)).toContain('Las calles no cargaron'));
  });

  it('opens near the pickup point without a position, and confirms nothing until the pin is placed', async () => {
    const page = await visit(undefined, {});
    await locate(page);
    const form = page.locator('#form');
    const near = [await form.getAttribute('data-near-lat'), await form.getAttribute('data-near-lng')];
    expect(near).toEqual(['14.65', '-90.5']);
    expect(await isInView(page, '#confirm')).toBe(true);
    expect(await page.locator('.pin.guess').count()).toBe(1);
    const before = harness.answers.length;
    await page.getByRole('button', { name: 'Confirmar' }).tap();
    await page.getByText('Primero dinos dónde: toca el mapa').waitFor();
    expect(harness.answers).toHaveLength(before);
    await page.locator('#map').tap({ position: { x: 160, y: 200 } });
    expect(await page.locator('.pin.guess').count()).toBe(0);
    await page.getByRole('button', { name: 'Confirmar' }).tap();
    await page.getByRole('heading', { name: 'Ya confirmaste' }).waitFor();
    const { lat, lng } = harness.answers.at(-1)!;
    expect([Math.abs(lat! - 14.65) < 0.1, Math.abs(lng! + 90.5) < 0.1]).toEqual([true, true]);
  });
});
