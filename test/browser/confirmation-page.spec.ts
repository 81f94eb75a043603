import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import {
  LINK,
  LINK_WITHOUT_PLACE,
  startConfirmationHarness,
  type ConfirmationHarness,
} from '../support/confirmation-harness.js';
import { eventually } from '../support/eventually.js';
import { APPEARANCE, axeFaults, overflowOf, watchPage } from '../support/inspect-page.js';

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

/** Records the options of each request for a position. */
const WATCH_LOCATION = `
  const ask = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);
  window.asked = [];
  navigator.geolocation.getCurrentPosition = (found, failed, options) => {
    window.asked.push(options);
    ask(found, failed, options);
  };`;

/** What can be pressed or filled in, and is visible. One call: a call for each target takes longer than all of axe. */
const HEIGHTS_OF_TARGETS = `
  [...document.querySelectorAll('button, summary, input, textarea, a')]
    .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 0 && one.offsetHeight > 0)
    .map((one) => ({ html: one.outerHTML, height: one.getBoundingClientRect().height }))`;

/** Texts that are smaller than 16 pixels, without those in the map (its scale, its credit) and the names of the four steps. */
const SMALL_TEXTS = `
  [...document.querySelectorAll('main *')]
    .filter((one) => one.checkVisibility() && !one.closest('.map, .way-line'))
    .filter((one) => [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== ''))
    .filter((one) => parseFloat(getComputedStyle(one).fontSize) < 16)
    .map((one) => one.outerHTML)`;

