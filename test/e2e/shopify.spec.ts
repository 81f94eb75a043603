import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRETO = 'un secreto de la tienda';

/** Parts of an order, as Shopify's webhooks have them. */
const order = (over: object = {}) => ({
  id: 820982911946154500,
  name: '#9999',
  test: false,
  cancelled_at: null,
  note: 'Timbre roto',
  phone: null,
  total_price: '349.50',
  total_outstanding: '349.50',
  customer: { phone: null },
  line_items: [
    { quantity: 2, title: 'Zapatos' },
    { quantity: 1, title: 'Gorra' },
  ],
  billing_address: null,
  shipping_address: {
    ...{
      first_name: 'Ana',
      last_name: 'López',
      address1: '4a calle 5-10',
      address2: 'zona 1',
      phone: '5555 1234',
    },
    ...{ city: 'Mixco', province: 'Guatemala', country: 'Guatemala', zip: null, country_code: 'GT' },
  },
  ...over,
});

describe('the bridge of docs/shopify.md', () => {
  let test: TestApp;
  let tester: TestMerchant;
  let folder: string;
  let bridge: ChildProcess;
  let url: string;
  let output = '';

  beforeAll(async () => {
    test = await createTestApp();
    tester = await test.tester();
    folder = mkdtempSync(join(tmpdir(), 'guias-shopify-'));
    const [, program] = /`puente\.mjs`:\n\n```js\n([\s\S]*?)```/.exec(
      readFileSync(join(ROOT, 'docs/shopify.md'), 'utf8'),
    )!;
    buildSync({
      stdin: { contents: program!, resolveDir: folder, loader: 'js' },
      alias: { 'guias-client': join(ROOT, 'clients/typescript/src/index.ts') },
      ...{ bundle: true, format: 'esm', platform: 'node', outfile: join(folder, 'puente.mjs') },
    });
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    bridge = spawn(process.execPath, [join(folder, 'puente.mjs')], {
      env: { GUIAS_URL: test.url, GUIAS_CLAVE: tester.key, SHOPIFY_SECRETO: SECRETO, PORT: String(port) },
    });
    for (const stream of [bridge.stdout!, bridge.stderr!])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    await eventually(async () => expect((await fetch(url)).status).toBe(401));
  });
  afterAll(async () => {
    const ended = once(bridge, 'exit');
    bridge.kill();
    await ended;
    await test.close();
    rmSync(folder, { recursive: true });
  });

  const post = async (
    body: string,
    signature = createHmac('sha256', SECRETO).update(body).digest('base64'),
  ) => {
    const headers = { 'content-type': 'application/json', 'x-shopify-hmac-sha256': signature };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  };
  const send = (over: object = {}) => post(JSON.stringify(order(over)));
  const guiasOf = async (id: number) =>
    (await tester.get(`/api/v1/guias?external_ref=shopify-${id}`)).body.guias as Record<string, unknown>[];

  it('makes one guide of an order, however often it is told', async () => {
    expect(await Promise.all([send(), send()])).toEqual([200, 200]);
    expect(await send({ note: 'otra' })).toBe(200);
    const guias = await guiasOf(order().id);
    expect(guias).toMatchObject([
      {
        ...{
          destinatario: 'Ana López',
          telefono: '+50255551234',
          departamento: 'Guatemala',
          municipio: 'Mixco',
        },
        ...{
          direccion: '4a calle 5-10, zona 1',
          contenido: '2 × Zapatos, 1 × Gorra',
          notas: 'Timbre roto',
          cod_amount: 349.5,
        },
      },
    ]);
    expect(output).toContain(`#9999: guía ${String(guias[0]!.guia)}`);
  });

  it('collects nothing for an order that is paid', async () => {
    await send({ id: 2, total_outstanding: '0.00' });
    expect(await guiasOf(2)).toMatchObject([{ cod_amount: 0 }]);
  });

  it('tells what is missing', async () => {
    expect(
      await send({ id: 3, name: '#3', shipping_address: { ...order().shipping_address, phone: null } }),
    ).toBe(200);
    expect(output).toMatch(/#3: sin guía.*\ntelefono: /);
    expect(await guiasOf(3)).toEqual([]);
  });

  it.each<[string, object]>([
    ['is cancelled', { id: 4, cancelled_at: '2026-11-21T15:04:05-06:00' }],
    ['is a test of Shopify’s', { id: 5, test: true }],
    ['is not sent anywhere', { id: 6, shipping_address: null }],
  ])('does nothing for an order that %s', async (_, over) => {
    expect(await send(over)).toBe(200);
    expect(await guiasOf((over as { id: number }).id)).toEqual([]);
  });

  it('believes nothing that the shop did not sign, and survives it', async () => {
    const body = JSON.stringify(order({ id: 7 }));
    for (const signature of ['', 'ñ', createHmac('sha256', '').update(body).digest('base64')])
      expect(await post(body, encodeURIComponent(signature))).toBe(401);
    expect(await post('{')).toBe(500);
    expect(await guiasOf(7)).toEqual([]);
    expect(await send()).toBe(200);
  });
});
