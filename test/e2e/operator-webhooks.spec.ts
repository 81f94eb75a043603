import { OPERATOR_EVENTO_NAMES } from '../../src/webhooks/endpoints/webhook-evento.js';
import { ConfirmationsService } from '../../src/confirmations/confirmations.service.js';
import { eventually, settled } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, type Answer, type TestMerchant, type TestOperator } from '../support/test-app.js';
import { createHookedApp, gate, PATH as MERCHANTS, verified } from '../support/webhooks.js';
import { opened } from '../support/use.js';

const PATH = '/api/v1/operaciones/webhooks';
const PLACE = { lat: 14.6407, lng: -90.5133 };
const UNKNOWN_ID = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';

/** Concurrent attempts to the new endpoints of an operator, by one process. */
const ENDPOINT_SLOTS = 16;

interface Endpoint {
  id: string;
  secreto: string;
  /** Its path at the receiver. */
  at: string;
  /** Its path in the API. */
  path: string;
}

describe("operators' webhooks", () => {
  let operator: TestOperator;
  let merchants: TestMerchant[];
  let count = 0;

  const app = opened(() => createHookedApp());
  beforeEach(async () => {
    operator = await app.test.operator(`Mensajería ${++count}`);
    merchants = [await app.test.merchant(), await app.test.merchant()];
  });
  afterEach(() => app.test.database.query('update webhooks set eliminado_en = now()'));

  const ok = ({ status, text, body }: Answer) => {
    if (status > 201) throw new Error(`${status} ${text}`);
    return body;
  };
  const endpoint = async (over: Record<string, unknown> = {}): Promise<Endpoint> => {
    const at = `/operador/${count}/${Math.random()}`;
    const { webhook, secreto } = ok(await operator.post(PATH, { url: app.receiver.url + at, ...over }));
    return { id: webhook.id, secreto, at, path: `${PATH}/${webhook.id}` };
  };
  const create = async (merchant: TestMerchant, over = {}) =>
    ok(await merchant.post('/api/v1/guias', guiaBody({ ...PLACE, ...over })));
  /** The verified messages of an endpoint, once nothing is in flight, in the order of their guides' events. */
  const received = async ({ at, secreto }: Endpoint, of: number): Promise<any[]> => {
    await eventually(() => expect(app.receiver.at(at)).toHaveLength(of));
    await settled(app.test);
    expect(app.receiver.at(at)).toHaveLength(of);
    return app.receiver
      .at(at)
      .map((request) => verified(secreto, request))
      .sort((a, b) => a.data.secuencia - b.data.secuencia);
  };
  const linkOf = (guiaId: string): Promise<string> =>
    eventually(async () => {
      const [message] = await app.test.database.query<{ id: string }>(
        `select id from mensajes where guia_id = $1 and estado = 'aceptado'`,
        [guiaId],
      );
      return `/c/${app.test.app.get(ConfirmationsService).token(message!.id)}`;
    });
  const answer = (link: string, body: object) =>
    app.test.request(link, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  it('tell of the guides of all merchants as operators read them', async () => {
    const hook = await endpoint();
    const ids = [];
    for (const merchant of merchants) ids.push((await create(merchant)).id);
    const avisos = await received(hook, 2);
    expect(avisos.map(({ data }) => data.guia.id).sort()).toEqual(ids.sort());
    for (const { type, data } of avisos) {
      const { guia } = ok(await operator.get(`/api/v1/operaciones/guias/${data.guia.id}`));
      expect({ type, data }).toEqual({
        type: 'guia.creada',
        data: { secuencia: 1, estado: 'aceptado', estado_anterior: null, ocurrido_en: guia.creada_en, guia },
      });
    }
  });

  it('tell of creation, change, confirmation, denial and cancellation, and of nothing else', async () => {
    const hook = await endpoint();
    const [merchant] = merchants as [TestMerchant];
    const { id } = await create(merchant, { lat: undefined, lng: undefined });
    const link = await linkOf(id);
    ok(await merchant.patch(`/api/v1/guias/${id}`, { notas: 'Llamar antes' }));
    expect((await answer(link, PLACE)).status).toBe(200);
    ok(await operator.move(id, { estado: 'en_camino_a_recoger' }));
    expect((await answer(link, { niega: 'si' })).status).toBe(200);
    ok(await merchant.post(`/api/v1/guias/${id}/cancelar`, {}));
    const avisos = await received(hook, 5);
    expect(avisos.map(({ type }) => type)).toEqual([
      'guia.creada',
      'guia.actualizada',
      'guia.confirmada',
      'guia.destinatario_niega',
      'guia.cancelada',
    ]);
    expect(avisos[1].data).toMatchObject({ campos: ['notas'], guia: { notas: 'Llamar antes' } });
    const { entregas } = ok(await operator.get(`${hook.path}/entregas`));
    expect(entregas.map(({ evento }: any) => evento)).toContain('guia.actualizada');
  });

  it('tell nothing of test guides', async () => {
    const hook = await endpoint();
    await create(await app.test.tester());
    await create(merchants[0]!);
    await received(hook, 1);
  });

  it("leave the messages of the merchant's own endpoints as they are", async () => {
    const hook = await endpoint({ eventos: ['guia.creada'] });
    const [merchant] = merchants as [TestMerchant];
    const own = await app.hooks.endpoint(merchant, { eventos: ['guia.creada'] });
    const { id } = await create(merchant);
    const [forOperator] = await received(hook, 1);
    const [forMerchant] = await received(own, 1);
    expect(forMerchant.data.guia).not.toHaveProperty('comercio');
    expect(forMerchant.data.guia).toHaveProperty('seguimiento');
    expect(forOperator.data.guia).toMatchObject({ id, comercio: { id: merchant.id } });
    const ids = [hook.at, own.at].map((at) => app.receiver.at(at)[0]!.headers['webhook-id']);
    expect(new Set(ids).size).toBe(2);
  });

  it('take the events that operators get, and merchants theirs', async () => {
    const url = 'https://example.com/avisos';
    const { webhook } = ok(await operator.post(PATH, { url }));
    expect(webhook.eventos).toEqual(OPERATOR_EVENTO_NAMES);
    const faults = ['eventos: formato'] as const;
    expectFaults(await operator.post(PATH, { url, eventos: ['guia.estado_cambiado'] }), [...faults]);
    const path = `${PATH}/${webhook.id}`;
    expectFaults(await operator.patch(path, { eventos: ['liquidacion.pagada'] }), [...faults]);
    expectFaults(await merchants[0]!.post(MERCHANTS, { url, eventos: ['guia.actualizada'] }), [...faults]);
  });

  it('are tested, paused, resumed, resent and rotated as those of merchants', async () => {
    const hook = await endpoint();
    const { entrega } = ok(await operator.post(`${hook.path}/probar`));
    await eventually(async () =>
      expect(ok(await operator.get(`${hook.path}/entregas/${entrega.id}`)).entrega.estado).toBe('entregada'),
    );
    const paused = ok(await operator.patch(hook.path, { activo: false })).webhook;
    expect(paused).toMatchObject({ activo: false, desactivado_por: 'operador' });
    await create(merchants[0]!);
    await settled(app.test);
    const missed = ok(await operator.get(`${hook.path}/entregas?estado=fallida`)).entregas;
    expect(missed).toHaveLength(1);
    ok(await operator.patch(hook.path, { activo: true }));
    expect(ok(await operator.post(`${hook.path}/reenviar`, { entrega: missed[0].id })).reenviadas).toBe(1);
    await eventually(() => expect(app.receiver.at(hook.at)).toHaveLength(2));
    const { secreto } = ok(await operator.post(`${hook.path}/rotar`));
    expect(secreto).not.toBe(hook.secreto);
    ok(await operator.delete(hook.path));
    expect(ok(await operator.get(PATH)).webhooks).toEqual([]);
  });

  it('up to 20 of one operator, also when created at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 22 }, () => operator.post(PATH, { url: 'https://example.com/avisos' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20);
  });

  describe('of one operator', () => {
    const ROUTES: { method: 'get' | 'post' | 'patch' | 'delete'; path: string; body?: object }[] = [
      { method: 'get', path: '' },
      { method: 'patch', path: '', body: { activo: false } },
      { method: 'post', path: '/rotar', body: {} },
      { method: 'post', path: '/probar', body: {} },
      { method: 'post', path: '/reenviar', body: { desde: '2026-01-01' } },
      { method: 'get', path: '/entregas' },
      { method: 'get', path: `/entregas/${UNKNOWN_ID}` },
      { method: 'delete', path: '' },
    ];

    it.each(ROUTES)('$method …/{id}$path: unknown to every other key', async ({ method, path, body }) => {
      const hook = await endpoint();
      const [merchant] = merchants as [TestMerchant];
      const own = await app.hooks.endpoint(merchant);
      const before = ok(await operator.get(hook.path));
      const other = await app.test.operator(`Otra ${count}`);
      expectProblem(await other[method](hook.path + path, body as never), 'no_encontrado');
      expectProblem(await merchant[method](hook.path + path, body as never), 'sin_permiso');
      // Nor is an endpoint found among the other kind.
      expectProblem(await merchant[method](`${MERCHANTS}/${hook.id}${path}`, body as never), 'no_encontrado');
      expectProblem(await operator[method](`${PATH}/${own.id}${path}`, body as never), 'no_encontrado');
      expect(ok(await operator.get(hook.path))).toEqual(before);
      expect(ok(await other.get(PATH)).webhooks).toEqual([]);
    });

    it('are read, and no more, with a key that may only read', async () => {
      const hook = await endpoint();
      const { key } = await app.test.operator(`Mensajería ${count}`, { scopes: ['operaciones:leer'] });
      const send = (method: string, path: string, body?: object) =>
        app.test.request(hook.path + path, {
          method: method.toUpperCase(),
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
      for (const { method, path, body } of ROUTES) {
        const { status } = await send(method, path, body);
        expect({ method, path, isOpen: status !== 403 }).toEqual({ method, path, isOpen: method === 'get' });
      }
    });
  });

  describe('that hang', () => {
    it("neither hold up a merchant's endpoint nor wait behind one", async () => {
      const [busy, quiet] = merchants as [TestMerchant, TestMerchant];
      const answers = gate();
      const hanging = await endpoint({ eventos: ['guia.creada'] });
      const ofBusy = [await app.hooks.endpoint(busy), await app.hooks.endpoint(busy)];
      for (const { at } of [hanging, ...ofBusy]) app.receiver.alwaysAt(at, { until: answers.until });
      for (let n = 0; n < ENDPOINT_SLOTS + 2; n++) await create(busy);
      // More at once than a merchant's endpoints get together.
      await eventually(() => expect(app.receiver.at(hanging.at)).toHaveLength(ENDPOINT_SLOTS));
      const own = await app.hooks.endpoint(quiet);
      const patient = await endpoint({ eventos: ['guia.creada'] });
      await create(quiet);
      await eventually(() => expect(app.receiver.at(own.at)).toHaveLength(1));
      await eventually(() => expect(app.receiver.at(patient.at)).toHaveLength(1));
      answers.open();
      await eventually(() => expect(app.receiver.at(hanging.at)).toHaveLength(ENDPOINT_SLOTS + 3));
    });
  });
});
