import { spawn, type ChildProcess } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { eventually } from '../support/eventually.js';
import { missingFor } from '../support/clients/client-process.js';
import { freePort } from '../support/free-port.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { unlessMissing } from '../support/skipping.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

const ROOT = resolve(import.meta.dirname, '../..');
const SECRETO = 'un secreto de la tienda';

/** Parts of an order, as WooCommerce's REST API v3 documents it. */
const order = (over: object = {}) => ({
  id: 727,
  number: '727',
  status: 'processing',
  currency: 'GTQ',
  total: '349.50',
  payment_method: 'cod',
  customer_note: 'Timbre roto',
  billing: {
    ...{
      first_name: 'Ana',
      last_name: 'López',
      company: '',
      address_1: '4a calle 5-10',
      address_2: 'zona 1',
    },
    ...{
      city: 'Mixco',
      state: 'GT-GU',
      postcode: '',
      country: 'GT',
      email: 'ana@example.com',
      phone: '5555 1234',
    },
  },
  shipping: {
    ...{ first_name: '', last_name: '', company: '', address_1: '', address_2: '', city: '', state: '' },
    ...{ postcode: '', country: '', phone: '' },
  },
  line_items: [
    { name: 'Zapatos', quantity: 2 },
    { name: 'Gorra', quantity: 1 },
  ],
  refunds: [] as { total: string }[],
  meta_data: [{ id: 1, key: '_otra', value: 'x' }],
  ...over,
});

