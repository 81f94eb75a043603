import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { HOSTILE, HOSTILE_GUIA } from '../support/hostile-data.js';
import { APPEARANCE, inspectPage, watchPage } from '../support/inspect-page.js';
import { Person } from '../support/person.js';
import { createTestApp, guiaBody, type TestApp, type TestMerchant } from '../support/test-app.js';

/** Of a page with its styles and scripts, before compression. */
const MAX_BYTES = 60 * 1024;

describeInBrowser("the merchants' panel", () => {
  let test: TestApp;
  let merchant: TestMerchant;
  let guia: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let bytes = 0;
  let seen: ReturnType<typeof watchPage>;

  const open = async (path: string): Promise<Response> => {
    bytes = 0;
    return (await page.goto(test.url + path, { waitUntil: 'networkidle' }))!;
  };

  beforeAll(async () => {
    test = await createTestApp();
    merchant = await test.merchant();
    await test.database.query('update comercios set nombre = $1', [`Tienda ${HOSTILE}`.slice(0, 120)]);
    await test.database.query('update claves_api set etiqueta = $1', [HOSTILE.slice(0, 120)]);
    const made = await merchant.post('/api/v1/guias', { ...guiaBody(), ...HOSTILE_GUIA, cod_amount: 349.5 });
    guia = made.body.guia;
    const guias = Array.from({ length: 60 }, (_, i) =>
      guiaBody({ nombre: `Persona número ${i}`, cod_amount: i }),
    );
    expect((await merchant.post('/api/v1/guias/lote', { guias })).status).toBe(200);
    const collected = await merchant.post('/api/v1/guias', { ...guiaBody(), cod_amount: 50 });
    const operator = await test.operator();
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await operator.move(collected.body.guia, { estado });
    await operator.move(collected.body.guia, { estado: 'entregado', cod_cobrado: 50 });
    browser = await launchBrowser();
    context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      permissions: ['clipboard-write'],
    });
    page = await context.newPage();
    seen = watchPage(page, test.url);
    page.on('response', (response) => {
      // A redirect has no body.
      response.body().then(
        (body) => (bytes += body.byteLength),
        () => undefined,
      );
    });
  });
  afterAll(async () => {
    await browser?.close();
    await test?.close();
  });

  it('is entered by pasting a key', async () => {
    await open('/panel');
    await inspectPage(page);
    const ana = new Person(page);
    await ana.enter(page.getByLabel('Clave de API'), merchant.key);
    await page.getByRole('heading', { name: 'Hoy' }).waitFor();
    expect(ana.interactions).toBe(1);
  });

  it.each([
    ['the first page', () => '/panel'],
    ['guides', () => '/panel/guias'],
    ['a search', () => '/panel/guias?q=Persona'],
    ['a guide', () => `/panel/guias/${guia}`],
    ['what was done', () => `/panel/guias/${guia}?hecho=cambiada`],
    ['cash', () => '/panel/cobros'],
    ['settlements', () => '/panel/liquidaciones'],
    ['keys', () => '/panel/claves'],
    ['settings', () => '/panel/ajustes'],
    ['pickup points', () => '/panel/recogidas'],
    ['a new guide', () => '/panel/guias/nueva'],
    ['a file', () => '/panel/importar'],
    ['labels to print', () => '/panel/guias?impresa=no'],
    ['an error', () => '/panel/guias/x'],
  ])('runs nothing that somebody stored, is small, and axe finds nothing: %s', async (_, path) => {
    await open(path());
    expect(bytes).toBeLessThan(MAX_BYTES);
    await inspectPage(page);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await inspectPage(page, APPEARANCE);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('shows which part of it is open, also at 360 px', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    for (const path of ['/panel', '/panel/cobros', '/panel/liquidaciones', '/panel/importar']) {
      await open(path);
      const current = page.locator('header .tabs [aria-current]');
      const { x, width } = (await current.boundingBox())!;
      expect({ path, isSeen: x >= 0 && x + width <= 360 }).toEqual({ path, isSeen: true });
      expect(await page.evaluate('scrollX + scrollY')).toBe(0);
    }
    await page.setViewportSize({ width: 390, height: 844 });
  });

  it('says what changed in a guide meanwhile so that axe finds nothing', async () => {
    await open(`/panel/guias/${guia}?abrir=cambiar`);
    await merchant.patch(`/api/v1/guias/${guia}`, { notas: 'Portón negro' });
    await page.getByLabel('Dirección').fill('4a calle 5-10');
    await page.getByRole('button', { name: 'Guardar los cambios' }).click();
    await page.getByText('Cambió mientras tanto.').waitFor();
    expect(await page.getByLabel('Notas para el piloto').inputValue()).toBe('Portón negro');
    await inspectPage(page);
    await page.getByRole('button', { name: 'Guardar los cambios' }).click();
    await page.getByText('Se guardaron los cambios.').waitFor();
  });

  it('shows a refused form so that axe finds nothing', async () => {
    await open(`/panel/guias/${guia}?abrir=cambiar`);
    await page.getByLabel('Teléfono').fill('123');
    await page.getByRole('button', { name: 'Guardar los cambios' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Teléfono').getAttribute('aria-invalid')).toBe('true');
    await inspectPage(page);
    const focused = (name: string) => page.evaluate<string>(`document.activeElement.getAttribute('${name}')`);
    expect(await focused('role')).toBe('alert');
    await page.getByRole('alert').getByRole('link', { name: 'Teléfono' }).click();
    expect(await focused('name')).toBe('telefono');
  });

  it('makes a guide of one pasted block of chat, with its label and tracking link, in few taps', async () => {
    await context.clearCookies();
    await open('/panel');
    const ana = new Person(page);
    await ana.enter(page.getByLabel('Clave de API'), merchant.key);
    await ana.click(page.getByRole('link', { name: 'Nueva', exact: true }));
    await ana.click(page.getByLabel('Lo que escribió su cliente'));
    await page.keyboard.insertText(
      'hola si soy karla ixcoy 5555-0101 mi ubicacion 14.6407, -90.5133 es en el naranjo mixco casa azul son 349.50 verdad?',
    );
    await ana.click(page.getByRole('button', { name: 'Llenar los campos' }));
    await page.getByText('Llenamos 7 campos.').waitFor();
    await inspectPage(page);
    expect(await page.getByLabel('Nombre', { exact: true }).inputValue()).toBe('Karla Ixcoy');
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 14.6349, longitude: -90.5069 });
    await ana.click(page.getByRole('button', { name: 'Usar mi ubicación' }));
    await page.getByText('El punto: 14.634900, -90.506900.').waitFor();
    await page.getByLabel('Departamento').fill('Sacatepéquez');
    await page.getByLabel('Departamento').blur();
    await page.locator('#municipios option[value="Antigua Guatemala"]').waitFor({ state: 'attached' });
    await page.getByLabel('Departamento').fill('Guatemala');
    await ana.click(page.getByRole('button', { name: 'Crear la guía' }));
    await page.getByText('La guía está creada.').waitFor();
    expect(await page.getByLabel('Enlace de seguimiento').inputValue()).toContain('/c/');
    expect(await page.locator('a[href$="/etiqueta"]').count()).toBe(1);
    // The key and the page; then paste, fill, the pickup point, create, and the label to print.
    expect(ana.interactions).toBeLessThanOrEqual(7);
    ana.report('a guide from a chat');
  });

  it('takes a pickup point from the map and from the phone, so that axe finds nothing', async () => {
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: 14.61, longitude: -90.52 });
    await open('/panel/recogidas');
    const save = async (nombre: string) => {
      await page.getByLabel('Cómo le dice').fill(nombre);
      await page.getByLabel('Cómo la reconoce el mensajero').fill('Portón gris');
      await inspectPage(page);
      await page.getByRole('button', { name: 'Guardar el punto' }).click();
      await page.getByText('El punto está guardado.').waitFor();
    };
    await page.getByRole('button', { name: 'Usar mi ubicación' }).click();
    await page.getByText('El punto: 14.610000, -90.520000.').waitFor();
    await save('Bodega');
    await page.getByRole('button', { name: 'Elegir en el mapa' }).click();
    await page.locator('.leaflet-container').click({ position: { x: 100, y: 60 } });
    await page.getByText('El punto: 14.').waitFor();
    await save('Local');
    expect(await page.locator('[data-recogida]').count()).toBeGreaterThanOrEqual(2);
  });

  it('asks before it makes a second equal guide after the way back', async () => {
    const own = await browser.newContext();
    await own.addCookies(await context.cookies());
    const tab = await own.newPage();
    await tab.goto(`${test.url}/panel/guias/nueva`);
    const name = 'Vuelve atrás';
    await tab.getByLabel('Nombre', { exact: true }).fill(name);
    await tab.getByLabel('Teléfono').fill('5555 0707');
    await tab.getByLabel('Departamento').fill('Guatemala');
    await tab.getByLabel('Municipio').fill('Mixco');
    const create = tab.getByRole('button', { name: 'Crear la guía' });
    await create.click();
    await tab.getByText('La guía está creada.').waitFor();
    await tab.goBack();
    expect(await tab.getByLabel('Nombre', { exact: true }).inputValue()).toBe(name);
    await create.click();
    const wanted = tab.getByLabel('Es otro envío igual');
    await wanted.waitFor();
    expect((await wanted.boundingBox())!.width).toBeLessThan(30);
    await inspectPage(tab);
    await wanted.check();
    await create.click();
    await tab.getByText('La guía está creada.').waitFor();
    const guias = await merchant.get(`/api/v1/guias?limit=3`);
    const names = guias.body.guias.map((guia: { destinatario: string }) => guia.destinatario);
    expect(names.filter((one: string) => one === name)).toHaveLength(2);
    await own.close();
  });

  it('holds back a form whose session has ended, and sends it once its sender has signed in elsewhere', async () => {
    const own = await browser.newContext();
    const signIn = async (tab: Page) => {
      await tab.getByLabel('Clave de API').fill(merchant.key);
      await tab.getByRole('button', { name: 'Entrar' }).click();
      await tab.getByRole('heading', { name: 'Hoy' }).waitFor();
    };
    const tab = await own.newPage();
    await tab.goto(`${test.url}/panel`);
    await signIn(tab);
    await tab.clock.install();
    await tab.goto(`${test.url}/panel/guias/nueva`);
    await test.database.query(
      `update panel_sesiones set vence_en = now() where vence_en = (select max(vence_en) from panel_sesiones)`,
    );
    await tab.getByLabel('Nombre', { exact: true }).fill('Tarde');
    await tab.getByLabel('Teléfono').fill('5555 0808');
    await tab.clock.fastForward('12:00:00');
    const create = tab.getByRole('button', { name: 'Crear la guía' });
    await create.click();
    await tab.getByRole('alert').filter({ hasText: 'Su sesión terminó' }).waitFor();
    await inspectPage(tab);
    const [other] = await Promise.all([
      own.waitForEvent('page'),
      tab.getByRole('link', { name: 'Entre en otra pestaña' }).click(),
    ]);
    await signIn(other);
    await create.click();
    await tab.getByText('La guía está creada.').waitFor();
    await tab.getByText('Tarde').first().waitFor();
    await own.close();
  });

  it('shows the point of a pasted link before the form is sent', async () => {
    await open('/panel/guias/nueva');
    await page.locator('[name=maps_url]').fill('https://maps.google.com/?q=14.6407,-90.5133');
    await page.locator('[data-point] :is(figure, a)').waitFor();
  });

  it('shows a file with refused rows so that axe finds nothing', async () => {
    await open('/panel/importar');
    const text = `Cliente,Tel,Ciudad,Talla\n"${HOSTILE.replaceAll('"', '""')}",x,Mixco,M\nAna,55550101,Mixco,S\n`;
    await page.setInputFiles('[name=archivo]', {
      name: 'a.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(text),
    });
    await page.getByRole('button', { name: 'Subir el archivo' }).click();
    await page.getByText('Una fila por corregir').waitFor();
    await inspectPage(page);
  });

  it('copies the tracking link', async () => {
    await open(`/panel/guias/${guia}`);
    await page.getByRole('button', { name: 'Copiar' }).click();
    await page.getByRole('button', { name: 'Copiado' }).waitFor();
  });

  it('loads nothing of other sites, and breaks no rule of its own policy', () => {
    expect(seen.outside).toEqual([]);
    expect(seen.complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
  });
});