describeInBrowser('the recipient’s page', () => {
  let browser: Browser;
  let harness: ConfirmationHarness;
  let context: BrowserContext;
  let seen: ReturnType<typeof watchPage>;

  beforeAll(async () => {
    [browser, harness] = await Promise.all([launchBrowser(), startConfirmationHarness()]);
  });
  afterAll(async () => {
    await browser.close();
    await harness.close();
  });
  afterEach(async () => {
    await context.close();
    // Chromium logs every answer with an error status, which some tests expect of the page itself.
    seen.complaints = seen.complaints.filter((text) => !text.includes('status of 4'));
    expect(seen).toEqual({ complaints: [], outside: [] });
  });

  /** Opens a page (a path of the harness, or a URL) on a phone, and collects errors and foreign requests. */
  async function visit(path: string, options: BrowserContextOptions = {}, prepare?: string): Promise<Page> {
    context = await browser.newContext({ ...PHONE, ...options });
    // A little less than the test's limit, so that a hang is reported with the step that hangs.
    context.setDefaultTimeout(110_000);
    const page = await context.newPage();
    if (prepare) await page.addInitScript({ content: prepare });
    seen = watchPage(page, harness.url);
    await page.goto(new URL(path, harness.url).href);
    return page;
  }

  async function useLocation(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
    await page.locator('.pin').waitFor();
  }

  const confirm = (page: Page) => page.getByRole('button', { name: 'Confirmar' }).tap();
  /** Waits until the status line reads like this. */
  const expectStatus = (page: Page, text: RegExp) =>
    eventually(async () => expect(await page.locator('#status').textContent()).toMatch(text));
  const isDone = (page: Page) => page.getByRole('heading', { level: 1, name: 'Ya confirmaste' }).waitFor();
  const coordinates = async (page: Page) =>
    (await page.locator('#coordinates').textContent())!.split(', ').map(Number) as [number, number];

  describe('without JavaScript', () => {
    it('shows no button that needs them, moves the focus to the error, marks its field and keeps what was typed', async () => {
      const page = await visit(await harness.open(), { javaScriptEnabled: false });
      expect(await page.locator('button:visible').allTextContents()).toEqual(['Confirmar']);
      await page.getByLabel('Enlace de mapa').fill(LINK_WITHOUT_PLACE);
      await page.getByLabel('¿Cómo reconocemos tu casa?').fill('Casa azul');
      await confirm(page);
      const alert = page.getByRole('alert');
      expect(await alert.innerText()).toContain('Ese enlace no dice el punto exacto.');
      await page.locator('#error:focus').waitFor();
      const link = page.getByLabel('Enlace de mapa');
      expect(await link.getAttribute('aria-invalid')).toBe('true');
      expect(await link.inputValue()).toBe(LINK_WITHOUT_PLACE);
      expect(await page.getByLabel('¿Cómo reconocemos tu casa?').inputValue()).toBe('Casa azul');
      await alert.getByRole('link', { name: 'Corregir el enlace' }).tap();
      await page.locator('#maps_url:focus').waitFor();
    });
  });

  describe('with a position', () => {
    it('asks for it after the tap only, shows its accuracy and confirms it', async () => {
      const page = await visit(await harness.open(), located(), WATCH_LOCATION);
      const asked = () => page.evaluate('window.asked');
      expect(await asked()).toEqual([]);
      await useLocation(page);
      expect(await asked()).toEqual([{ enableHighAccuracy: true, timeout: 12000, maximumAge: 0 }]);
      await expectStatus(page, /^Precisión: unos 20 m\. Si el pin no está en tu puerta, muévelo\.$/);
      await page.getByLabel('¿Cómo reconocemos tu casa?').fill('Portón verde');
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({
        lat: HERE.latitude,
        lng: HERE.longitude,
        precision_m: 18,
        referencia: 'Portón verde',
      });
      expect(await page.locator('main').innerText()).toContain('Portón verde');
    });

    it('asks to move the pin if it is inaccurate, takes that by a second press, and a tapped place by the first', async () => {
      const page = await visit(await harness.open(), located(850));
      await useLocation(page);
      await expectStatus(page, /^Precisión: unos 850 m, poco exacta\. Mueve el pin hasta tu puerta/);
      await confirm(page);
      await expectStatus(page, /^Este punto puede quedar a 850 m de tu puerta\./);
      await page.locator('#map').tap({ position: { x: 160, y: 270 } });
      await expectStatus(page, /^Moviste el pin .*m hacia el sur\.$/);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)!.precision_m).toBeUndefined();
      await page.goto(new URL(await harness.open(), harness.url).href);
      await useLocation(page);
      await confirm(page);
      await page.getByRole('button', { name: 'Confirmarlo así' }).tap();
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ precision_m: 850, precision_aceptada: true });
    });

    it('lets the pin be dragged', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      const box = (await page.locator('.pin').boundingBox())!;
      await page.mouse.move(box.x + 24, box.y + 24);
      await page.mouse.down();
      await page.mouse.move(box.x + 64, box.y + 24, { steps: 5 });
      await page.mouse.up();
      await expectStatus(page, /^Moviste el pin \d\d m hacia el este\.$/);
      const [lat, lng] = await coordinates(page);
      expect(lat).toBeCloseTo(HERE.latitude, 4);
      expect(lng).toBeGreaterThan(HERE.longitude + 0.0001);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({ lat, lng });
    });

    it('lets the arrow keys move the pin, with Shift by small steps', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await page.locator('.pin').focus();
      await page.keyboard.press('ArrowUp');
      await expectStatus(page, /hacia el norte\.$/);
      const [north] = await coordinates(page);
      expect(north).toBeGreaterThan(HERE.latitude);
      await page.keyboard.press('Shift+ArrowDown');
      const back = await eventually(async () => {
        const [latitude] = await coordinates(page);
        expect(latitude).toBeLessThan(north);
        return latitude;
      });
      expect(back).toBeGreaterThan(HERE.latitude);
      for (let i = 0; i < 40; i++) await page.keyboard.press('ArrowLeft');
      const [map, pin] = [page.locator('#map'), page.locator('.pin')];
      const [frame, box] = [(await map.boundingBox())!, (await pin.boundingBox())!];
      expect(box.x).toBeGreaterThanOrEqual(frame.x);
    });

    it('is replaced by a link that is pasted later', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await page.getByText('Pegar un enlace o coordenadas').tap();
      await page.getByLabel('Enlace de mapa').fill(LINK);
      await page.locator('#map').waitFor({ state: 'hidden' });
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toEqual({ maps_url: LINK });
    });

    it('is corrected by another one', async () => {
      const page = await visit(await harness.open(), located());
      await useLocation(page);
      await confirm(page);
      await isDone(page);
      await page.getByText('Corregir la ubicación').tap();
      await context.setGeolocation({ ...HERE, latitude: 14.9, accuracy: 5 });
      await useLocation(page);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ lat: 14.9, precision_m: 5 });
    });

    it('is moved on the map that opens with its correction', async () => {
      const page = await visit(await harness.open('confirmed'));
      await page.getByText('Corregir la ubicación').tap();
      await page.locator('.pin').waitFor();
      await page.locator('#map').tap({ position: { x: 160, y: 200 } });
      await expectStatus(page, /^Moviste el pin\.$/);
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ lat: expect.any(Number), lng: expect.any(Number) });
    });

    it('is confirmed without a map if the files of the map fail to load', async () => {
      const page = await visit(await harness.open(), located());
      await page.route('**/leaflet.js*', (route) => route.abort());
      await page.getByRole('button', { name: 'Usar mi ubicación' }).tap();
      await page.getByText('Precisión: unos 20 m.').waitFor();
      await confirm(page);
      await isDone(page);
      expect(harness.answers.at(-1)).toMatchObject({ lat: HERE.latitude });
      seen.complaints = seen.complaints.filter((text) => !text.includes('ERR_FAILED'));
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

    it.each(HELP)('says what to do next because %s', async (_, script, text, copies) => {
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

    it('copies its own URL for another browser', async () => {
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
      await page.getByLabel('¿Cómo reconocemos tu casa?').focus();
      await page.locator('.pin').waitFor();
      expect(await coordinates(page)).toEqual([14.6407, -90.5133]);
    });

    it('sends nothing without a place, and says so', async () => {
      const page = await visit(await harness.open());
      const before = harness.answers.length;
      await confirm(page);
      await expectStatus(page, /Primero dinos dónde/);
      await page.locator('#locate:focus').waitFor();
      expect(harness.answers).toHaveLength(before);
    });
  });

  describe('for everyone', () => {
    const STATES: [
      name: string,
      act: (page: Page) => Promise<unknown>,
      options?: BrowserContextOptions,
      open?: () => Promise<string>,
    ][] = [
      [
        'refused',
        async (page) => {
          await page.locator('#locate').tap();
          await page.locator('.pin').waitFor();
        },
      ],
      [
        'with an error',
        async (page) => {
          await page.getByText('Pegar un enlace').tap();
          await page.getByLabel('Enlace de mapa').fill(LINK_WITHOUT_PLACE);
          await confirm(page);
          await page.locator('#error').waitFor();
        },
      ],
      [
        'confirmed',
        (page) => page.getByText('Corregir la ubicación').tap(),
        {},
        () => harness.open('confirmed'),
      ],
      [
        'with an inaccurate position that was confirmed once',
        async (page) => {
          await useLocation(page);
          await confirm(page);
          await page.getByRole('button', { name: 'Confirmarlo así' }).waitFor();
        },
        located(850),
      ],
      [
        'with a place that somebody else has marked meanwhile',
        async (page) => {
          await harness.open('confirmed');
          await page.getByText('Pegar un enlace').tap();
          await page.getByLabel('Latitud').fill('14.62');
          await page.getByLabel('Longitud').fill('-90.5');
          await confirm(page);
          await page.getByText('Ya hay un lugar marcado, a 2 km: ¿lo cambias?').waitFor();
        },
      ],
      [
        'denied',
        async (page) => {
          await page.getByText('No soy yo').tap();
          await page.getByRole('button', { name: 'Sí, avisarle a la tienda' }).tap();
          await page.getByRole('heading', { name: 'Le avisamos a la tienda' }).waitFor();
          await page.getByText('Fue un error').tap();
        },
      ],
      ['missing', () => Promise.resolve(), {}, () => Promise.resolve('/c/enlace-que-no-existe-0000')],
    ];

    it.each(STATES)(
      'has no accessibility violation, sideways scrolling, small target or small text, light or dark: %s',
      async (name, act, options = {}, open = () => harness.open()) => {
        const page = await visit(await open(), { ...options, reducedMotion: 'reduce', bypassCSP: true });
        await act(page);
        expect(await axeFaults(page)).toEqual([]);
        await page.emulateMedia({ colorScheme: 'dark' });
        expect(await axeFaults(page, APPEARANCE)).toEqual([]);
        const targets = await page.evaluate<{ html: string; height: number }[]>(HEIGHTS_OF_TARGETS);
        expect(targets.length > 0).toBe(name !== 'missing');
        expect(targets.filter(({ height }) => height < 48)).toEqual([]);
        expect(await page.evaluate(SMALL_TEXTS)).toEqual([]);
        // The last is 200 % of 360 pixels.
        for (const width of [360, 320, 180]) {
          await page.setViewportSize({ width, height: 2 * width });
          expect(await overflowOf(page)).toBe(0);
        }
      },
    );

    it('has a logical tab order', async () => {
      const page = await visit(await harness.open(), { ...located(), isMobile: false });
      // The other language stands in the head.
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('.pin').waitFor();
      const stops: string[] = [];
      for (let i = 0; i < 7; i++) {
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
        '¿Algo más para el mensajero?',
        'Confirmar',
      ]);
      await page.keyboard.press('Enter');
      await isDone(page);
    });

    it('transfers less than 80 KB with everything it can load', async () => {
      const page = await visit(await harness.open(), located());
      /** Bytes transferred so far, as the browser counts them. */
      const transferred = () =>
        page.evaluate<number>(
          'performance.getEntries().reduce((sum, { transferSize = 0 }) => sum + transferSize, 0)',
        );
      await eventually(async () => expect(await transferred()).toBeGreaterThan(5 * 1024));
      expect(await transferred()).toBeLessThan(24 * 1024);
      await useLocation(page);
      await eventually(async () => expect(await transferred()).toBeGreaterThan(40 * 1024));
      expect(await transferred()).toBeLessThan(80 * 1024);
    });
  });
});