unlessMissing(describe, missingFor('php'))('the bridge of docs/woocommerce.md', () => {
  let test: TestApp;
  let tester: TestMerchant;
  let shop: HttpStub;
  let folder: string;
  let bridge: ChildProcess;
  let url: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'all', WEBHOOK_ALLOW_PRIVATE: 'true' } });
    tester = await test.tester();
    shop = await startHttpStub();
    const kept = new Map<string, object[]>();
    shop.otherwise(({ path, method, json }) => {
      if (path.endsWith('/data/countries/GT'))
        return { json: { code: 'GT', name: 'Guatemala', states: [{ code: 'GT-GU', name: 'Guatemala' }] } };
      if (!path.endsWith('/notes')) return { json: {} };
      const ofOrder = kept.get(path) ?? [];
      if (method === 'POST') kept.set(path, [...ofOrder, json]);
      return method === 'POST' ? { status: 201, json } : { json: ofOrder };
    });
    folder = mkdtempSync(join(tmpdir(), 'guias-woo-'));
    const [, program] = /`puente\.php`:\n\n```php\n([\s\S]*?)```/.exec(
      readFileSync(join(ROOT, 'docs/woocommerce.md'), 'utf8'),
    )!;
    writeFileSync(join(folder, 'puente.php'), program!);
    mkdirSync(join(folder, 'vendor'));
    writeFileSync(join(folder, 'vendor/autoload.php'), `<?php require '${ROOT}/clients/php/autoload.php';`);
    const port = await freePort();
    url = `http://127.0.0.1:${port}/`;
    const { body: endpoint } = await tester.post('/api/v1/webhooks', { url });
    const env = {
      GUIAS_SECRETO: endpoint.secreto,
      ...{ PATH: process.env.PATH, GUIAS_URL: test.url, GUIAS_CLAVE: tester.key, WOO_URL: `${shop.url}/` },
      ...{ WOO_CLAVE: 'ck_1', WOO_SECRETA: 'cs_1', WOO_SECRETO: SECRETO },
    };
    bridge = spawn('php', ['-S', `127.0.0.1:${port}`, 'puente.php'], { cwd: folder, env, stdio: 'ignore' });
    await eventually(async () => expect((await post('webhook_id=1', '')).status).toBe(200));
  });
  afterAll(async () => {
    const ended = once(bridge, 'exit');
    bridge.kill();
    await ended;
    await shop.close();
    await test.close();
    rmSync(folder, { recursive: true });
  });
  beforeEach(() => void (shop.requests.length = 0));

  const post = async (
    body: string,
    signature = createHmac('sha256', SECRETO).update(body).digest('base64'),
  ) => {
    const headers = { 'content-type': 'application/json', 'x-wc-webhook-signature': signature };
    const answer = await fetch(url, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const send = (over: object = {}) => post(JSON.stringify(order(over)));
  const guiaOf = async (id: number) =>
    (await tester.get(`/api/v1/guias?external_ref=woo-${id}`)).body.guias.map(
      ({ guia }: { guia: string }) => guia,
    );

  it('makes one guide of an order, and writes its number and link back', async () => {
    expect(await send()).toMatchObject({ status: 200 });
    expect((await send()).status).toBe(200);
    const [guia, ...others] = await guiaOf(727);
    expect(others).toEqual([]);
    const { body } = await tester.get(`/api/v1/guias/${guia}`);
    expect(body.guia).toMatchObject({
      ...{
        destinatario: 'Ana López',
        telefono: '+50255551234',
        departamento: 'Guatemala',
        municipio: 'Mixco',
      },
      ...{ direccion: '4a calle 5-10 zona 1', notas: 'Timbre roto', cod_amount: 349.5 },
      contenido: '2 × Zapatos, 1 × Gorra',
    });
    const [, put] = shop.requests;
    expect(put).toMatchObject({ method: 'PUT', path: '/wp-json/wc/v3/orders/727' });
    expect(put!.headers.authorization).toBe(`Basic ${Buffer.from('ck_1:cs_1').toString('base64')}`);
    expect(put!.json).toEqual({
      meta_data: [
        { key: 'guias_guia', value: guia },
        { key: 'guias_seguimiento', value: body.guia.seguimiento },
      ],
    });
  });

  it('collects nothing for an order that is paid, and sends it to the other address', async () => {
    const shipping = { ...order().billing, first_name: 'Luis', city: 'Villa Nueva', phone: '5555 4321' };
    await send({ id: 728, payment_method: 'bacs', shipping });
    const [guia] = await guiaOf(728);
    expect((await tester.get(`/api/v1/guias/${guia}`)).body.guia).toMatchObject({
      ...{ cod_amount: 0, destinatario: 'Luis López', telefono: '+50255554321', municipio: 'Villa Nueva' },
    });
  });

  it('tells whoever handles the order what is missing', async () => {
    const { status, text } = await send({ id: 729, billing: { ...order().billing, phone: '1' } });
    expect({ status, text }).toEqual({ status: 200, text: expect.stringContaining('telefono: ') });
    expect(shop.requests.at(-1)).toMatchObject({ method: 'POST', path: '/wp-json/wc/v3/orders/729/notes' });
    expect(shop.requests.at(-1)!.json.note).toContain('telefono: ');
    expect(await guiaOf(729)).toEqual([]);
  });

  const guiaNow = async (guia: string) => (await tester.get(`/api/v1/guias/${guia}`)).body.guia;
  const written = () =>
    shop.requests.filter(({ path, method }) => method === 'POST' && path.endsWith('/notes'));
  /** Without those that tell where the parcel is, which bear its link. */
  const notes = () => written().filter(({ json }) => !json.note.includes('/c/'));

  it('tells the shop where the parcel is, and completes the order that is delivered', async () => {
    const id = 780;
    await send({ id });
    const [guia] = await guiaOf(id);
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta', 'entregado'])
      await tester.post(`/api/v1/pruebas/guias/${guia}/estado`, {
        estado,
        ...(estado === 'entregado' && { cod_cobrado: 349.5 }),
      });
    const { seguimiento } = await guiaNow(guia);
    await eventually(() =>
      expect(shop.requests.at(-1)).toMatchObject({
        ...{ method: 'PUT', path: `/wp-json/wc/v3/orders/${id}`, json: { status: 'completed' } },
      }),
    );
    expect(written().map(({ json: { note } }) => note)).toEqual(
      ['el mensajero la recogió', 'va en camino', 'entregada'].map((text) =>
        expect.stringMatching(new RegExp(`^Guía ${guia}: ${text} .*${seguimiento}$`)),
      ),
    );
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

  it.each(['cancelled', 'refunded', 'failed'])('cancels the guide of an order that is %s', async (status) => {
    const id = 740 + status.length;
    await send({ id });
    const [guia] = await guiaOf(id);
    expect(await send({ id, status })).toMatchObject({ status: 200 });
    expect(await send({ id, status })).toMatchObject({ status: 200 });
    expect(await guiaNow(guia)).toMatchObject({ estado: 'cancelado' });
    expect(notes()).toEqual([]);
  });

  it('collects what an order costs now', async () => {
    await send({ id: 750 });
    const [guia] = await guiaOf(750);
    for (const [over, cod_amount] of [
      [{ total: '400.10' }, 400.1],
      [{ total: '400.10', refunds: [{ total: '-50.05' }] }, 350.05],
      [{ total: '400.10', payment_method: 'bacs' }, 0],
    ] as const) {
      expect(await send({ id: 750, ...over })).toMatchObject({ status: 200 });
      expect(await guiaNow(guia)).toMatchObject({ cod_amount });
    }
  });

  it.each<[string, object]>([
    ['amount', { total: '1.00' }],
    ['cancellation', { status: 'cancelled' }],
  ])('writes a note into the order where its guide cannot follow its %s, once', async (what, over) => {
    const id = 760 + what.length;
    await send({ id });
    const [guia] = await guiaOf(id);
    for (const estado of ['en_camino_a_recoger', 'recogido', 'en_ruta'])
      await tester.post(`/api/v1/pruebas/guias/${guia}/estado`, { estado });
    shop.requests.length = 0;
    expect(await send({ id, ...over })).toMatchObject({ status: 200 });
    const [note, ...others] = notes();
    expect(others).toEqual([]);
    expect(note).toMatchObject({ path: `/wp-json/wc/v3/orders/${id}/notes` });
    expect(note!.json.note).toContain(`La guía ${guia} no siguió al pedido`);
    await send({ id, ...over });
    expect(notes()).toHaveLength(1);
    expect((await guiaNow(guia)).estado).toBe('en_ruta');
  });

  it('cuts contents and notes that are too long', async () => {
    const line_items = Array.from({ length: 40 }, (_, n) => ({ name: `Camiseta talla ${n}`, quantity: 1 }));
    await send({ id: 770, line_items, customer_note: 'ñ'.repeat(2_000) });
    const { contenido, notas } = await guiaNow((await guiaOf(770))[0]);
    expect([contenido.length, contenido.at(-1), notas.length]).toEqual([500, '…', 1_000]);
  });

  it.each<[string, object]>([
    ['is not to be sent yet', { id: 730, status: 'pending' }],
    ['has its guide', { id: 731, meta_data: [{ id: 1, key: 'guias_guia', value: '931637862414' }] }],
  ])('does nothing for an order that %s', async (_, over) => {
    expect((await send(over)).status).toBe(200);
    const { id } = over as { id: number };
    expect(shop.requests.filter(({ path }) => path.includes(`/orders/${id}`))).toEqual([]);
  });

  it('believes nothing that the shop did not sign', async () => {
    const body = JSON.stringify(order({ id: 732 }));
    for (const signature of ['', createHmac('sha256', '').update(body).digest('base64')])
      expect((await post(body, signature)).status).toBe(401);
    expect(await guiaOf(732)).toEqual([]);
  });
});
