import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import {
  COMERCIO,
  GUIA,
  LINK,
  LINK_WITHOUT_PLACE,
  MUNICIPIO,
  startConfirmationHarness,
  type ConfirmationHarness,
} from '../support/confirmation-harness.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  locale: 'es-GT',
  timezoneId: 'America/Guatemala',
};
const HERE = { latitude: 14.834999, longitude: -91.518069 };
const located = (accuracy = 18): BrowserContextOptions => ({
  permissions: ['geolocation'],
  geolocation: { ...HERE, accuracy },
});

/** Keeps what each request for a position asked for. */
const WATCH_LOCATION = `
  const ask = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);
  window.asked = [];
  navigator.geolocation.getCurrentPosition = (found, failed, options) => {
    window.asked.push(options);
    ask(found, failed, options);
  };`;

describeInBrowser('the recipient’s page', () => {
  let browser: Browser;
  let harness: ConfirmationHarness;
  let context: BrowserContext;
  let complaints: string[];
  let outside: string[];

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchBrowser(), startConfirmationHarness()]);
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });
  afterEach(async () => {
    await context.close();
    expect({ complaints, outside }).toEqual({ complaints: [], outside: [] });
  });

  /** Opens a page on a phone that listens for what must not happen, and is asserted after each test. */
  async function visit(path: string, options: BrowserContextOptions = {}, prepare?: string): Promise<Page> {
    [complaints, outside] = [[], []];
    context = await browser.newContext({ ...PHONE, ...options });
    // Sooner than the test's own limit: so it is the step that fails.
    context.setDefaultTimeout(15_000);
    const page = await context.newPage();
    if (prepare) await page.addInitScript({ content: prepare });
    page.on('console', (message) => {
      // The page's own status is no complaint: Chromium says it of every answer with an error in it.
      const ownStatus = message.location().url.startsWith(`${harness.url}/c/`);
      if (message.type() === 'error' && !(ownStatus && message.text().includes('status of 4')))
        complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(harness.url))
        outside.push(request.url());
    });
    await page.goto(harness.url + path);
    return page;
  }

  async function useLocation(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
    await page.locator('.pin').waitFor();
  }

  const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmar' }).tap();
  const status = (page: Page) => page.locator('#status').textContent();
  const isDone = (page: Page) => page.getByRole('heading', { level: 1, name: 'Listo, gracias' }).waitFor();
  const coordinates = async (page: Page) =>
    (await page.locator('#coordinates').textContent())!.split(', ').map(Number) as [number, number];
  const overflow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

  describe('without JavaScript', () => {
    const plain = { javaScriptEnabled: false };

    it('shows who asks and for what, and offers no button that cannot work', async () => {
      const page = await visit(await harness.open(), plain);
      const text = await page.locator('main').innerText();
      for (const fact of [COMERCIO, GUIA, MUNICIPIO]) expect(text).toContain(fact);
      expect(await page.locator('button:visible').allTextContents()).toEqual(['Confirmar']);
    });

    it('takes a pasted link', async () => {
      const page = await visit(await harness.open(), plain);
      await page.getByLabel('Enlace de mapa').fill(LINK);
      await page.getByLabel('Referencia').fill('Casa azul\nfrente a la iglesia');
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({
        maps_url: LINK,
        referencia: 'Casa azul\nfrente a la iglesia',
      });
      expect(await page.locator('main').innerText()).toContain('durante los 15 minutos que siguen');
    });

    it('takes coordinates, and lets them be corrected', async () => {
      const page = await visit(await harness.open(), plain);
      await page.getByLabel('Latitud').fill('14,6407');
      await page.getByLabel('Longitud').fill('-90,5133');
      await confirm(page);
      await isDone(page);
      await page.getByText('Corregir la ubicación').tap();
      expect(await page.getByLabel('Latitud').inputValue()).toBe('');
      await page.getByLabel('Latitud').fill('14.65');
      await page.getByLabel('Longitud').fill('-90.5133');
      await confirm(page);
      await isDone(page);
      expect(harness.answers.slice(-2)).toEqual([
        { lat: 14.6407, lng: -90.5133 },
        { lat: 14.65, lng: -90.5133 },
      ]);
    });

    it('moves the focus to what went wrong, marks the field and keeps what was typed', async () => {
      const page = await visit(await harness.open(), plain);
      await page.getByLabel('Enlace de mapa').fill(LINK_WITHOUT_PLACE);
      await page.getByLabel('Referencia').fill('Casa azul');
      await confirm(page);
      const alert = page.getByRole('alert');
      expect(await alert.innerText()).toContain('Ese enlace no dice el punto exacto.');
      await page.locator('#error:focus').waitFor();
      const link = page.getByLabel('Enlace de mapa');
      expect(await link.getAttribute('aria-invalid')).toBe('true');
      expect(await link.inputValue()).toBe(LINK_WITHOUT_PLACE);
      expect(await page.getByLabel('Referencia').inputValue()).toBe('Casa azul');
      await alert.getByRole('link', { name: 'Corregir el enlace' }).tap();
      await page.locator('#maps_url:focus').waitFor();
    });
  });

  describe('with a position', () => {
    it('asks for it after the tap only, shows how exact it is, and confirms it', async () => {
      const page = await visit(await harness.open(), located(), WATCH_LOCATION);
      const asked = () => page.evaluate('window.asked');
      expect(await asked()).toEqual([]);
      await useLocation(page);
      expect(await asked()).toEqual([{ enableHighAccuracy: true, timeout: 12000, maximumAge: 0 }]);
      expect(await status(page)).toBe('Precisión: unos 20 m. Si el pin no está en tu puerta, muévelo.');
      await page.getByLabel('Referencia').fill('Portón verde');
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({
        lat: HERE.latitude,
        lng: HERE.longitude,
        precision: 18,
        referencia: 'Portón verde',
      });
      expect(await page.content()).not.toMatch(/14\.83|91\.51|Portón/);
      expect(await page.locator('#until').textContent()).toMatch(/^hasta las? \d{1,2}:\d\d\s[ap]\.\sm\.$/);
    });

    it('that is not exact asks to move the pin', async () => {
      const page = await visit(await harness.open(), located(850));
      await useLocation(page);
      expect(await status(page)).toMatch(
        /^Precisión: unos 850 m, poco exacta\. Mueve el pin hasta tu puerta/,
      );
    });

    it('lets the pin be dragged', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      const box = (await page.locator('.pin').boundingBox())!;
      await page.mouse.move(box.x + 24, box.y + 24);
      await page.mouse.down();
      await page.mouse.move(box.x + 64, box.y + 24, { steps: 5 });
      await page.mouse.up();
      expect(await status(page)).toMatch(/^Moviste el pin \d\d m hacia el este\.$/);
      const [lat, lng] = await coordinates(page);
      expect(lat).toBeCloseTo(HERE.latitude, 4);
      expect(lng).toBeGreaterThan(HERE.longitude + 0.0001);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({ lat, lng });
    });

    it('lets the pin be put where the map is tapped', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await page.locator('#map').tap({ position: { x: 160, y: 270 } });
      await page.getByText(/^Moviste el pin \d+ m hacia el sur\.$/).waitFor();
      expect((await coordinates(page))[0]).toBeLessThan(HERE.latitude);
    });

    it('lets the pin be moved by arrow keys, coarsely and finely', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await page.locator('.pin').focus();
      await page.keyboard.press('ArrowUp');
      const [north] = await coordinates(page);
      expect(north).toBeGreaterThan(HERE.latitude);
      expect(await status(page)).toMatch(/hacia el norte\.$/);
      await page.keyboard.press('Shift+ArrowDown');
      const [back] = await coordinates(page);
      expect(back).toBeLessThan(north);
      expect(back).toBeGreaterThan(HERE.latitude);
      for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowLeft');
      const [map, pin] = [page.locator('#map'), page.locator('.pin')];
      const [frame, box] = [(await map.boundingBox())!, (await pin.boundingBox())!];
      expect(box.x).toBeGreaterThanOrEqual(frame.x);
    });

    it('gives way to a link that is pasted after it', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await page.getByText('Pegar un enlace o coordenadas').tap();
      await page.getByLabel('Enlace de mapa').fill(LINK);
      expect(await page.locator('#map').isVisible()).toBe(false);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({ maps_url: LINK });
    });

    it('can be corrected with another one', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await confirm(page);
      await isDone(page);
      await page.getByText('Corregir la ubicación').tap();
      await context.setGeolocation({ ...HERE, latitude: 14.9, accuracy: 5 });
      await useLocation(page);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ lat: 14.9, precision: 5 });
    });

    it('is confirmed without a map where its files do not come', async () => {
      const page = await visit(await harness.open(), located());
      await page.route('**/leaflet.js*', (route) => route.abort());
      await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
      await page.getByText('Precisión: unos 20 m.').waitFor();
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ lat: HERE.latitude });
      complaints = complaints.filter((text) => !text.includes('ERR_FAILED'));
    });
  });

  describe('without a position', () => {
    const fails = (code: number) => `
      navigator.geolocation.getCurrentPosition = (_, failed) => failed({ code: ${code} });`;
    const HELP: [string, string | undefined, RegExp, boolean][] = [
      ['permission is refused', undefined, /No tenemos permiso.*permite «Ubicación»/s, true],
      ['there is no signal', fails(2), /no encontró tu ubicación.*Enciende la ubicación/s, false],
      ['it takes too long', fails(3), /tardó demasiado.*al aire libre/s, false],
      [
        'the browser cannot tell',
        "Object.defineProperty(navigator, 'geolocation', { value: undefined });",
        /no puede usar tu ubicación.*Abre este enlace en tu navegador/s,
        true,
      ],
      [
        'the browser never answers',
        'navigator.geolocation.getCurrentPosition = () => {}; const wait = window.setTimeout; window.setTimeout = (run, ms) => wait(run, ms / 100);',
        /aún no responde.*abre este enlace en tu navegador/s,
        true,
      ],
    ];

    it.each(HELP)('because %s, says what to do next', async (_, script, text, copies) => {
      const page = await visit(await harness.open());
      if (script !== undefined) await page.evaluate(script);
      await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
      const help = page.locator('#help');
      await help.waitFor();
      expect(await help.innerText()).toMatch(text);
      expect(await help.innerText()).toContain('Pega abajo un enlace de mapa');
      expect(await help.innerText()).toContain('envía tu ubicación en el chat');
      expect(await help.getByRole('button', { name: 'Copiar enlace' }).count()).toBe(copies ? 1 : 0);
      await page.getByLabel('Enlace de mapa').fill(LINK);
      await confirm(page);
      await isDone(page);
    });

    it('copies its own address for another browser', async () => {
      const page = await visit(await harness.open(), { permissions: ['clipboard-read', 'clipboard-write'] });
      await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
      await page.getByRole('button', { name: 'Copiar enlace' }).tap();
      await page.getByRole('button', { name: 'Enlace copiado' }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    });

    it('shows typed coordinates on the map', async () => {
      const page = await visit(await harness.open());
      await page.getByText('Pegar un enlace o coordenadas').tap();
      await page.getByLabel('Latitud').fill('14,6407');
      await page.getByLabel('Longitud').fill('-90,5133');
      await page.getByLabel('Referencia').focus();
      await page.locator('.pin').waitFor();
      expect(await coordinates(page)).toEqual([14.6407, -90.5133]);
    });

    it('sends nothing while nothing is said, and says so', async () => {
      const page = await visit(await harness.open());
      const before = harness.answers.length;
      await confirm(page);
      expect(await status(page)).toContain('Primero dinos dónde');
      await page.locator('#locate:focus').waitFor();
      expect(harness.answers).toHaveLength(before);
    });
  });

  describe('for everyone', () => {
    const STATES: [string, () => Promise<string>, BrowserContextOptions, (page: Page) => Promise<unknown>][] =
      [
        ['open', () => harness.open(), {}, (page) => page.getByText('Pegar un enlace').tap()],
        ['with a map', () => harness.open(), located(850), useLocation],
        [
          'refused',
          () => harness.open(),
          {},
          async (page) => {
            await page.locator('#locate').tap();
            await page.locator('#help').waitFor();
          },
        ],
        [
          'with an error',
          () => harness.open(),
          {},
          async (page) => {
            await page.getByText('Pegar un enlace').tap();
            await page.getByLabel('Enlace de mapa').fill(LINK_WITHOUT_PLACE);
            await confirm(page);
            await page.locator('#error').waitFor();
          },
        ],
        [
          'confirmed',
          () => harness.open('confirmed'),
          {},
          (page) => page.getByText('Corregir la ubicación').tap(),
        ],
        ['missing', () => Promise.resolve('/c/enlace-que-no-existe-0000'), {}, () => Promise.resolve()],
      ];

    it.each(
      STATES.flatMap(([name, ...state]) =>
        (['light', 'dark'] as const).map((scheme) => [name, scheme, ...state] as const),
      ),
    )('%s, %s: no accessibility fault, no sideways scrolling, targets for thumbs', async (...state) => {
      const [, colorScheme, open, options, act] = state;
      const page = await visit(await open(), {
        ...options,
        colorScheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      await act(page);
      await page.evaluate(AXE);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        'axe.run()',
      );
      expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);

      const targets = page.locator(
        'button:visible, summary:visible, input:visible, textarea:visible, a:visible',
      );
      for (const target of await targets.all()) {
        const { height } = (await target.boundingBox())!;
        expect({ target: await target.evaluate('(one) => one.outerHTML'), fits: height >= 48 }).toMatchObject(
          {
            fits: true,
          },
        );
      }
      expect(await overflow(page)).toBe(0);
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await overflow(page)).toBe(0);
      // 200 % of 360 pixels.
      await page.setViewportSize({ width: 180, height: 370 });
      expect(await overflow(page)).toBe(0);
    });

    it('goes through in a sane order by keyboard alone', async () => {
      const page = await visit(await harness.open(), { ...located(), isMobile: false });
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('.pin').waitFor();
      const stops: string[] = [];
      for (let i = 0; i < 6; i++) {
        await page.keyboard.press('Tab');
        stops.push(
          await page.evaluate<string>(
            'document.activeElement.getAttribute("aria-label") || document.activeElement.name || document.activeElement.textContent.trim()',
          ),
        );
      }
      expect(stops).toEqual([
        'Pin de entrega: muévelo con las flechas del teclado',
        'Acercar',
        'Alejar',
        'Pegar un enlace o coordenadas',
        'referencia',
        'Confirmar',
      ]);
      await page.keyboard.press('Enter');
      await isDone(page);
    });

    it('costs less than 80 KB with all that it can load', async () => {
      const page = await visit(await harness.open(), located());
      /** What came over the wire so far, by the browser's own account. */
      const transferred = () =>
        page.evaluate<number>(
          'performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)',
        );
      expect(await transferred()).toBeGreaterThan(5 * 1024);
      expect(await transferred()).toBeLessThan(24 * 1024);
      await useLocation(page);
      expect(await transferred()).toBeGreaterThan(40 * 1024);
      expect(await transferred()).toBeLessThan(80 * 1024);
    });
  });

  it('asks nobody for tiles but their own service, without telling it the link', async () => {
    const tiles = {
      url: 'https://tiles.example/{z}/{x}/{y}.png',
      attribution: '© <a href="/credits">Mapas</a>',
    };
    const tiled = await startConfirmationHarness(tiles);
    try {
      const page = await visit(await harness.open(), located());
      const referrers: (string | undefined)[] = [];
      await page.route('https://tiles.example/**', (route) => {
        referrers.push(route.request().headers()['referer']);
        return route.fulfill({
          contentType: 'image/svg+xml',
          body: '<svg xmlns="http://www.w3.org/2000/svg"/>',
        });
      });
      await page.goto(tiled.url + (await tiled.open()));
      await useLocation(page);
      await page.locator('.leaflet-tile-loaded[src^="https://tiles.example/"]').first().waitFor();
      expect(new Set(referrers)).toEqual(new Set([`${tiled.url}/`]));
      expect(await page.locator('.leaflet-control-attribution').innerText()).toBe('© Mapas');
      const expected = ['https://tiles.example/', `${tiled.url}/c/`];
      outside = outside.filter((url) => !expected.some((start) => url.startsWith(start)));
    } finally {
      await tiled.close();
    }
  });
});
