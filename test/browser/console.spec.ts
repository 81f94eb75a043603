import type { Browser, BrowserContext, Page, Response } from 'playwright-core';
import { inFours } from '../../src/guias/guia/guia-digits.js';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { createCloudApp, type CloudApp } from '../support/cloud.js';
import { Console, CONSOLE_USERS } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { HOSTILE, HOSTILE_GUIA, plantEverywhere } from '../support/hostile-data.js';
import type { StubAnswer } from '../support/http-stub.js';
import type { MadeGuia } from '../support/messaging.js';
import { APPEARANCE, inspectPage, watchPage } from '../support/inspect-page.js';
import { Person, tabTo } from '../support/person.js';
import type { TestMerchant } from '../support/test-app.js';
import { ALLOW_PRIVATE, Hooks, startReceiver, type Endpoint, type Receiver } from '../support/webhooks.js';
import { wamid } from '../support/whatsapp-bodies.js';

const OPERACIONES = '/api/v1/operaciones';
const WIDE = { width: 1280, height: 800 };

/** Of a page, before compression. */
const MAX_BYTES = 50 * 1024;

/** The bound within which the first page must show a stopped sender. */
const SEEN_WITHIN_MS = 60_000;

const ACCEPTED = () => ({ json: { messages: [{ id: wamid() }] } });
const UNREACHABLE: StubAnswer = { status: 400, json: { error: { code: 131026 } } };
const TOKEN_EXPIRED: StubAnswer = { status: 401, json: { error: { code: 190 } } };

