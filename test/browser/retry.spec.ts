import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { bridgeEnv, Messaging, startBridge, type Bridge } from '../support/messaging.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describeInBrowser('a message that failed', () => {
  let browser: Browser;
  let bridge: Bridge;
  let test: TestApp;

  beforeAll(async () => {
    [browser, bridge] = await Promise.all([launchBrowser(), startBridge()]);
    test = await createTestApp({ env: { ...bridgeEnv(bridge.url), BOARD_USERS: 'ana:clave-de-ana' } });
  });
  afterAll(async () => {
    await browser.close();
    await test.close();
    await bridge.close();
  });

  it('is shown on the board with its cause and guide, and is sent once more by a retry', async () => {
    const messaging = new Messaging(test);
    const merchant = await test.merchant();
    const telefono = '+50255551234';
    bridge.answerTo(telefono, { status: 422 });
    const created = await messaging.create(merchant, { telefono });
    const { guia } = created;
    const [first] = await bridge.received(1);

    const context = await browser.newContext({
      httpCredentials: { username: 'ana', password: 'clave-de-ana' },
    });
    const page = await context.newPage();
    await page.goto(`${test.url}/admin/queues/queue/notificaciones?status=failed`);
    await page.getByText('El puente de mensajería rechazó el mensaje (HTTP 422)').waitFor();
    const link = page.getByRole('link', { name: `Guía ${guia}` });
    expect(await link.getAttribute('href')).toBe(`/admin/guias/${guia}`);
    await page.locator('button:has(.lucide-refresh-cw)').last().click();
    await page.getByRole('button', { name: 'Confirmar' }).click();

    const [, second] = await bridge.received(2);
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.json).toEqual(first!.json);
    // The page does not update itself, and the state is stored after the provider has answered.
    await messaging.reached(created, 'aceptado');
    await page.goto(`${test.url}/admin/guias/${guia}`);
    // The history above the messages says `aceptado` too, of the guide.
    await page.locator('h2', { hasText: 'Mensajes' }).locator('+ div').getByText('aceptado').waitFor();
    expect(bridge.sentTo(telefono)).toHaveLength(2);
    await context.close();
  });
});
