import { eventually, settled } from '../support/eventually.js';
import { Money } from '../support/money.js';
import { guiaBody, type Answer, type TestMerchant, type TestOperator } from '../support/test-app.js';
import { createHookedApp, verified, type Endpoint } from '../support/webhooks.js';
import { opened } from '../support/use.js';

const UNREACHABLE = '+50255550002';
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

describe('a merchant’s system gets a message', () => {
  let merchant: TestMerchant;
  let operator: TestOperator;
  let endpoint: Endpoint;

  const app = opened(() => createHookedApp());

  beforeAll(async () => {
    operator = await app.test.operator();
  });
  beforeEach(async () => {
    merchant = await app.test.merchant();
    endpoint = await app.hooks.endpoint(merchant);
  });

  const ok = (answer: Answer) => {
    if (answer.status > 201) throw new Error(`${answer.status} ${answer.text}`);
    return answer.body;
  };
  const create = async (over = {}) => ok(await merchant.post('/api/v1/guias', guiaBody(over)));
  const confirmed = (over = {}) => create({ lat: 14.6407, lng: -90.5133, ...over });
  /** Without what is for its merchant's people alone. */
  const detail = async (id: string) => {
    const {
      sugerencias: _,
      mensaje: __,
      impresa_en: ___,
      ...guia
    } = ok(await merchant.get(`/api/v1/guias/${id}`)).guia;
    return guia;
  };
  const move = async (id: string, body: Record<string, unknown>) => ok(await operator.move(id, body));

  const isWarning = ({ type }: any) => Number(type === 'guia.advertencia');
  /** Messages that an endpoint received, verified, in the order of a guide's events; a warning after what it came with. */
  const received = ({ at, secreto }: Endpoint = endpoint): any[] =>
    app.receiver
      .at(at)
      .map((request) => verified(secreto, request))
      .sort((a, b) => a.data.secuencia - b.data.secuencia || isWarning(a) - isWarning(b));
  /** The same, once their types are these and nothing else is in flight. */
  const receivedOf = async (types: string[], of: Endpoint = endpoint): Promise<any[]> => {
    await eventually(() => expect(received(of).map(({ type }) => type)).toEqual(types));
    await settled(app.test);
    expect(received(of).map(({ type }) => type)).toEqual(types);
    return received(of);
  };
  const confirmOnThePage = async (guiaId: string) => {
    const { seguimiento } = ok(await merchant.get(`/api/v1/guias/${guiaId}`)).guia;
    const answer = await app.test.request(new URL(seguimiento as string).pathname, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ lat: 14.61, lng: -90.52 }),
    });
    expect(answer.status).toBe(200);
  };

  it('about a new guide with a known address, exactly as its detail shows it', async () => {
    const { id } = await confirmed({ external_ref: 'pedido-1', nombre: 'Ana «López» 📦', cod_amount: 349.5 });
    const [aviso] = await receivedOf(['guia.creada']);
    const guia = await detail(id);
    expect(aviso).toEqual({
      type: 'guia.creada',
      timestamp: guia.creada_en,
      data: { secuencia: 1, estado: 'aceptado', estado_anterior: null, ocurrido_en: guia.creada_en, guia },
    });
    expect(Object.keys(aviso)).toEqual(['type', 'timestamp', 'data']);
  });

  it('about a new guide without an address, and about its confirmation on the page', async () => {
    const { id } = await create();
    await receivedOf(['guia.creada']);
    await confirmOnThePage(id);
    const [first, second] = await receivedOf(['guia.creada', 'guia.confirmada']);
    expect(first.data.guia).toMatchObject({ direccion_confirmada: false, destino: { lat: null, lng: null } });
    const guia = await detail(id);
    expect(guia).toMatchObject({ direccion_confirmada: true, destino: { lat: 14.61, lng: -90.52 } });
    expect(second).toEqual({
      type: 'guia.confirmada',
      timestamp: TIME,
      data: { secuencia: 2, estado: 'aceptado', estado_anterior: null, ocurrido_en: second.timestamp, guia },
    });
  });

  it('about the payment of a settlement, exactly as the API shows it, and no other', async () => {
    const own = await app.hooks.endpoint(merchant, { eventos: ['liquidacion.pagada'] });
    const money = await Money.start(app.test, merchant);
    await money.deliver(349.5);
    const { id } = (await money.settle()).body.liquidacion;
    for (let times = 0; times < 2; times++) ok(await money.pay(id, { referencia_pago: 'TRF-1' }));
    const [aviso] = await receivedOf(['liquidacion.pagada'], own);
    const { liquidacion } = (await merchant.get(`/api/v1/liquidaciones/${id}`)).body;
    expect(aviso).toEqual({ type: 'liquidacion.pagada', timestamp: TIME, data: { liquidacion } });
    expect(app.receiver.at(own.at)[0]!.rawBody.toString()).toContain('"cobrado":349.50,');
    const { entregas } = (await merchant.get(`${own.path}/entregas`)).body;
    expect(entregas).toMatchObject([{ evento: 'liquidacion.pagada', guia: null, secuencia: null }]);
  });

  it('about an address that the merchant confirms', async () => {
    const { id } = await create();
    await receivedOf(['guia.creada']);
    ok(await merchant.patch(`/api/v1/guias/${id}`, { lat: 14.61, lng: -90.52 }));
    const [, second] = await receivedOf(['guia.creada', 'guia.confirmada']);
    expect(second.data.guia).toEqual(await detail(id));
  });

  it('about each state change, with the previous state, the reason and the time', async () => {
    const { id } = await confirmed({ cod_amount: 100 });
    await move(id, { estado: 'en_camino_a_recoger' });
    await move(id, { estado: 'recogido' });
    const ocurrido_en = new Date(Date.now() - 60_000).toISOString();
    await app.test.database.query(`update guias set estado_en = now() - interval '1 hour' where id = $1`, [
      id,
    ]);
    await move(id, { estado: 'en_ruta', ocurrido_en });
    await move(id, {
      ...{ estado: 'intento_fallido', motivo: 'ausente', nota: 'Volver\nel lunes', lat: 14.6, lng: -90.5 },
    });
    await move(id, { estado: 'en_ruta' });
    await move(id, { estado: 'entregado', cod_cobrado: 90 });
    const avisos = await receivedOf([
      'guia.creada',
      ...Array<string>(6).fill('guia.estado_cambiado'),
      'guia.advertencia',
    ]);
    expect(avisos.pop()!.data).toMatchObject({ codigo: 'cod_distinto', secuencia: 8 });
    const paid = { cod_cobrado: 90, pago: 'efectivo' };
    expect(avisos.at(-1)!.data).toMatchObject({ ...paid, guia: paid });
    expect(avisos[0]!.data.guia).toMatchObject({ cod_cobrado: null, pago: null });
    const states = [
      ...['aceptado', 'en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido', 'en_ruta'],
      'entregado',
    ];
    expect(avisos.map(({ data }) => [data.estado_anterior, data.estado, data.guia.estado])).toEqual(
      states.map((estado, i) => [states[i - 1] ?? null, estado, estado]),
    );
    expect(avisos.map(({ data }) => data.guia.cod_cobrado)).toEqual([...Array(6).fill(null), 90]);
    expect(avisos.map(({ data }) => data.secuencia)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(avisos[3].data.ocurrido_en).toBe(ocurrido_en);
    expect(avisos[4].data).toMatchObject({ motivo: 'ausente', nota: 'Volver\nel lunes' });
    expect(avisos[4].data).not.toHaveProperty('lat');
    expect(avisos[6].data).toMatchObject({ cod_cobrado: 90, guia: await detail(id) });
    expect(avisos[6].data.guia.advertencias).toEqual(['cod_distinto']);
    for (const { data } of avisos.slice(0, 3)) expect(data).not.toHaveProperty('motivo');
  });

  it.each<[by: string, cancel: (id: string) => Promise<unknown>]>([
    [
      'the merchant',
      async (id) => ok(await merchant.post(`/api/v1/guias/${id}/cancelar`, { nota: 'Ya no' })),
    ],
    ['an operator', async (id) => move(id, { estado: 'cancelado', nota: 'Ya no' })],
  ])('about a cancellation by %s, once', async (_by, cancel) => {
    const { id } = await confirmed();
    await cancel(id);
    await merchant.post(`/api/v1/guias/${id}/cancelar`);
    const [, second] = await receivedOf(['guia.creada', 'guia.cancelada']);
    const guia = await detail(id);
    expect(second.data).toEqual({
      ...{ secuencia: 2, estado: 'cancelado', estado_anterior: 'aceptado', ocurrido_en: TIME, nota: 'Ya no' },
      guia,
    });
  });

  it('about a recipient who cannot be reached', async () => {
    const { id } = await create({ telefono: UNREACHABLE });
    const [, second] = await receivedOf(['guia.creada', 'guia.mensaje_fallido', 'guia.advertencia']);
    expect(second.data).toMatchObject({
      estado: 'aceptado',
      estado_anterior: null,
      motivo: expect.stringContaining('0002'),
      guia: { ...(await detail(id)), advertencias: ['mensaje_fallido'] },
    });
  });

  it('not about edits, late or repeated events, and other merchants’ guides', async () => {
    const { id } = await confirmed();
    await move(id, { estado: 'en_camino_a_recoger', ref: 'a' });
    await receivedOf(['guia.creada', 'guia.estado_cambiado']);
    await move(id, { estado: 'en_camino_a_recoger', ref: 'a' });
    await move(id, { estado: 'recogido', ocurrido_en: '2020-01-01T00:00:00Z' });
    ok(await merchant.patch(`/api/v1/guias/${id}`, { notas: 'otra' }));
    const stranger = await app.test.merchant();
    await app.hooks.guia(stranger);
    await settled(app.test);
    expect(received()).toHaveLength(2);
  });

  it('at each endpoint about the events that it subscribes to', async () => {
    const other = await app.hooks.endpoint(merchant, { eventos: ['guia.estado_cambiado', 'guia.cancelada'] });
    const off = await app.hooks.endpoint(merchant);
    await merchant.patch(off.path, { activo: false });
    const gone = await app.hooks.endpoint(merchant);
    await merchant.delete(gone.path);
    const { id } = await confirmed();
    await move(id, { estado: 'en_camino_a_recoger' });
    await receivedOf(['guia.creada', 'guia.estado_cambiado']);
    await receivedOf(['guia.estado_cambiado'], other);
    await merchant.patch(other.path, { eventos: ['guia.creada'] });
    await move(id, { estado: 'cancelado' });
    await receivedOf(['guia.creada', 'guia.estado_cambiado', 'guia.cancelada']);
    await receivedOf(['guia.estado_cambiado'], other);
    for (const silent of [off, gone]) expect(app.receiver.at(silent.at)).toEqual([]);
    expect((await app.hooks.of(off)).map(({ evento, estado }) => `${evento}: ${estado}`)).toEqual([
      'guia.creada: fallida',
      'guia.estado_cambiado: fallida',
      'guia.cancelada: fallida',
    ]);
    expect(await app.hooks.of(gone)).toEqual([]);
    const ids = [endpoint, other].map(
      (one) =>
        app.receiver.at(one.at).filter(({ json }) => json.data.secuencia === 2)[0]!.headers['webhook-id'],
    );
    expect(ids[1]).toBe(ids[0]);
  });

  it('about a guide created right after its endpoint', async () => {
    const createBoth = async () => {
      const stranger = await app.test.merchant();
      const fresh = await app.hooks.endpoint(stranger);
      await app.hooks.guia(stranger);
      return fresh;
    };
    const endpoints = await Promise.all(Array.from({ length: 20 }, createBoth));
    for (const fresh of endpoints) await receivedOf(['guia.creada'], fresh);
  });

  it('only if it has an endpoint: else no event of a new guide is pending, and nothing is queued', async () => {
    await settled(app.test);
    const jobs = () => Promise.all([app.hooks.quick, app.hooks.queue].map((queue) => queue.getJobCounts()));
    const before = await jobs();
    const stranger = await app.test.merchant();
    const { id } = await app.hooks.guia(stranger);
    const events = await app.test.database.query(
      `select exists (select from eventos_pendientes p where p.id = e.id) as pending from eventos e where guia_id = $1`,
      [id],
    );
    expect(events).toEqual([{ pending: false }]);
    await move(id, { estado: 'en_camino_a_recoger' });
    await settled(app.test);
    expect(await jobs()).toEqual(before);
    const kept = await app.test.database.query('select id from webhook_mensajes where comercio_id = $1', [
      stranger.id,
    ]);
    expect(kept).toEqual([]);
  });

  it('with the state after its event, also if the event is announced much later', async () => {
    const { id } = await create();
    await confirmOnThePage(id);
    await move(id, { estado: 'en_camino_a_recoger' });
    await receivedOf(['guia.creada', 'guia.confirmada', 'guia.estado_cambiado']);
    const late = await app.hooks.endpoint(merchant);
    // As if the relay had not dispatched them until now.
    await app.test.database.query('delete from webhook_mensajes where comercio_id = $1', [merchant.id]);
    await app.test.database.query(
      'insert into eventos_pendientes (id, comercio_id, guia_id) select id, comercio_id, guia_id from eventos where guia_id = $1',
      [id],
    );
    const avisos = await receivedOf(['guia.creada', 'guia.confirmada', 'guia.estado_cambiado'], late);
    expect(avisos.map(({ data }) => [data.secuencia, data.estado, data.guia.estado])).toEqual([
      [1, 'aceptado', 'aceptado'],
      [2, 'aceptado', 'aceptado'],
      [3, 'en_camino_a_recoger', 'en_camino_a_recoger'],
    ]);
  });
});
