import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRETO = 'un secreto de la tienda';

/** Parts of an order, as Shopify's webhooks have them. */
const order = (over: object = {}) => ({
  id: 820982911946154500,
  admin_graphql_api_id: 'gid://shopify/Order/820982911946154508',
  note_attributes: [{ name: 'regalo', value: 'sí' }],
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
  let shop: HttpStub;
  let output = '';

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'all', WEBHOOK_ALLOW_PRIVATE: 'true' } });
    tester = await test.tester();
    shop = await startHttpStub();
    shop.otherwise({ json: { data: { orderUpdate: { userErrors: [] } } } });
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
    const { body: endpoint } = await tester.post('/api/v1/webhooks', { url });
    bridge = spawn(process.execPath, [join(folder, 'puente.mjs')], {
      env: {
        ...{ GUIAS_URL: test.url, GUIAS_CLAVE: tester.key, SHOPIFY_SECRETO: SECRETO, PORT: String(port) },
        ...{ SHOPIFY_TIENDA: shop.url, SHOPIFY_TOKEN: 'shpat_1', GUIAS_SECRETO: endpoint.secreto },
      },
    });
    for (const stream of [bridge.stdout!, bridge.stderr!])
      stream.on('data', (data: Buffer) => (output += data.toString()));
    await eventually(async () => expect((await fetch(url)).status).toBe(401));
  });
  afterAll(async () => {
    const ended = once(bridge, 'exit');
    bridge.kill();
    await ended;
    await shop.close();
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
  beforeEach(() => void (shop.requests.length = 0));
  /** The order's details as the bridge wrote them. */
  const details = () => shop.requests.map(({ json }) => json.variables.input).filter(Boolean);
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
    expect(output).toMatch(/#3: sin guía.* telefono: /);
    expect(await guiasOf(3)).toEqual([]);
    const [written, ...others] = details();
    expect(others).toEqual([]);
    expect(written).toEqual({
      id: order().admin_graphql_api_id,
      customAttributes: [
        { key: 'regalo', value: 'sí' },
        { key: 'Guías', value: expect.stringContaining('telefono: ') },
      ],
    });
    expect(shop.requests[0]!.headers['x-shopify-access-token']).toBe('shpat_1');
  });

  it('writes once what is missing, and that it is no more', async () => {
    const phone = { ...order().shipping_address, phone: null };
    await send({ id: 20, shipping_address: phone });
    const [{ customAttributes }] = details();
    const note_attributes = customAttributes.map(({ key: name, value }: { key: string; value: string }) => ({
      ...{ name, value },
    }));
    await send({ id: 20, shipping_address: phone, note_attributes });
    expect(details()).toHaveLength(1);
    await send({ id: 20, note_attributes });
    const [{ guia }] = (await guiasOf(20)) as [{ guia: string }];
    expect(details().at(-1).customAttributes).toContainEqual({ key: 'Guías', value: `Guía ${guia}` });
  });

  it('cancels the guide of an order that is cancelled', async () => {
    await send({ id: 21 });
    for (const _ of [1, 2]) expect(await send({ id: 21, cancelled_at: '2026-11-21T15:04:05Z' })).toBe(200);
    expect(await guiasOf(21)).toMatchObject([{ estado: 'cancelado' }]);
    expect(details()).toEqual([]);
  });

  it('collects what is still to be paid', async () => {
    await send({ id: 22 });
    expect(await send({ id: 22, total_outstanding: '100.10' })).toBe(200);
    expect(await guiasOf(22)).toMatchObject([{ cod_amount: 100.1 }]);
  });

  it.each<[string, object]>([
    ['amount', { total_outstanding: '0.00' }],
    ['cancellation', { cancelled_at: '2026-11-21T15:04:05Z' }],
  ])('writes into the order where its guide cannot follow its %s', async (what, over) => {
    const id = 30 + what.length;
    await send({ id });
    const [{ guia }] = (await guiasOf(id)) as [{ guia: string }];
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await tester.post(`/api/v1/pruebas/guias/${guia}/estado`, { estado });
    expect(await send({ id, ...over })).toBe(200);
    expect(details()).toMatchObject([
      {
        customAttributes: [
          {},
          { key: 'Guías', value: expect.stringContaining(`la guía ${guia} no siguió al pedido`) },
        ],
      },
    ]);
    expect(await guiasOf(id)).toMatchObject([{ estado: 'en_ruta', cod_amount: 349.5 }]);
  });

  it('tells the shop where the parcel is, with one shipment and its tracking link', async () => {
    const id = 50;
    const gid = `gid://shopify/Order/${id}`;
    const shipments: object[] = [];
    shop.otherwise(({ json: { query, variables } }) => {
      if (query.startsWith('query')) {
        const status = shipments.length > 0 ? 'CLOSED' : 'OPEN';
        const fulfillmentOrders = { nodes: [{ id: 'fo-1', status }] };
        return {
          json: {
            data: { order: variables.id === gid ? { fulfillments: shipments, fulfillmentOrders } : null },
          },
        };
      }
      if (!query.includes('fulfillmentCreate(')) return { json: { data: {} } };
      const { number } = variables.fulfillment.trackingInfo;
      shipments.push({ id: 'f-1', trackingInfo: [{ number }] });
      return { json: { data: { fulfillmentCreate: { fulfillment: { id: 'f-1' }, userErrors: [] } } } };
    });
    await send({ id });
    const [{ guia }] = (await guiasOf(id)) as [{ guia: string }];
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'])
      await tester.post(`/api/v1/pruebas/guias/${guia}/estado`, {
        estado,
        ...(estado === 'entregado' && { cod_cobrado: 349.5 }),
      });
    const sent = (name: string) =>
      shop.requests.flatMap(({ json: { variables } }) => (name in variables ? [variables[name]] : []));
    await eventually(() =>
      // The shop orders them by their time.
      expect(sent('suceso').toSorted((a, b) => a.happenedAt.localeCompare(b.happenedAt))).toMatchObject(
        ['IN_TRANSIT', 'OUT_FOR_DELIVERY', 'DELIVERED'].map((status) => ({ fulfillmentId: 'f-1', status })),
      ),
    );
    const { seguimiento } = (await tester.get(`/api/v1/guias/${guia}`)).body.guia;
    expect(sent('fulfillment')).toMatchObject([
      {
        trackingInfo: { number: guia, url: seguimiento },
        lineItemsByFulfillmentOrder: [{ fulfillmentOrderId: 'fo-1' }],
      },
    ]);
  });

  it('takes no notice that is not signed by the service', async () => {
    const headers = { 'webhook-id': '1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) };
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'webhook-signature': 'v1,x' },
      body: '{}',
    });
    expect(answer.status).toBe(401);
  });

  it('goes on where the shop takes no detail', async () => {
    shop.answer({ status: 500, body: 'x' });
    expect(await send({ id: 40, shipping_address: { ...order().shipping_address, phone: null } })).toBe(200);
  });

  it('cuts contents and notes that are too long', async () => {
    const line_items = Array.from({ length: 40 }, (_, n) => ({ title: `Camiseta talla ${n}`, quantity: 1 }));
    await send({ id: 41, line_items, note: 'ñ'.repeat(2_000) });
    const [{ contenido, notas }] = (await guiasOf(41)) as [{ contenido: string; notas: string }];
    expect([contenido.length, contenido.at(-1), notas.length]).toEqual([500, '…', 1_000]);
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
