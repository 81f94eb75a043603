import { Webhook } from 'standardwebhooks';
import { eventually } from '../support/eventually.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import {
  createTestApp,
  guiaBody,
  type TestApp,
  type TestMerchant,
  type TestOperator,
} from '../support/test-app.js';

const WEBHOOKS = '/api/v1/webhooks';

describe('webhooks', () => {
  let test: TestApp;
  let stub: HttpStub;
  let merchant: TestMerchant;
  let operator: TestOperator;
  beforeAll(async () => {
    stub = await startHttpStub();
    test = await createTestApp({ env: { WEBHOOK_ALLOW_PRIVATE: 'true' } });
    merchant = await test.merchant();
    operator = await test.operator();
  });
  afterAll(async () => {
    await test.close();
    await stub.close();
  });

  it('quick', async () => {
    const made = await merchant.post(WEBHOOKS, { url: `${stub.url}/a` });
    expect(made.status).toBe(201);
    console.log(made.body);
    const { id } = made.body.webhook;
    const probe = await merchant.post(`${WEBHOOKS}/${id}/probar`);
    console.log(probe.status, probe.body);
    const guia = (await merchant.post('/api/v1/guias', guiaBody({ lat: 14.6, lng: -90.5 }))).body;
    await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    await merchant.post(`/api/v1/guias/${guia.id}/cancelar`);
    const got = await stub.received(4);
    const verifier = new Webhook(made.body.secreto);
    for (const one of got) {
      console.log(
        JSON.stringify(verifier.verify(one.rawBody.toString(), one.headers as Record<string, string>)).slice(
          0,
          300,
        ),
      );
    }
    await eventually(async () => {
      const list = await merchant.get(`${WEBHOOKS}/${id}/entregas?limit=2`);
      expect(list.body.entregas.map((e: any) => e.estado)).toEqual(['entregada', 'entregada']);
      expect(list.body.siguiente_cursor).not.toBeNull();
    });
    console.log(
      JSON.stringify(
        (await merchant.get(`${WEBHOOKS}/${id}/entregas/${got[3]!.headers['webhook-id']}`)).body,
      ).slice(0, 900),
    );
    console.log((await merchant.post(`${WEBHOOKS}/${id}/reenviar`, { desde: '2020-01-01' })).body);
    await stub.received(8);
    console.log((await merchant.post(`${WEBHOOKS}/${id}/rotar`)).body);
    stub.otherwise({ status: 410, body: 'nunca más' });
    console.log(
      (await merchant.post(`${WEBHOOKS}/${id}/reenviar`, { entrega: got[2]!.headers['webhook-id'] })).body,
    );
    await eventually(async () => {
      const { webhook } = (await merchant.get(`${WEBHOOKS}/${id}`)).body;
      expect(webhook).toMatchObject({ activo: false, desactivado_por: 'respuesta_410' });
    });
    console.log((await merchant.post(WEBHOOKS, { url: 'ftp://x', eventos: ['nada'], x: 1 })).body);
  });
});
