import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { withClient } from '../support/database.js';
import { Driver } from '../support/driver.js';
import { eventually } from '../support/eventually.js';
import { axeFaults, overflowOf, watchPage } from '../support/inspect-page.js';
import { Money } from '../support/money.js';
import { rightPin } from '../support/pins.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';

const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  locale: 'es-GT',
  timezoneId: 'America/Guatemala',
};
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1';
const HERE = { latitude: 14.6407, longitude: -90.5133 };
const OPERACIONES = '/api/v1/operaciones';

/** Milliseconds; for hangs alone. */
const HANG_MS = 100_000;

/** Guides of the day without a network. */
const GUIAS = Number(process.env.RUTA_GUIAS ?? 4);

describeInBrowser("the driver's page", () => {
  let test: TestApp;
  let money: Money;
  let browser: Browser;
  let driver: Driver;
  let context: BrowserContext;
  let seen: ReturnType<typeof watchPage>[];

  beforeAll(async () => {
    test = await createTestApp();
    money = await Money.start(test);
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
  });
  beforeEach(async () => {
    driver = await Driver.start(test, money.operator);
    seen = [];
  });
  afterEach(async () => {
    await context.close();
    const complaints = seen.flatMap((one) => one.complaints);
    expect(complaints.filter((text) => !/Failed to load resource|net::ERR|status of 404/.test(text))).toEqual(
      [],
    );
  });

  const give = async (estado: Parameters<typeof money.lives.in>[0], over: object = {}, to = driver) => {
    const guia = await money.lives.in(estado, { cod_amount: 20, ...over });
    await to.assign(guia.id);
    return guia;
  };

  /** A phone, which keeps what pages store until its context is closed. */
  const phone = async (options: BrowserContextOptions = {}) => {
    context = await browser.newContext({ ...PHONE, ...options });
    context.setDefaultTimeout(HANG_MS);
    return context;
  };
  const open = async (options: { url?: string; hash?: string } = {}): Promise<Page> => {
    const page = await context.newPage();
    seen.push(watchPage(page, test.url));
    await page.goto(test.url + (options.url ?? driver.path) + (options.hash ?? ''));
    return page;
  };
  const ready = (page: Page) => page.waitForSelector('html[data-sin-red="lista"]');
  const at = (page: Page, { guia }: { guia: string }) => page.locator(`[data-guia="${guia}"]`);
  const estadoIs = (page: Page, guia: { guia: string }, estado: string) =>
    page.waitForSelector(`[data-guia="${guia.guia}"][data-estado="${estado}"]`);
  const openGuia = async (page: Page, guia: { guia: string }) => {
    await at(page, guia).locator('[data-abrir]').tap();
    await page.waitForSelector(`article[data-guia="${guia.guia}"] h1, article.wide`);
  };
  const tapAccion = (page: Page, accion: string) => page.locator(`[data-accion="${accion}"]`).first().tap();
  const deliver = async (page: Page, guia: { guia: string }, amount?: string) => {
    await openGuia(page, guia);
    if (amount !== undefined) await page.fill('[name="cod_cobrado"]', amount);
    await tapAccion(page, 'entregado');
    if (await page.locator('[data-pregunta="monto"]').count()) await tapAccion(page, 'entregado');
    await estadoIs(page, guia, 'entregado');
  };
  const fail = async (page: Page, guia: { guia: string }, motivo = 'ausente') => {
    await openGuia(page, guia);
    await page.locator(`[data-motivo="${motivo}"]`).tap();
    await estadoIs(page, guia, 'intento_fallido');
  };
  const waitingIs = (page: Page, count: number) =>
    page.waitForSelector(`[data-por-enviar="${count}"]`, { state: 'attached' });
  const movesOf = async ({ id }: { id: string }) => {
    const { eventos } = (await money.operator.get(`${OPERACIONES}/guias/${id}/eventos`)).body;
    return eventos.filter(({ actor }: any) => actor === 'piloto');
  };
  const estadosOf = async (guia: { id: string }) => (await movesOf(guia)).map(({ estado }: any) => estado);
  const stored = (page: Page) =>
    page.evaluate(async () => {
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open('guias-ruta');
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(request.error!);
      });
      const all = (name: string) =>
        new Promise<unknown[]>((resolve) => {
          const request = db.transaction(name).objectStore(name).getAll();
          request.onsuccess = () => resolve(request.result);
        });
      const kept = { rutas: await all('rutas'), acciones: await all('acciones'), caches: [] as string[] };
      for (const name of await caches.keys())
        for (const request of await (await caches.open(name)).keys())
          kept.caches.push(await (await caches.match(request))!.text());
      db.close();
      return JSON.stringify(kept);
    });

  it('takes a guide from its pickup to the door', async () => {
    const merchants = test.app.get(MerchantsService);
    await merchants.update(money.merchant.id, { telefono_contacto: '+50222220000' });
    const guia = await give('aceptado');
    await phone();
    const page = await open();
    await merchants.update(money.merchant.id, { telefono_contacto: null });
    await openGuia(page, guia);
    const reached = () =>
      page.locator('[href^="tel:"], [href^="https://wa.me"]').evaluateAll((all) => all.map(String));
    const reach = (digits: string) => [`tel:+${digits}`, `https://wa.me/${digits}`];
    expect(await reached()).toEqual(reach('50222220000'));
    await tapAccion(page, 'recogido');
    await estadoIs(page, guia, 'recogido');
    expect(await reached()).toEqual(reach('50255551234'));
    await tapAccion(page, 'en_ruta');
    await estadoIs(page, guia, 'en_ruta');
    await page.fill('[name="cod_cobrado"]', '19,50');
    await page.fill('[name="recibio"]', 'Rosa');
    await tapAccion(page, 'entregado');
    await tapAccion(page, 'entregado');
    await estadoIs(page, guia, 'entregado');
    await waitingIs(page, 0);
    const moves = await movesOf(guia);
    expect(moves.map(({ estado }: any) => estado).slice(0, 4)).toEqual([
      ...['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'],
    ]);
    expect(moves[0].ocurrido_en).toBe(moves[1].ocurrido_en);
    expect(moves[3]).toMatchObject({ cod_cobrado: 19.5, recibio: 'Rosa', piloto: { id: driver.id } });
    for (const text of ['COBRADO Q\u00a019.50', 'Lleva Q\u00a019.50'])
      expect(await page.getByText(text).count()).toBe(1);
    await tapAccion(page, 'deshacer');
    await estadoIs(page, guia, 'en_ruta');
    await waitingIs(page, 0);
    expect((await money.lives.read(guia)).guia).toMatchObject({ estado: 'en_ruta', cod_cobrado: null });
  });

  it.each([
    ['Android', {}, 'geo:14.6407,-90.5133?q=14.6407,-90.5133'],
    ['an iPhone', { userAgent: IPHONE }, 'https://maps.apple.com/?q=14.6407,-90.5133'],
  ])("leads to the map of the phone: %s's", async (_, options, href) => {
    const guia = await give('en_ruta');
    await phone(options);
    const page = await open();
    await ready(page);
    expect(await at(page, guia).getByText('Ir', { exact: true }).getAttribute('href')).toBe(href);
    await openGuia(page, guia);
    expect(await page.getByText('Ir', { exact: true }).getAttribute('href')).toBe(href);
  });

  it('says at its field what is missing, and keeps what was typed', async () => {
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
    const guia = await give('en_ruta');
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
    await phone();
    const page = await open({ hash: `#${guia.guia}` });
    await page.fill('[name="cod_cobrado"]', 'veinte');
    await tapAccion(page, 'entregado');
    expect(await page.locator('#falla-cod_cobrado').innerText()).toContain('349.50');
    await page.fill('[name="cod_cobrado"]', '20');
    await page.fill('[name="pin"]', '12');
    await tapAccion(page, 'entregado');
    expect(await page.locator('#falla-pin').innerText()).toContain('cuatro');
    expect(await page.inputValue('[name="cod_cobrado"]')).toBe('20');
    const wrong = String((Number(rightPin(guia.id)) + 1) % 10_000).padStart(4, '0');
    await page.fill('[name="pin"]', wrong);
    await tapAccion(page, 'entregado');
    await page.waitForSelector(
      `article.wide[data-guia="${guia.guia}"][data-rechazo="pin_incorrecto"][data-estado="en_ruta"]`,
    );
    expect(await page.getByText('El PIN no es el de esta guía').count()).toBe(1);
    expect(await page.inputValue('[name="cod_cobrado"]')).toBe('20.00');
    await page.check('[name="sin_pin"]');
    await page.fill('[name="nota"]', 'No tiene señal');
    await tapAccion(page, 'entregado');
    await estadoIs(page, guia, 'entregado');
    await waitingIs(page, 0);
    expect(await page.locator(`[data-guia="${guia.guia}"][data-rechazo]`).count()).toBe(0);
    expect((await money.lives.read(guia)).guia.advertencias).toContain('entregado_sin_pin');
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: false });
  });

  it('asks about an amount that is not the due one, each time anew and without a network, but not where it was paid to the merchant', async () => {
    const [guia, direct] = [await give('en_ruta', { cod_amount: 109.5 }), await give('en_ruta')];
    await phone();
    const page = await open();
    await ready(page);
    await context.setOffline(true);
    await openGuia(page, guia);
    const question = page.locator('[data-pregunta="monto"]');
    for (const [typed, said] of [
      ['1095', 'Son Q\u00a0985.50 más de lo que hay que cobrar: Q\u00a0109.50.'],
      ['109', 'Son Q\u00a00.50 menos de lo que hay que cobrar: Q\u00a0109.50.'],
    ] as const) {
      await page.fill('[name="cod_cobrado"]', typed);
      // Nothing is asked about an amount that was corrected since.
      expect(await question.count()).toBe(0);
      await tapAccion(page, 'entregado');
      await question.getByText(said).waitFor();
      expect(await page.locator('article.wide[data-estado="en_ruta"]').count()).toBe(1);
    }
    await page.selectOption('[name="pago"]', 'tarjeta');
    await tapAccion(page, 'entregado');
    await estadoIs(page, guia, 'entregado');
    expect(await page.getByText('COBRADO CON TARJETA Q\u00a0109.00').count()).toBe(1);
    await openGuia(page, direct);
    expect(await question.count()).toBe(0);
    await page.selectOption('[name="pago"]', 'directo');
    await tapAccion(page, 'entregado');
    await estadoIs(page, direct, 'entregado');
    expect(await page.getByText('Lleva').count()).toBe(0);
    await context.setOffline(false);
    await waitingIs(page, 0);
    expect((await movesOf(guia))[0]).toMatchObject({ cod_cobrado: 109, pago: 'tarjeta' });
    expect((await movesOf(direct))[0]).toMatchObject({ cod_cobrado: 0, pago: 'directo' });
    expect((await money.lives.read(direct)).guia).toMatchObject({ pago: 'directo', advertencias: [] });
  });

  it('says what is new of a guide until this phone has opened it, also behind the next link', async () => {
    const guia = await give('en_ruta');
    const other = await give('en_ruta');
    const change = (body: object) => money.merchant.patch(`/api/v1/guias/${guia.id}`, body);
    const news = (page: Page) =>
      page.evaluate(() => ({
        count: globalThis.document.querySelector('[data-nuevos]')?.textContent,
        guias: [...globalThis.document.querySelectorAll<HTMLElement>('[data-nuevo]')].map(
          ({ dataset }) => `${dataset.guia} ${dataset.nuevo}`,
        ),
      }));
    const none = { count: undefined, guias: [] };
    await phone();
    const page = await open();
    await ready(page);
    expect(await news(page)).toEqual(none);
    await change({ notas: 'Déjelo con el guardia', referencia: 'Garita 2' });
    await page.reload();
    await page.waitForSelector('[data-nuevos="1"]');
    expect(await news(page)).toEqual({ count: '1', guias: [`${guia.guia} notas referencia`] });
    await openGuia(page, other);
    await page.goBack();
    expect((await news(page)).count).toBe('1');
    await openGuia(page, guia);
    await page.getByText('Nuevo: notas de la tienda, referencia').waitFor();
    await page.waitForSelector(`article.wide[data-guia="${guia.guia}"]:not([data-nuevo])`);
    await page.goBack();
    expect(await news(page)).toEqual(none);
    await page.reload();
    await ready(page);
    expect(await news(page)).toEqual(none);
    await change({ referencia: 'Garita 3' });
    await driver.renew();
    await page.goto(test.url + driver.path);
    await page.waitForSelector('[data-nuevos="1"]');
    expect((await news(page)).guias).toEqual([`${guia.guia} referencia`]);
  });

  it('picks up and takes out all at once, counts what a scanner reads, and leaves out what has no tick', async () => {
    const point = (nombre: string) => ({ recogida: { lat: 14.6, lng: -90.5, nombre } });
    const here = [
      await give('aceptado', point('Bodega')),
      await give('en_camino_a_recoger', point('Bodega')),
    ];
    const left = await give('aceptado', point('Bodega'));
    const elsewhere = await give('aceptado', point('Otra'));
    await phone();
    const page = await open();
    await ready(page);
    const boxes = () =>
      page
        .locator('[name="guias"]')
        .evaluateAll((all) =>
          all.map((one) => [(one as HTMLInputElement).value, (one as HTMLInputElement).checked]),
        );
    const missingIs = (count: number) => page.waitForSelector(`[data-faltan="${count}"]`);
    const scan = async (text: string) => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    expect(await page.locator('[data-accion="recoger_todas"][data-recogida]').count()).toBe(2);
    await context.setOffline(true);
    await page.locator('[data-accion="recoger_todas"]').filter({ hasText: 'las 3' }).tap();
    await missingIs(3);
    expect((await boxes()).map(([, checked]) => checked)).toEqual([true, true, true]);
    await page.locator(`[name="guias"][value="${left.guia}"]`).tap();
    for (const text of [here[0]!.guia, here[0]!.guia, elsewhere.guia, '123456789012']) await scan(text);
    await missingIs(2);
    expect(await page.locator('h2', { hasText: 'Faltan 2' }).count()).toBe(1);
    await page.reload();
    await missingIs(2);
    await scan(here[1]!.guia);
    await missingIs(1);
    expect(Object.fromEntries(await boxes())).toMatchObject({ [left.guia]: false, [here[0]!.guia]: true });
    await tapAccion(page, 'confirmar');
    await waitingIs(page, 3);
    for (const guia of here) await estadoIs(page, guia, 'recogido');
    for (const guia of [left, elsewhere]) await estadoIs(page, guia, 'aceptado');
    await tapAccion(page, 'salir_todas');
    await page.locator('[name="guias"]').first().waitFor();
    expect((await boxes()).map(([numero]) => numero).sort()).toEqual(here.map(({ guia }) => guia).sort());
    await tapAccion(page, 'confirmar');
    await waitingIs(page, 5);
    await context.setOffline(false);
    await waitingIs(page, 0);
    const moves = (await Promise.all(here.map(movesOf))).flat();
    const timesOf = (estado: string) =>
      new Set(moves.filter((one) => one.estado === estado).map((one) => one.ocurrido_en));
    expect([timesOf('recogido').size, timesOf('en_ruta').size]).toEqual([1, 1]);
    expect(moves).toHaveLength(5);
  });

  it('finds a parcel that nobody has by its last four digits, and takes it', async () => {
    const free = await money.lives.in('recogido', { municipio: 'Cobán', nombre: 'Persona Oculta' });
    await phone();
    const page = await open();
    await page.fill('[name="buscar"]', free.guia.slice(8));
    await at(page, free).locator('[data-accion="tomar"]').waitFor();
    expect(await page.content()).not.toContain('Persona Oculta');
    await at(page, free).locator('[data-accion="tomar"]').tap();
    await page.waitForSelector(`article[data-guia="${free.guia}"][data-estado="recogido"]`);
    expect(await page.getByText('Persona Oculta').count()).toBeGreaterThan(0);
  });

  it('counts in a list the guide that the camera sees, else opens it, and takes the code of the map for none', async () => {
    const guia = await give('recogido');
    const label = async (path: string) => {
      const answer = await fetch(`${test.url}${path}`, {
        headers: { authorization: `Bearer ${money.merchant.key}` },
      });
      return `data:image/png;base64,${Buffer.from(await answer.arrayBuffer()).toString('base64')}`;
    };
    await phone();
    await context.addInitScript(
      ([picture]) => {
        // The camera sees the label; a headless browser has none.
        globalThis.navigator.mediaDevices.getUserMedia = async () => {
          const image = new Image();
          image.src = picture!;
          await image.decode();
          const canvas = Object.assign(globalThis.document.createElement('canvas'), {
            width: image.width,
            height: image.height,
          });
          const draw = () => canvas.getContext('2d')!.drawImage(image, 0, 0);
          draw();
          setInterval(draw, 100);
          return canvas.captureStream(10);
        };
      },
      [await label(`/api/v1/guias/${guia.id}/etiqueta?formato=png`)],
    );
    const page = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await tapAccion(page, 'salir_todas');
    await page.waitForSelector('[data-faltan="1"]');
    await tapAccion(page, 'escanear');
    await page.waitForSelector('[data-faltan="0"]');
    expect(await page.locator('video').count()).toBe(1);
    await page.goBack();
    await page.waitForSelector('video', { state: 'detached' });
    await tapAccion(page, 'escanear');
    await page.waitForSelector(`article.wide[data-guia="${guia.guia}"]`);
    expect(asked.filter((url) => !url.startsWith(test.url) && !url.startsWith('data:'))).toEqual([]);
  });

  it('shows the nearest first where it may know the place, anew when the driver comes back to it', async () => {
    const far = await give('en_ruta', { lat: 15.5, lng: -90.5, municipio: 'Alfa' });
    const near = await give('en_ruta', { lat: 14.641, lng: -90.5133, municipio: 'Zeta' });
    await phone({ geolocation: HERE, permissions: ['geolocation'] });
    const page = await open();
    await page.getByText('La más cerca').waitFor();
    const shown = await page
      .locator('[data-guia]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-guia')));
    expect(shown).toEqual([near.guia, far.guia]);
    await context.setGeolocation({ ...HERE, latitude: 15.5 });
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await eventually(async () =>
      expect(await page.locator('article[data-guia]').getAttribute('data-guia')).toBe(far.guia),
    );
    await context.setGeolocation(HERE);
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await eventually(async () =>
      expect(await page.locator('article[data-guia]').getAttribute('data-guia')).toBe(near.guia),
    );
    await fail(page, near);
    await waitingIs(page, 0);
    expect((await movesOf(near))[0]).toMatchObject({ motivo: 'ausente', lat: 14.6407, lng: -90.5133 });
  });

  it('says nothing of where it was done while the phone knows only the district', async () => {
    const guia = await give('en_ruta', { lat: 14.641, lng: -90.5133 });
    await phone({ geolocation: { ...HERE, latitude: 14.66, accuracy: 3_000 }, permissions: ['geolocation'] });
    const page = await open();
    await page.getByText('La más cerca').waitFor();
    await deliver(page, guia);
    await waitingIs(page, 0);
    expect((await movesOf(guia))[0]).toMatchObject({ estado: 'entregado', lat: null, lng: null });
    expect((await money.lives.read(guia)).guia.advertencias).toEqual([]);
  });

  describe('without a network', () => {
    const HOUR = 3_600_000;

    it(
      'works through a day: killed, in two tabs, by a wrong clock that is put right, while the office changes things',
      async () => {
        const delivered: { id: string; guia: string }[] = [];
        const failed: typeof delivered = [];
        for (let n = 0; n < GUIAS; n++) (n % 4 === 3 ? failed : delivered).push(await give('en_ruta'));
        const [back, cancelled, given, undone] = [
          await give('en_ruta'),
          await give('aceptado'),
          await give('en_ruta'),
          await give('en_ruta'),
        ];
        const other = await Driver.start(test, money.operator, 'Rosa');
        await phone();
        await context.addInitScript((ms) => {
          const now = Date.now.bind(Date);
          Date.now = () => now() + Number(globalThis.localStorage.getItem('adelanto') ?? ms);
        }, 3 * HOUR);
        let page = await open();
        await ready(page);
        await context.setOffline(true);
        const began = Date.now();
        for (const [i, guia] of delivered.entries()) {
          await deliver(page, guia, '20');
          if (i % Math.ceil(delivered.length / 3) > 0) continue;
          await page.close();
          page = await open();
        }
        await page.evaluate(() => globalThis.localStorage.setItem('adelanto', '0'));
        for (const guia of failed) await fail(page, guia);
        await openGuia(page, back);
        await tapAccion(page, 'bodega');
        await estadoIs(page, back, 'recogido');
        await deliver(page, undone);
        await at(page, undone).locator('[data-accion="deshacer"]').tap();
        await estadoIs(page, undone, 'en_ruta');
        await openGuia(page, cancelled);
        await tapAccion(page, 'recogido');
        await estadoIs(page, cancelled, 'recogido');
        await page.goBack();
        const ended = Date.now();
        await waitingIs(page, GUIAS + 3);
        const second = await open();
        await waitingIs(second, GUIAS + 3);

        // A time that is known again only after the contact is right within three seconds, as below.
        await sleep(Math.max(0, ended + 3_000 - Date.now()));
        await money.merchant.post(`/api/v1/guias/${cancelled.id}/cancelar`);
        await other.assign(given.id);
        await context.setOffline(false);
        for (const tab of [page, second]) await waitingIs(tab, 0);

        for (const guia of delivered) expect(await estadosOf(guia)).toEqual(['entregado']);
        for (const guia of failed) expect(await estadosOf(guia)).toEqual(['intento_fallido']);
        expect(await estadosOf(back)).toEqual(['recogido']);
        expect(await estadosOf(undone)).toEqual([]);
        const all = (await Promise.all([...delivered, ...failed].map(movesOf))).flat();
        for (const { ocurrido_en } of all) {
          expect(Date.parse(ocurrido_en)).toBeGreaterThan(began - 3_000);
          expect(Date.parse(ocurrido_en)).toBeLessThan(ended + 3_000);
        }
        const { body } = await money.operator.get(`${OPERACIONES}/pilotos/${driver.id}/caja`);
        expect(body.caja).toMatchObject([{ moneda: 'GTQ', monto: delivered.length * 20 }]);
        expect((await money.lives.read(cancelled)).guia).toMatchObject({
          estado: 'cancelado',
          advertencias: ['cancelada_ya_recogida'],
        });
        await page.waitForSelector(`[data-guia="${cancelled.guia}"][data-rechazo="tarde"]`);
        await eventually(async () => expect(await at(page, given).count()).toBe(0));
      },
      60_000 + GUIAS * 5_000,
    );

    it('shows as waiting what waits, and sends what was not answered again, by the same ref', async () => {
      const guia = await give('en_ruta');
      await phone();
      const page = await open();
      await ready(page);
      const refs: string[] = [];
      let cut = true;
      await page.route(/\/eventos$/, async (route) => {
        refs.push(JSON.parse(route.request().postData()!).eventos[0].ref);
        if (!cut) return route.continue();
        // The service takes it, and its answer is lost.
        await route.fetch();
        return route.abort();
      });
      await deliver(page, guia);
      await waitingIs(page, 1);
      cut = false;
      await context.setOffline(true);
      await context.setOffline(false);
      await waitingIs(page, 0);
      expect(new Set(refs).size).toBe(1);
      expect(refs).toHaveLength(2);
      expect(await estadosOf(guia)).toEqual(['entregado']);
    });

    /** Answers the events that the page sends; undefined lets the service answer. */
    const answerEvents = (page: Page, result: (evento: any) => object | undefined) =>
      page.route(/\/eventos$/, async (route) => {
        const { eventos } = JSON.parse(route.request().postData()!);
        const resultados = eventos.map(result);
        if (resultados.includes(undefined)) return route.continue();
        return route.fulfill({ json: { ok: true, resultados } });
      });

    it('sends again what the service failed to do, also what an earlier page kept as refused', async () => {
      const guia = await give('en_ruta');
      await phone();
      const page = await open();
      await ready(page);
      const refs: string[] = [];
      const failed = { ok: false, status: 500, codigo: 'error_interno', detail: 'Algo falló.' };
      await answerEvents(page, ({ ref }) => (refs.push(ref), failed));
      await deliver(page, guia);
      await eventually(() => Promise.resolve(expect(refs).toHaveLength(1)));
      await waitingIs(page, 1);
      expect(await page.locator('[data-rechazo]').count()).toBe(0);
      await page.unroute(/\/eventos$/);
      await page.evaluate(async () => {
        const db = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('guias-ruta');
          request.onsuccess = () => resolve(request.result);
        });
        const tx = db.transaction('acciones', 'readwrite');
        const all = tx.objectStore('acciones').getAll();
        all.onsuccess = () => {
          for (const accion of all.result)
            tx.objectStore('acciones').put({ ...accion, rechazo: { codigo: 'error_interno', detail: '' } });
        };
        await new Promise((resolve) => (tx.oncomplete = resolve));
        db.close();
      });
      await page.reload();
      await waitingIs(page, 0);
      await eventually(async () => expect(await estadosOf(guia)).toEqual(['entregado']));
    });

    it('shows what was refused until it was understood, and says so at the next contact; as yesterday’s page stored it', async () => {
      const guia = await give('en_ruta', { notas: 'antes' });
      await phone();
      const page = await open({ url: '/r/sin-red' });
      const told = { ...(await driver.get('guias')).body, ahora: '2026-01-01T00:00:00.000Z' };
      await page.evaluate(
        async ([enlace, piloto, datos, numero]) => {
          const db = await new Promise<IDBDatabase>((resolve) => {
            const request = indexedDB.open('guias-ruta', 1);
            request.onsuccess = () => resolve(request.result);
          });
          const tx = db.transaction(['rutas', 'acciones'], 'readwrite');
          tx.objectStore('rutas').put({ enlace, piloto, datos, contacto: Date.now() - 60_000, desfase: 0 });
          const evento = (ref: string) => ({ guia: numero, ref, ocurrido_en: new Date().toISOString() });
          const common = { piloto, guia: numero, anterior: 'en_ruta', enviada: true };
          tx.objectStore('acciones').put({
            ...{ ...common, rechazo: { codigo: 'tarde', detail: 'Llegó tarde: ya estaba.' } },
            evento: { ...evento('00000000-0000-4000-8000-000000000001'), estado: 'entregado' },
          });
          tx.objectStore('acciones').put({
            ...{ ...common, enviada: false, rechazo: null },
            evento: {
              ...evento('00000000-0000-4000-8000-000000000002'),
              ...{ estado: 'intento_fallido', motivo: 'ausente' },
            },
          });
          await new Promise((resolve) => (tx.oncomplete = resolve));
          db.close();
        },
        [driver.path.split('/')[2], driver.id, told, guia.guia] as const,
      );
      await money.merchant.patch(`/api/v1/guias/${guia.id}`, { notas: 'ahora' });
      const refs: string[] = [];
      await page.route(/\/entendidos$/, (route) => {
        refs.push(...JSON.parse(route.request().postData()!).refs);
        return route.continue();
      });
      await page.route(/\/eventos$/, (route) => route.abort());
      await page.goto(test.url + driver.path);
      await page.waitForSelector('[data-rechazados="1"]');
      await page.waitForSelector(`[data-guia="${guia.guia}"][data-nuevo="notas"][data-rechazo="tarde"]`);
      await page.locator(`section.bad a[href="#${guia.guia}"]`).tap();
      await page.waitForSelector(`article.wide[data-guia="${guia.guia}"]`);
      await page.goBack();
      await tapAccion(page, 'entendido');
      await page.waitForSelector('[data-rechazados]', { state: 'detached' });
      await waitingIs(page, 1);
      expect(refs).toEqual([]);
      await page.unroute(/\/eventos$/);
      await page.reload();
      await waitingIs(page, 0);
      // Told again where an answer was late: the service takes it once.
      await eventually(() =>
        Promise.resolve(expect([...new Set(refs)]).toEqual(['00000000-0000-4000-8000-000000000001'])),
      );
      await eventually(async () =>
        expect(await stored(page)).not.toContain('00000000-0000-4000-8000-000000000001'),
      );
      expect(await estadosOf(guia)).toEqual(['intento_fallido']);
    });

    it('forgets all people once a search or a take finds that the link has ended', async () => {
      const [guia, free] = [
        await give('en_ruta', { nombre: 'Persona Secreta' }),
        await money.lives.in('recogido'),
      ];
      await phone();
      const page = await open();
      await ready(page);
      await answerEvents(page, () => ({
        ok: false,
        status: 409,
        codigo: 'transicion_invalida',
        detail: 'No.',
      }));
      await openGuia(page, guia);
      await tapAccion(page, 'entregado');
      await page.waitForSelector(`[data-guia="${guia.guia}"][data-rechazo]`);
      expect(await stored(page)).toContain('"recibio":"Persona Secreta"');
      await page.fill('[name="buscar"]', free.guia.slice(8));
      await at(page, free).locator('[data-accion="tomar"]').waitFor();
      await driver.renew();
      await at(page, free).locator('[data-accion="tomar"]').tap();
      await page.getByText('Este enlace ya no sirve').waitFor();
      await page.waitForSelector(`[data-guia="${guia.guia}"][data-rechazo]`);
      expect(await stored(page)).not.toContain('Persona Secreta');
    });

    it('forgets all people once the link has ended; what waits goes out with the next link', async () => {
      const guia = await give('en_ruta', { nombre: 'Persona Secreta' });
      await phone();
      const page = await open();
      await ready(page);
      await context.setOffline(true);
      await deliver(page, guia);
      await driver.renew();
      await context.setOffline(false);
      await page.getByText('Este enlace ya no sirve').waitFor();
      await waitingIs(page, 1);
      expect(await page.content()).not.toContain('Persona Secreta');
      const kept = (await stored(page)).replace(/"recibio":"[^"]*"/, '');
      for (const secret of ['Persona Secreta', '55551234', '5555 1234']) expect(kept).not.toContain(secret);
      const next = await open();
      await waitingIs(next, 0);
      expect(await estadosOf(guia)).toEqual(['entregado']);
    });

    it('opens a link for the first time on a network that is too slow for its page', async () => {
      const guia = await give('en_ruta');
      await phone();
      await ready(await open());
      await driver.renew();
      const next = await withClient(test.database.ownerUrl, async (client) => {
        await client.query('begin');
        await client.query('lock table pilotos in access exclusive mode');
        const page = await open();
        await page.getByText('Abra esta página una vez con señal').waitFor();
        await client.query('rollback');
        return page;
      });
      // The page looks again by itself, within a minute.
      await at(next, guia).waitFor();
    });

    it('forgets all people after a day without contact', async () => {
      const guia = await give('en_ruta', { nombre: 'Persona Secreta' });
      await phone();
      const page = await open();
      await ready(page);
      await context.setOffline(true);
      await fail(page, guia);
      await context.addInitScript((ms) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + ms;
      }, 25 * HOUR);
      await page.reload();
      await page.getByText('Sin señal desde hace un día').waitFor();
      await waitingIs(page, 1);
      expect(await stored(page)).not.toContain('Persona Secreta');
    });

    it('forgets after a day also whom another driver’s link has shown', async () => {
      await give('en_ruta', { nombre: 'Persona Secreta' });
      await phone();
      const page = await open();
      await ready(page);
      await page.close();
      await context.addInitScript((ms) => {
        const now = Date.now.bind(Date);
        Date.now = () => now() + ms;
      }, 25 * HOUR);
      const other = await open({ url: (await Driver.start(test, money.operator, 'Rosa')).path });
      await ready(other);
      expect(await stored(other)).not.toContain('Persona Secreta');
    });

    it('does not show as done what the phone has no room for', async () => {
      const guia = await give('en_ruta');
      await phone();
      const page = await open();
      await ready(page);
      await page.evaluate(() => {
        IDBObjectStore.prototype.add = () => {
          throw new DOMException('full', 'QuotaExceededError');
        };
      });
      await openGuia(page, guia);
      await tapAccion(page, 'entregado');
      await page.getByText('No se guardó').first().waitFor();
      expect(await page.locator(`[data-guia="${guia.guia}"]`).getAttribute('data-estado')).toBe('en_ruta');
      expect(await movesOf(guia)).toEqual([]);
    });
  });

  it('is small on its first visit with 150 guides, and asks for nothing while it is idle', async () => {
    const guias = Array.from({ length: 150 }, (_, n) =>
      guiaBody({
        ...{ lat: 14.6407, lng: -90.5133 },
        nombre: `Persona ${n} ${(n * 7919).toString(36)}`,
        direccion: `${n + 1} avenida ${n % 7}-${n * 3}, zona ${n % 11}`,
        referencia: `Casa ${n} frente a la tienda ${(n * 104_729).toString(36)}`,
        cod_amount: n,
      }),
    );
    for (const lote of [guias.slice(75), guias.slice(0, 75)]) {
      const { body } = await money.merchant.post('/api/v1/guias/lote', { guias: lote });
      await driver.assign(...body.resultados.map(({ id }: { id: string }) => id));
    }
    await test.database.query(`update guias set estado = 'en_ruta' where piloto_id = $1`, [driver.id]);
    await phone();
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Network.enable');
    let bytes = 0;
    cdp.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(test.url + driver.path);
    await ready(page);
    expect(await page.locator('[data-guia]').count()).toBe(guias.length);
    expect(bytes).toBeLessThan(60_000);
    expect(asked.filter((path) => /guias|eventos/.test(path))).toEqual([]);
    await page.locator('a[href="#buscar"]').tap();
    await eventually(async () => {
      const box = await page.locator('[name="buscar"]').boundingBox();
      expect(box!.y).toBeGreaterThan(0);
      expect(box!.y + box!.height).toBeLessThan(PHONE.viewport.height);
    });
    const row = page.locator('[data-abrir]').nth(60);
    await row.scrollIntoViewIfNeeded();
    const { y } = (await row.boundingBox())!;
    await row.tap();
    await page.locator('a[href="#ruta"]').tap();
    await eventually(async () => expect(Math.abs((await row.boundingBox())!.y - y)).toBeLessThan(20));
  });

  it('opens a guide from the page, its style and one script; what is done waits for the memory', async () => {
    const guia = await give('en_ruta');
    await phone();
    // A database that is being made keeps all others waiting that open it.
    await context.addInitScript(() => {
      let isSlow = true;
      Object.assign(globalThis, { remember: () => (isSlow = false) });
      const request = indexedDB.open('guias-ruta', 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore('rutas', { keyPath: 'enlace' });
        const acciones = request.result.createObjectStore('acciones', { keyPath: 'n', autoIncrement: true });
        acciones.createIndex('piloto', 'piloto');
        const wait = () => {
          if (isSlow) acciones.get(1).onsuccess = wait;
        };
        wait();
      };
      request.onsuccess = () => request.result.close();
    });
    const asked: string[] = [];
    context.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
    const page = await open();
    await openGuia(page, guia);
    expect(asked.slice(1).sort()).toEqual(['app.js', 'ruta.css']);
    await tapAccion(page, 'entregado');
    await tapAccion(page, 'entregado');
    expect(await page.locator('article[data-estado="en_ruta"]').count()).toBe(1);
    await page.evaluate(() => (globalThis as any).remember());
    await estadoIs(page, guia, 'entregado');
    await waitingIs(page, 0);
    expect(await estadosOf(guia)).toEqual(['entregado']);
  });

  describe('for everybody', () => {
    it.each([
      ['320 px', { viewport: { width: 320, height: 640 } }],
      ['412 px, dark', { viewport: { width: 412, height: 800 }, colorScheme: 'dark' as const }],
    ])(
      'has no fault that axe finds, fits its screen at 200 % type, and has buttons of 56 px: %s',
      async (_, options) => {
        await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
        const guia = await give('en_ruta', {
          cod_amount: 12_349.5,
          notas: 'El timbre no sirve.',
          municipio: 'San Pedro Sacatepéquez',
        });
        await give('intento_fallido');
        await give('aceptado');
        await phone(options);
        const page = await open();
        await ready(page);
        const check = async () => {
          const strict = {
            runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice', 'wcag2aaa'],
            rules: { 'color-contrast-enhanced': { enabled: true }, 'target-size': { enabled: true } },
          };
          expect(await axeFaults(page, strict)).toEqual([]);
          const small = await page.evaluate(() =>
            [
              ...globalThis.document.querySelectorAll(
                'button, a, label.btn, select, input:not([type=checkbox])',
              ),
            ]
              .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()] as const)
              .filter(([, { width, height }]) => width < 55.9 || height < 55.9)
              .map(([html]) => html),
          );
          expect(small).toEqual([]);
          expect(await overflowOf(page)).toBe(0);
          await page.evaluate(() => (globalThis.document.documentElement.style.fontSize = '200%'));
          expect(await overflowOf(page)).toBe(0);
          await page.evaluate(() => (globalThis.document.documentElement.style.fontSize = ''));
        };
        await check();
        await tapAccion(page, 'recoger_todas');
        await page.waitForSelector('[data-faltan]');
        await check();
        await page.goBack();
        await openGuia(page, guia);
        await check();
        await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: false });
      },
    );
  });
});
