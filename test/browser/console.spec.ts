import axe from 'axe-core';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { CONSOLE_USERS } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { createBridgedApp, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import type { TestMerchant } from '../support/test-app.js';
import { ALLOW_PRIVATE, Hooks, startReceiver, type Endpoint, type Receiver } from '../support/webhooks.js';

const HOSTILE = `"><img src=x onerror="document.title='hacked'"><script>document.title='hacked'</script>`;

/** Of a page, before compression. */
const MAX_BYTES = 50 * 1024;

describeInBrowser("support's console", () => {
  let bridged: BridgedApp;
  let receiver: Receiver;
  let hooks: Hooks;
  let merchant: TestMerchant;
  let guia: MadeGuia;
  let endpoint: Endpoint;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];
  const outside: string[] = [];

  const login = (options: Parameters<Browser['newContext']>[0] = {}, name = 'ana') =>
    browser.newContext({ httpCredentials: { username: name, password: `clave-de-${name}` }, ...options });
  const open = async (path: string) => {
    const answer = await page.goto(bridged.test.url + path);
    return answer!;
  };
  const deliveryPath = async () => {
    const [delivery] = await hooks.of(endpoint);
    return `/admin/guias/${delivery!.guia}/avisos/${endpoint.id}/${delivery!.mensaje_id}`;
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    bridged = await createBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS, ...ALLOW_PRIVATE } });
    hooks = new Hooks(bridged.test, receiver);
    merchant = await bridged.test.merchant();
    await bridged.test.database.query('update comercios set nombre = $1', [
      `Tienda ${HOSTILE}`.slice(0, 120),
    ]);
    await bridged.test.database.query('update claves_api set etiqueta = $1', [HOSTILE]);
    const telefono = '+50255110099';
    bridged.bridge.answerTo(telefono, { status: 422 });
    guia = await bridged.messaging.create(merchant, {
      telefono,
      external_ref: HOSTILE.slice(0, 100),
      ...Object.fromEntries(
        ['nombre', 'direccion', 'referencia', 'contenido', 'notas', 'departamento', 'municipio'].map(
          (field) => [field, HOSTILE],
        ),
      ),
      recogida: { lat: 14.6, lng: -90.5, nombre: HOSTILE, direccion: HOSTILE },
    });
    await bridged.messaging.reached(guia, 'fallido');
    endpoint = await hooks.endpoint(merchant, {
      eventos: ['guia.creada'],
      descripcion: HOSTILE.slice(0, 120),
    });
    receiver.alwaysAt(endpoint.at, { status: 410, body: HOSTILE });
    const { guia: told } = await hooks.guia(merchant, { nombre: 'Ana López' });
    await eventually(async () =>
      expect((await hooks.of(endpoint)).map(({ estado }) => estado)).toEqual(['fallida']),
    );
    const operator = await bridged.test.operator(HOSTILE.slice(0, 100));
    await operator.move(told, { tipo: 'en_camino_a_recoger', nota: HOSTILE });
    browser = await launchBrowser();
    context = await login({ viewport: { width: 1280, height: 800 } });
    page = await context.newPage();
    // For hangs alone.
    page.setDefaultTimeout(60_000);
    page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
    page.on('pageerror', (error) => void complaints.push(error.message));
    page.on(
      'request',
      (request) => void (request.url().startsWith(bridged.test.url) || outside.push(request.url())),
    );
  });
  afterAll(async () => {
    await browser?.close();
    await bridged?.close();
    await receiver?.close();
  });

  it('finds a guide by phone in two interactions: a search and a click', async () => {
    await open('/admin');
    await page.getByRole('searchbox').first().fill('5511 0099');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: guia.guia }).click();
    await page.getByRole('heading', { name: `Guía ${guia.guia}` }).waitFor();
  });

  it('resends a message by keyboard alone', async () => {
    await open(`/admin/guias/${guia.guia}`);
    await page.keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toContain('Ir al contenido');
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    for (let tabs = 0; (await focused()) !== 'Reenviar el mensaje'; tabs++) {
      expect(tabs).toBeLessThan(10);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Sí, reenviar');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('El mensaje va en camino').waitFor();
    await eventually(() => expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2));
  });

  it('shows the phone after one click', async () => {
    await open(`/admin/guias/${guia.guia}`);
    expect(await page.getByText(guia.telefono).count()).toBe(0);
    await page.getByRole('button', { name: 'Ver teléfono' }).click();
    await page.getByText(guia.telefono).waitFor();
  });

  it.each([
    ['/admin', () => '/admin'],
    [
      'a search',
      () => `/admin/buscar?q=${encodeURIComponent(HOSTILE)}&comercio=${encodeURIComponent('<script>')}`,
    ],
    ['search results', () => '/admin/buscar?q=5511-0099'],
    ['a guide', () => `/admin/guias/${guia.guia}`],
    ['a delivery', deliveryPath],
    ['a merchant', () => `/admin/comercios/${merchant.id}`],
    ['a period to be replayed', () => `/admin/comercios/${merchant.id}/webhooks/${endpoint.id}/reenviar`],
    ['events', () => '/admin/eventos'],
    ['the audit log', () => '/admin/auditoria'],
    ['an error', () => '/admin/guias/x'],
  ])('runs nothing that somebody stored, is small, and axe finds nothing: %s', async (_, path) => {
    for (const [viewport, colorScheme] of [
      [{ width: 1280, height: 800 }, 'light'],
      [{ width: 360, height: 640 }, 'dark'],
    ] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const answer = await open(await path());
      expect((await answer.body()).byteLength).toBeLessThan(MAX_BYTES);
      for (const ask of await page.locator('details').all())
        await ask.evaluate((one) => one.setAttribute('open', ''));
      expect(await page.title()).not.toBe('hacked');
      expect(await page.locator('img, body script').count()).toBe(0);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
        viewport.width,
      );
      await page.evaluate(axe.source);
      const { violations } = await page.evaluate(() =>
        (globalThis as unknown as { axe: typeof axe }).axe.run(),
      );
      expect(violations.map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) }))).toEqual([]);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('takes five clicks from the first page to a mended endpoint that has all its deliveries', async () => {
    await open('/admin');
    await page.getByRole('region', { name: 'Endpoints que fallan' }).getByRole('link').first().click();
    receiver.alwaysAt(endpoint.at, { status: 200 });
    await page.getByText('Probar ahora').click();
    await page.getByRole('button', { name: 'Enviar la prueba' }).click();
    await page.getByText('La prueba llegó').waitFor();
    await page.getByText('Activar y enviar todo lo que espera').click();
    await page.getByRole('button', { name: 'Sí, activar y enviar' }).click();
    await page.getByText('El endpoint está activo').waitFor();
    await eventually(async () =>
      expect((await hooks.of(endpoint)).filter(({ estado }) => estado !== 'entregada')).toEqual([]),
    );
  });

  it('names the guide, its merchant and the cause on the board', async () => {
    const telefono = '+50255110098';
    bridged.bridge.answerTo(telefono, { status: 422 });
    const failed = await bridged.messaging.create(merchant, { telefono });
    await bridged.messaging.reached(failed, 'fallido');
    await open('/admin/queues/queue/notificaciones?status=failed');
    await page.getByRole('link', { name: `Guía ${failed.guia} · Tienda` }).waitFor();
    await page.getByText('Mensaje: El puente de mensajería rechazó').first().waitFor();
    expect(await page.title()).not.toBe('hacked');
  });

  it('offers no button to a user who only looks, on the board either', async () => {
    const looking = await (await login({}, 'leo')).newPage();
    await looking.goto(`${bridged.test.url}/admin/guias/${guia.guia}`);
    expect(await looking.locator('main').locator('button, summary').count()).toBe(0);
    await looking.goto(`${bridged.test.url}/admin/queues/queue/notificaciones?status=failed`);
    await looking.getByText('Mensaje: El puente').first().waitFor();
    expect(await looking.locator('button:visible:has(.lucide-refresh-cw)').count()).toBe(0);
    await looking.context().close();
  });

  it('loads nothing from other servers, and nothing that its Content-Security-Policy refuses', () => {
    expect(outside).toEqual([]);
    expect(complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
  });
});
