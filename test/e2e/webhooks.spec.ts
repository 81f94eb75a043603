import { WEBHOOK_EVENTO_NAMES } from '../../src/webhooks/endpoints/webhook-evento.js';
import { URL_FAULTS } from '../../src/webhooks/endpoints/webhook-url.js';
import { failOn } from '../support/failing-statement.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { Answer, TestMerchant } from '../support/test-app.js';
import { PATH } from '../support/webhooks.js';
import { useSharedApp } from '../support/use.js';

const URL = 'https://tienda.example/avisos';
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

type Method = 'get' | 'post' | 'patch' | 'delete';

/** A path, and the body where there is one. */
type Route = [method: Method, path: string, body: unknown];

/** Every route of one endpoint, with a valid request. */
const OF_ONE: Route[] = [
  ['get', '', undefined],
  ['patch', '', { descripcion: 'otra' }],
  ['delete', '', undefined],
  ['post', '/rotar', undefined],
  ['post', '/probar', undefined],
  ['post', '/reenviar', { desde: '2026-01-01' }],
  ['get', '/entregas', undefined],
  ['get', `/entregas/${UNKNOWN}`, undefined],
];

describe('endpoints', () => {
  const test = useSharedApp();
  let merchant: TestMerchant;

  beforeEach(async () => {
    merchant = await test.merchant();
  });

  const ask = (who: TestMerchant, method: Method, path: string, body?: unknown): Promise<Answer> =>
    method === 'get' || method === 'delete' ? who[method](path) : who[method](path, body);
  const make = async (over: Record<string, unknown> = {}): Promise<any> => {
    const { status, body } = await merchant.post(PATH, { url: URL, ...over });
    expect(status).toBe(201);
    return body.webhook;
  };

  describe('are created', () => {
    it('with a URL alone: for all events, active, and with a secret', async () => {
      const { status, body } = await merchant.post(PATH, { url: URL });
      expect(status).toBe(201);
      expect(body).toEqual({
        ok: true,
        webhook: {
          ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), url: URL, eventos: WEBHOOK_EVENTO_NAMES },
          ...{ descripcion: null, activo: true, desactivado_en: null, desactivado_por: null },
          ...{ falla_desde: null, secreto_anterior_hasta: null, creado_en: TIME },
          actualizado_en: body.webhook.creado_en,
        },
        secreto: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      });
    });

    it('with a choice of events, without duplicates, and a description', async () => {
      const eventos = ['guia.cancelada', 'guia.creada', 'guia.cancelada'];
      expect(await make({ eventos, descripcion: '  Mi tienda ' })).toMatchObject({
        eventos: ['guia.cancelada', 'guia.creada'],
        descripcion: 'Mi tienda',
      });
    });

    it('up to twenty per merchant, not counting deleted ones', async () => {
      for (let n = 1; n <= 20; n++) await make();
      const refused = await merchant.post(PATH, { url: URL });
      expectProblem(refused, 'limite_de_webhooks');
      const { webhooks } = (await merchant.get(PATH)).body;
      expect(webhooks).toHaveLength(20);
      expect((await (await test.merchant()).post(PATH, { url: URL })).status).toBe(201);
      await merchant.delete(`${PATH}/${webhooks[7].id}`);
      await make();
      expect((await merchant.post(PATH, { url: URL })).status).toBe(409);
    });

    it('up to twenty also when thirty are requested at once', async () => {
      const answers = await Promise.all(Array.from({ length: 30 }, () => merchant.post(PATH, { url: URL })));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 201)).toHaveLength(20);
      expect(statuses.filter((status) => status === 409)).toHaveLength(10);
      expect((await merchant.get(PATH)).body.webhooks).toHaveLength(20);
    });
  });

  describe('are rejected', () => {
    it.each<[body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
      [{}, ['url: requerido']],
      [{ url: `${URL}/${'x'.repeat(2_048)}` }, ['url: demasiado_largo']],
      [{ url: URL, eventos: [] }, ['eventos: fuera_de_rango']],
      [{ url: URL, eventos: ['guia.creada', 'guia.perdida'] }, ['eventos: formato']],
      [{ url: URL, activo: true }, ['activo: campo_desconocido']],
    ])('with the body %j', async (body, faults) => expectFaults(await merchant.post(PATH, body), faults));

    it('with all faults listed together, that of the URL among them', async () => {
      expectFaults(
        await merchant.post(PATH, { url: 'http://10.0.0.1/', eventos: ['x'], descripcion: 3, nada: 1 }),
        ['nada: campo_desconocido', 'url: formato', 'eventos: formato', 'descripcion: tipo'],
      );
    });

    it.each([
      ['http://tienda.example/', URL_FAULTS.notHttps],
      ['https://ana:clave@tienda.example/', URL_FAULTS.credentials],
      ['https://127.0.0.1/', URL_FAULTS.notPublic],
      ['https://[::ffff:10.0.0.1]/', URL_FAULTS.notPublic],
    ])('with the URL %j, on create and on update', async (url, mensaje) => {
      const { id } = await make();
      for (const answer of [
        await merchant.post(PATH, { url }),
        await merchant.patch(`${PATH}/${id}`, { url }),
      ]) {
        expectFaults(answer, ['url: formato']);
        expect(answer.body.errores[0].mensaje).toBe(mensaje);
      }
      expect((await merchant.get(`${PATH}/${id}`)).body.webhook.url).toBe(URL);
    });
  });

  describe('can be', () => {
    it('listed, oldest first, and read, without their secrets', async () => {
      const made = [await make({ descripcion: 'a' }), await make({ descripcion: 'b' })];
      expect((await merchant.get(PATH)).body).toEqual({ ok: true, webhooks: made });
      for (const webhook of made)
        expect((await merchant.get(`${PATH}/${webhook.id}`)).body).toEqual({ ok: true, webhook });
    });

    it('updated field by field; absent fields stay', async () => {
      const made = await make({ eventos: ['guia.creada'], descripcion: 'a' });
      const path = `${PATH}/${made.id}`;
      const changes: [Record<string, unknown>, Record<string, unknown>][] = [
        [{ url: 'https://otra.example' }, { url: 'https://otra.example/' }],
        [{ eventos: ['guia.cancelada'] }, { eventos: ['guia.cancelada'] }],
        [{ descripcion: null }, { descripcion: null }],
        [{}, {}],
      ];
      let expected = made;
      for (const [change, shown] of changes) {
        const { status, body } = await merchant.patch(path, change);
        expected = { ...expected, ...shown, actualizado_en: TIME };
        expect({ status, body }).toEqual({ status: 200, body: { ok: true, webhook: expected } });
      }
    });

    it('disabled and enabled by their merchant, who is named as the reason', async () => {
      const { id } = await make();
      const patch = async (activo: boolean) =>
        (await merchant.patch(`${PATH}/${id}`, { activo })).body.webhook;
      const off = await patch(false);
      expect(off).toMatchObject({ activo: false, desactivado_en: TIME, desactivado_por: 'comercio' });
      expect(await patch(false)).toMatchObject({ desactivado_en: off.desactivado_en });
      expect(await patch(true)).toMatchObject({ activo: true, desactivado_en: null, desactivado_por: null });
    });

    it('as a whole: if it cannot be disabled, its other fields stay too', async () => {
      const { id } = await make({ descripcion: 'vieja' });
      const end = await failOn(test.database, 'update on webhooks', 'not new.activo');
      expectProblem(
        await merchant.patch(`${PATH}/${id}`, { activo: false, descripcion: 'nueva' }),
        'error_interno',
      );
      await end();
      const { webhook } = (await merchant.get(`${PATH}/${id}`)).body;
      expect(webhook).toMatchObject({ activo: true, descripcion: 'vieja' });
    });

    it.each<[body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
      [{ activo: 1, eventos: [] }, ['activo: tipo', 'eventos: fuera_de_rango']],
      [
        { desactivado_por: null, secreto: 3, id: 'x' },
        ['desactivado_por', 'secreto', 'id'].map((name) => `${name}: campo_desconocido` as const),
      ],
      [{ url: 'http://a.example', descripcion: 7 }, ['url: formato', 'descripcion: tipo']],
    ])('updated, but not with %j', async (body, faults) => {
      const { id } = await make();
      expectFaults(await merchant.patch(`${PATH}/${id}`, body), faults);
    });

    it('deleted once; every route answers 404 then', async () => {
      const { id } = await make();
      const { status, body } = await merchant.delete(`${PATH}/${id}`);
      expect({ status, body }).toEqual({ status: 200, body: { ok: true } });
      expect((await merchant.get(PATH)).body.webhooks).toEqual([]);
      for (const [method, below, sent] of OF_ONE)
        expectProblem(await ask(merchant, method, `${PATH}/${id}${below}`, sent), 'no_encontrado');
    });
  });

  describe('belong to their merchant:', () => {
    it('a key with the scope `webhooks` alone creates endpoints and reads no guides', async () => {
      const hooks = await test.keyOf(merchant.id, { scopes: ['webhooks'] });
      expect((await hooks.post(PATH, { url: URL })).status).toBe(201);
      expectProblem(await hooks.get('/api/v1/guias'), 'sin_permiso');
    });
  });
});
