import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { bridgeEnv, startBridge, type Bridge } from '../support/messaging.js';
import { Person } from '../support/person.js';
import { useServices } from '../support/service-process.js';

/** From nothing to the first message to a real recipient: a start with an empty folder, and a browser. */
describeInBrowser('the first message of a new service', () => {
  const services = useServices();
  let bridge: Bridge;
  let browser: Browser;

  beforeAll(async () => {
    bridge = await startBridge();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await bridge?.close();
  });

  it('goes out of what the banner says and what the pages offer', async () => {
    const began = Date.now();
    const service = await services.start({
      DATA_DIR: services.newFolder(),
      PUBLIC_URL: 'https://guias.example.com',
      ...bridgeEnv(bridge.url),
    });
    const started = Date.now();
    const [, address] = /Start here +(\S+)/.exec(service.output())!;
    const [, username, password] = /(\S+) \/ (\S+)/.exec(service.output())!;
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      httpCredentials: { username: username!, password: password! },
    });
    const page = await context.newPage();
    const owner = new Person(page);
    const press = (name: string) => owner.click(page.getByRole('button', { name, exact: true }));
    const unfold = (name: string) => owner.click(page.locator('summary', { hasText: name }));

    await page.goto(address!);
    await owner.enter(page.getByLabel('Su teléfono'), '5555 0101');
    await page.getByText('Salió un mensaje').waitFor();
    expect(bridge.sentTo('+50255550101')).toHaveLength(1);

    await owner.click(page.locator('main').getByRole('link', { name: 'Comercios' }));
    await unfold('Nuevo comercio');
    await owner.enter(page.getByLabel('Nombre', { exact: true }), 'Zapatos Ana');
    await page.getByText('Se creó el comercio Zapatos Ana').waitFor();
    await unfold('Nueva clave');
    await press('Crear la clave');
    const key = await page.locator('[data-clave]').innerText();
    await owner.click(page.getByRole('link', { name: 'su panel' }));

    await owner.enter(page.getByLabel('Clave de API'), key);
    await owner.click(page.getByRole('link', { name: 'Nueva guía' }));
    await owner.click(page.getByLabel('Lo que escribió su cliente'));
    await page.keyboard.insertText(
      'soy Karla Ixcoy 5555 0202, es en Mixco, Guatemala, casa azul. Total Q349.50',
    );
    await press('Llenar los campos');
    await page.getByText('Llenamos').waitFor();
    await owner.click(page.locator('[name="recogida.maps_url"]'));
    await page.keyboard.insertText('14.6349, -90.5069');
    await press('Crear la guía');
    await page.getByText('La guía está creada.').waitFor();
    await eventually(() => expect(bridge.sentTo('+50255550202')).toHaveLength(1));
    expect(bridge.sentTo('+50255550202')[0]!.json).toMatchObject({
      tipo: 'confirmacion_ubicacion',
      comercio: 'Zapatos Ana',
    });
    const seconds = (ms: number) => (ms / 1_000).toFixed(1);
    process.stdout.write(
      `first message: ${seconds(Date.now() - began)} s, of which the start took ${seconds(started - began)} s; ` +
        `${owner.interactions} interactions\n`,
    );
  }, 180_000);
});