describeInBrowser("support's console", () => {
  let cloud: CloudApp;
  let receiver: Receiver;
  let hooks: Hooks;
  let merchant: TestMerchant;
  let guia: MadeGuia;
  let delivered: { id: string; guia: string };
  let endpoint: Endpoint;
  let requestId: string;
  let piloto: string;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let seen: ReturnType<typeof watchPage>;

  const login = (options: Parameters<Browser['newContext']>[0] = {}, name = 'ana') =>
    browser.newContext({ httpCredentials: { username: name, password: `clave-de-${name}` }, ...options });
  const open = async (path: string) => (await page.goto(cloud.test.url + path))!;
  const deliveryPath = async () => {
    const [delivery] = await hooks.of(endpoint);
    return `/admin/guias/${delivery!.guia}/avisos/${endpoint.id}/${delivery!.mensaje_id}`;
  };
  const causePath = async () => {
    const [, path] = /href="(\/admin\/causas\/mensajes-[0-9a-f]+)"/.exec(
      await new Console(cloud.test).page('/admin/mensajes'),
    )!;
    return path!;
  };
  const recipientsPage = async ({ id }: { id: string }) =>
    new URL((await cloud.messaging.detail(merchant, { id })).seguimiento as string).pathname;

  beforeAll(async () => {
    receiver = await startReceiver();
    cloud = await createCloudApp({ env: { BOARD_USERS: CONSOLE_USERS, TILE_URL: 'none', ...ALLOW_PRIVATE } });
    const { test, graph, messaging } = cloud;
    hooks = new Hooks(test, receiver);
    merchant = await test.merchant();
    graph.otherwise(UNREACHABLE);
    guia = await messaging.create(merchant, { ...HOSTILE_GUIA, telefono: '+50255110099' });
    await messaging.reached(guia, 'fallido');
    graph.otherwise(ACCEPTED);

    const at = `/avisos/${HOSTILE}?clave=${HOSTILE}`;
    endpoint = await hooks.endpoint(merchant, {
      url: receiver.url + at,
      eventos: ['guia.creada'],
      descripcion: HOSTILE.slice(0, 120),
    });
    const { pathname, search } = new URL(receiver.url + at);
    endpoint.at = pathname + search;
    receiver.alwaysAt(endpoint.at, { status: 410, body: HOSTILE });
    delivered = await hooks.guia(merchant, { ...HOSTILE_GUIA, external_ref: undefined });
    await eventually(async () =>
      expect((await hooks.of(endpoint)).map(({ estado }) => estado)).toEqual(['fallida']),
    );
    const operator = await test.operator(HOSTILE.slice(0, 100));
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido', 'en_ruta'])
      await operator.move(delivered.id, {
        estado,
        nota: HOSTILE,
        ...(estado === 'intento_fallido' && { motivo: 'ausente' }),
      });
    const end = { estado: 'entregado', nota: HOSTILE, recibio: HOSTILE.slice(0, 120) };
    expect((await operator.move(delivered.id, end)).status).toBe(201);
    requestId = (await merchant.post('/api/v1/guias', {})).headers.get('x-request-id')!;
    piloto = (await operator.post(`${OPERACIONES}/pilotos`, { nombre: HOSTILE.slice(0, 120) })).body.piloto
      .id;
    await operator.post(`${OPERACIONES}/asignaciones`, { piloto, guias: [guia.guia] });
    await plantEverywhere(test, { merchant, guia, parked: delivered });

    browser = await launchBrowser();
    context = await login({ viewport: WIDE });
    page = await context.newPage();
    // For hangs alone.
    page.setDefaultTimeout(60_000);
    seen = watchPage(page, test.url);
  });
  afterAll(async () => {
    await browser?.close();
    await cloud?.close();
    await receiver?.close();
  });

  it.each([
    ['the first page', () => '/admin'],
    ['those of a cause', causePath],
    ['a guide', () => `/admin/guias/${guia.guia}`],
    ['a delivered guide', () => `/admin/guias/${delivered.guia}`],
    ['a delivery', deliveryPath],
    ['a merchant', () => `/admin/comercios/${merchant.id}`],
    ["a merchant's guides", () => `/admin/comercios/${merchant.id}/guias?ver=aceptado`],
    ['the deliveries of an endpoint', () => `/admin/comercios/${merchant.id}/webhooks/${endpoint.id}/avisos`],
    ['a period to be replayed', () => `/admin/comercios/${merchant.id}/webhooks/${endpoint.id}/reenviar`],
    ['events', () => '/admin/eventos'],
    ['the audit log', () => '/admin/auditoria'],
    ['an error', () => '/admin/guias/x'],
    ['a recipient who is asked', () => recipientsPage(guia)],
    ['a recipient whose parcel arrived', () => recipientsPage(delivered)],
  ])('runs nothing that somebody stored, is small, and axe finds nothing: %s', async (_, path) => {
    await inspectAll(await open(await path()));
  });

  it.each([
    ['guides', () => '/admin/despacho'],
    ['a guide', () => `/admin/guias/${guia.guia}`],
    ['drivers', () => '/admin/despacho/pilotos'],
    ['a driver', () => `/admin/despacho/pilotos/${piloto}`],
    ["the day's close", () => '/admin/despacho/cierre'],
  ])('runs nothing that somebody stored, and axe finds nothing, for the dispatcher: %s', async (_, path) => {
    const own = page;
    const dispatcher = await login({ viewport: WIDE }, 'sol');
    page = await dispatcher.newPage();
    try {
      await inspectAll(await open(path()));
    } finally {
      await dispatcher.close();
      page = own;
    }
  });

  it.each([
    ['nothing', () => [HOSTILE, '<script>']],
    ['guides', () => ['hacked']],
    ['a request', () => [requestId]],
  ])('runs nothing that somebody stored where a search finds %s', async (_, typed) => {
    await open('/admin/buscar');
    const [q, comercio = ''] = typed();
    await page.locator('main [name=comercio]').fill(comercio);
    await page.locator('main [name=q]').fill(q!);
    const answer = page.waitForResponse((one) => one.url().endsWith('/admin/buscar'));
    await page.keyboard.press('Enter');
    await inspectAll(await answer);
    expect(page.url()).toBe(`${cloud.test.url}/admin/buscar`);
  });

  /** Also narrow and dark. */
  async function inspectAll(answer: Response): Promise<void> {
    expect((await answer.body()).byteLength).toBeLessThan(MAX_BYTES);
    await inspectPage(page);
    await page.setViewportSize({ width: 360, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await inspectPage(page, APPEARANCE);
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: 'light' });
  }

  it('is used by keyboard alone, from the search to the outcome of an action', async () => {
    await open('/admin');
    const { keyboard } = page;
    await keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Ir al contenido');
    await keyboard.press('/');
    await keyboard.type('5511/0099');
    expect(await page.getByRole('searchbox').first().inputValue()).toBe('5511/0099');
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: `Guía ${inFours(guia.guia)}` }).waitFor();
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await tabTo(page, 'Pedir la ubicación');
    await keyboard.press('Enter');
    await keyboard.press('Tab');
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Sí, pedirla');
    await keyboard.press('Enter');
    // The planted pause of the sender is shown, though its queue is not paused.
    await page.getByRole('status').getByText('Saldrá cuando se corrija').waitFor();
    await inspectPage(page);
    await eventually(() => expect(cloud.sentTo(guia.telefono)).toHaveLength(2));
  });

  it('names the guide, its merchant and the cause on the board', async () => {
    cloud.graph.answer(UNREACHABLE);
    const failed = await cloud.messaging.create(merchant, { telefono: '+50255110098' });
    await cloud.messaging.reached(failed, 'fallido');
    await open('/admin/queues/queue/notificaciones?status=failed');
    await page.getByRole('link', { name: `Guía ${failed.guia} · Tienda` }).waitFor();
    await page.getByText('Mensaje: El número no recibe WhatsApp (131026)').first().waitFor();
    expect(await page.title()).not.toBe('hacked');
  });

  it('offers no button to a user who only looks, on the board either', async () => {
    const looking = await (await login({}, 'leo')).newPage();
    await looking.goto(`${cloud.test.url}/admin/guias/${guia.guia}`);
    expect(await looking.locator('main').locator('button, form, .fold').count()).toBe(0);
    await looking.goto(`${cloud.test.url}/admin/queues/queue/notificaciones?status=failed`);
    await looking.getByText('Mensaje: El número no recibe WhatsApp').first().waitFor();
    expect(await looking.locator('button:visible:has(.lucide-refresh-cw)').count()).toBe(0);
    await looking.context().close();
  });

  it('shows a stopped sender on the open first page within a minute, and as paused on the board', async () => {
    const { test, graph, messaging } = cloud;
    await test.database.query('delete from pausas');
    const first = await context.newPage();
    // The minute passes on the page's own clock.
    await first.clock.install();
    await first.goto(`${test.url}/admin`);
    const ana = new Person(first);
    graph.otherwise(TOKEN_EXPIRED);
    await messaging.create(merchant, { telefono: '+50255110097' });
    await eventually(async () =>
      expect(await test.database.query('select codigo from pausas')).toEqual([{ codigo: '190' }]),
    );
    expect(await first.getByText('WhatsApp: detenido desde').count()).toBe(0);
    await first.clock.fastForward(SEEN_WITHIN_MS);
    await first.getByText('WhatsApp: detenido desde').waitFor();
    await first.getByText('Ponga uno nuevo en WHATSAPP_TOKEN y reinicie.').waitFor();
    expect(ana.interactions).toBe(0);
    ana.report('from a stopped sender to its line on the first page, but for the minute at most');
    await ana.click(first.getByRole('link', { name: 'Ver la cola' }));
    await first.getByText('Pausada').first().waitFor();
    await first.close();
  });

  it('loads nothing from other servers, and nothing that its Content-Security-Policy refuses', () => {
    expect(seen.outside).toEqual([]);
    expect(seen.complaints.filter((text) => !text.includes('404 (Not Found)'))).toEqual([]);
  });
});
