import { Console, CONSOLE_USERS, formOf } from '../support/console.js';
import { walkPages, type Shown } from '../support/links.js';
import { createBridgedApp, type BridgedApp } from '../support/messaging.js';
import { Money } from '../support/money.js';
import { PanelBrowser } from '../support/panel.js';
import { createTestApp, type TestMerchant } from '../support/test-app.js';

const SETUP = '/admin/puesta-en-marcha';

/** Whoever follows a link is let in, and finds something. */
const isRefused = ({ status }: Shown) => [403, 404].includes(status) || status >= 500;

describe('the pages of each role', () => {
  let bridged: BridgedApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    const env = { BOARD_USERS: CONSOLE_USERS, RATE_LIMIT_PER_MINUTE: '100000' };
    bridged = await createBridgedApp({ env });
    const { test } = bridged;
    merchant = await test.merchant();
    const money = await Money.start(test, merchant);
    await money.deliver(100);
    await money.settle({ comercio: merchant.id });
    await money.deliver(50);
    await money.lives.in('intento_fallido');
    await merchant.post('/api/v1/webhooks', { url: 'https://example.com/avisos' });
    const telefono = '+50255559201';
    bridged.bridge.answerTo(telefono, { status: 422 });
    const failed = await bridged.messaging.create(merchant, { telefono });
    await bridged.messaging.reached(failed, 'fallido');
    await test
      .operator()
      .then((operator) => operator.post('/api/v1/operaciones/pilotos', { nombre: 'Mynor' }));
  });
  afterAll(() => bridged.close());

  it.each([
    ['leo', ['/admin', '/admin/auditoria'], ['/admin/despacho', '/admin/comercios', SETUP]],
    ['ana', ['/admin', '/admin/auditoria'], ['/admin/despacho', '/admin/comercios', SETUP]],
    ['sol', ['/admin/despacho', '/admin/despacho/pilotos'], ['/admin/comercios', SETUP]],
    ['eva', ['/admin/despacho', '/admin/comercios', SETUP, '/panel'], []],
  ] as const)('show %s no link and no button that refuses', async (user, met, hidden) => {
    const shown = await walkPages(new Console(bridged.test, user), '/admin');
    const paths = shown.map(({ path }) => path);
    expect(shown.filter(isRefused)).toEqual([]);
    expect(paths).toEqual(expect.arrayContaining([...met]));
    expect(paths.filter((path) => (hidden as readonly string[]).includes(path))).toEqual([]);
    expect(paths.some((path) => path.endsWith('/cuenta'))).toBe(user === 'eva');
    expect(paths.length).toBeGreaterThan(10);
  });

  it.each([
    ['reads', ['guias:leer'], 'nueva|importar|claves|pedir|cambiar|cancelar'],
    ['writes', ['guias:leer', 'guias:escribir'], 'claves'],
    ['reads and makes keys', ['guias:leer', 'claves'], 'nueva|importar|pedir|cambiar|cancelar'],
    ['may everything', undefined, '$.'],
  ] as const)('show no link and no button that refuses to a key that %s', async (_, scopes, hidden) => {
    const own = await bridged.test.keyOf(merchant.id, { ...(scopes && { scopes: [...scopes] }) });
    const shown = await walkPages(await PanelBrowser.in(bridged.test, own), '/panel');
    expect(shown.filter(isRefused)).toEqual([]);
    expect(shown.filter(({ path }) => new RegExp(`/(${hidden})([/?]|$)`).test(path))).toEqual([]);
    expect(shown.length).toBeGreaterThan(8);
  });

  it('lead from the form of the panel to the console, where there is one', async () => {
    const stranger = new PanelBrowser(bridged.test);
    expect(await stranger.page('/panel')).toContain('href="/admin"');
    const alone = await createTestApp({ database: bridged.test.database });
    try {
      expect(await new PanelBrowser(alone).page('/panel')).not.toContain('/admin');
    } finally {
      await alone.close();
    }
  });
});

describe('the page of the set-up', () => {
  let bridged: BridgedApp;
  let eva: Console;

  beforeAll(async () => {
    bridged = await createBridgedApp({
      env: { ROLE: 'api', BOARD_USERS: CONSOLE_USERS, PUBLIC_URL: 'https://guias.example.com' },
    });
    eva = new Console(bridged.test, 'eva');
  });
  afterAll(() => bridged.close());

  const sample = async (telefono: string) => {
    const { action, hidden } = formOf(await eva.page(SETUP), '/mensaje');
    const send = () => eva.post(action, { ...hidden, telefono });
    return { answer: await send(), again: send };
  };

  it('says what is done and what is missing, and shows no secret', async () => {
    const empty = await eva.page(SETUP);
    expect(empty).toContain('Todavía no hay ninguno');
    expect(empty.match(/>(listo|falta)</g)).toEqual(['>falta<', '>listo<', '>listo<']);
    const merchant = await bridged.test.merchant();
    const page = await eva.page(SETUP);
    expect(page.match(/>(listo|falta)</g)).toEqual(['>listo<', '>listo<', '>listo<']);
    expect(page).toContain(`/admin/comercios/${merchant.id}/cuenta`);
    expect(page).toContain('https://guias.example.com');
    for (const name of ['MESSAGING_WEBHOOK_SECRET', 'WHATSAPP_TOKEN', 'pg_dump'])
      expect(page).toContain(name);
    expect(page).not.toMatch(/whsec_|\/puente/);
  });

  it('sends a message to a phone of the own, once for each form, and says in whose words it failed', async () => {
    const { answer, again } = await sample('5555 0177');
    expect([answer.status, answer.text.includes('Salió un mensaje al número terminado en 77')]).toEqual([
      200,
      true,
    ]);
    expect((await again()).text).toContain('Salió un mensaje');
    const sent = bridged.bridge.sentTo('+50255550177');
    expect(sent.map(({ json }) => json)).toMatchObject([
      { tipo: 'confirmacion_ubicacion', enlace: 'https://guias.example.com/c/prueba' },
    ]);
    bridged.bridge.answerTo('+50255550178', { status: 401 });
    expect((await sample('5555 0178')).answer.text).toContain('Revise MESSAGING_WEBHOOK_SECRET');
    const refused = (await sample('12')).answer.text;
    expect(refused).toMatch(
      /name="telefono" aria-describedby="falta-telefono"[^>]* aria-invalid="true"[^>]*value="12"/,
    );
    const kept = await bridged.test.database.query('select nota, detalle from auditoria');
    expect(JSON.stringify([kept, bridged.test.logs])).not.toMatch(/5555.?017[78]/);
  });

  it('sends nothing to somebody who opted out', async () => {
    await bridged.test.database.query(`insert into bajas values ('+50255550179', now())`);
    expect((await sample('5555 0179')).answer.text).toContain('pidió no recibir mensajes');
    expect(bridged.bridge.sentTo('+50255550179')).toEqual([]);
  });
});
