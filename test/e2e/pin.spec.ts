import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { Money } from '../support/money.js';
import { rightPin, wrongPin } from '../support/pins.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { createTestApp, type Answer, type TestApp } from '../support/test-app.js';

describe('a delivery with PIN', () => {
  let test: TestApp;
  let money: Money;

  beforeAll(async () => {
    test = await createTestApp({ env: { ROLE: 'api' } });
    money = await Money.start(test);
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
  });
  afterAll(() => test.close());

  const onRoute = async (of = money) => (await of.lives.in('en_ruta')).id;
  const deliver = (id: string, body: object) => money.operator.move(id, { estado: 'entregado', ...body });
  const detail = async (id: string, of = money) => (await of.merchant.get(`/api/v1/guias/${id}`)).body.guia;

  it('needs the right one, which no answer and no event shows', async () => {
    const id = await onRoute();
    const pin = rightPin(id);
    expectFaults(await deliver(id, {}), ['pin: requerido']);
    expectFaults(await deliver(id, { pin: '12' }), ['pin: formato']);
    expectFaults(await deliver(id, { pin: 1234 }), ['pin: tipo']);
    expectProblem(await deliver(id, { pin: wrongPin(id) }), 'pin_incorrecto');
    expect((await detail(id)).estado).toBe('en_ruta');
    expect((await deliver(id, { pin, ref: 'a' })).status).toBe(201);
    expect(await detail(id)).toMatchObject({ estado: 'entregado', advertencias: [] });
    const repeat = await deliver(id, { pin: wrongPin(id), ref: 'a' });
    expect([repeat.status, repeat.headers.get('guias-campos-distintos')]).toEqual([200, null]);
    const stored = JSON.stringify(await money.lives.stored({ id }));
    expect(stored).not.toMatch(/"(sin_)?pin"/);
  });

  it('takes five different wrong ones; the same one again, and a malformed one, are no further try', async () => {
    const id = await onRoute();
    for (let n = 1; n <= 4; n++) expectProblem(await deliver(id, { pin: wrongPin(id, n) }), 'pin_incorrecto');
    for (const pin of [wrongPin(id, 1), wrongPin(id, 4)])
      expectProblem(await deliver(id, { pin }), 'pin_incorrecto');
    expectFaults(await deliver(id, { pin: 'abcd' }), ['pin: formato']);
    const batch = await money.operator.post('/api/v1/operaciones/eventos', {
      eventos: [{ guia: id, estado: 'entregado', pin: wrongPin(id, 5) }],
    });
    expect(batch.body.resultados).toMatchObject([{ ok: false, status: 409, codigo: 'pin_incorrecto' }]);
    expectProblem(await deliver(id, { pin: rightPin(id) }), 'pin_agotado');
    expectFaults(await deliver(id, { sin_pin: true }), ['nota: requerido']);
    expect((await deliver(id, { sin_pin: true, nota: 'Sin señal' })).status).toBe(201);
    expect((await detail(id)).advertencias).toEqual(['entregado_sin_pin']);
    await money.operator.post(`/api/v1/operaciones/guias/${id}/deshacer`, { motivo: 'x' });
    expect(await detail(id)).toMatchObject({ estado: 'en_ruta', advertencias: [] });
  });

  it('counts the tries that come at once', async () => {
    const id = await onRoute();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => deliver(id, { pin: wrongPin(id, n + 1) })),
    );
    const codes = answers.map(({ body }: Answer) => body.codigo as string);
    expect(codes.filter((codigo) => codigo === 'pin_incorrecto')).toHaveLength(5);
    expect(codes.filter((codigo) => codigo === 'pin_agotado')).toHaveLength(5);
  });

  it('ignores it for every other merchant, and refuses it with another state', async () => {
    const other = await Money.start(test);
    const id = await onRoute(other);
    expectFaults(
      await money.operator.move(id, { estado: 'intento_fallido', motivo: 'ausente', pin: '1234' }),
      ['pin: formato'],
    );
    expect((await deliver(id, { pin: wrongPin(id), sin_pin: true })).status).toBe(201);
    expect((await detail(id, other)).advertencias).toEqual([]);
  });

  it('is shown to the recipient while the parcel is on its way, and after a failed attempt', async () => {
    const { id } = await money.lives.create();
    const page = async () => {
      const { seguimiento } = await detail(id);
      const { status, text } = await test.request(new URL(seguimiento).pathname);
      expect(status).toBe(200);
      return /data-pin[^>]*>\s*(\d{4})/.exec(text)?.[1];
    };
    for (const [estado, body, shown] of [
      ['en_camino_a_recoger', {}, undefined],
      ['recogido', {}, undefined],
      ['en_ruta', {}, rightPin(id)],
      ['intento_fallido', { motivo: 'ausente' }, rightPin(id)],
      ['en_ruta', {}, rightPin(id)],
      ['entregado', { pin: rightPin(id) }, undefined],
    ] as const) {
      expect((await money.operator.move(id, { estado, ...body })).status).toBe(201);
      expect([estado, await page()]).toEqual([estado, shown]);
    }
  });
});
