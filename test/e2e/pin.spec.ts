import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { PROVIDER, type MessagingProvider } from '../../src/notifications/providers/messaging-provider.js';
import { Money } from '../support/money.js';
import { eventually, settled } from '../support/eventually.js';
import { rightPin, wrongPin } from '../support/pins.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { dump, newPhone } from '../support/messaging.js';
import type { Answer, TestApp } from '../support/test-app.js';
import { useBridgedApp } from '../support/use.js';

describe('a delivery with PIN', () => {
  const app = useBridgedApp();
  let test: TestApp;
  let money: Money;

  beforeAll(async () => {
    ({ test } = app);
    money = await Money.start(test);
    await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
  });

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
    for (const pin of ['12', 'no tiene'])
      expect((await deliver(await onRoute(other), { pin })).status).toBe(201);
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

  describe('is told the recipient by a message', () => {
    /** Takes a new guide along the states. */
    const made = async (estados: string[], over: object = {}, of = money) => {
      const telefono = newPhone();
      const guia = { ...(await of.lives.create({ telefono, nombre: 'Ana', ...over })), telefono };
      await go(guia, ...estados);
      return guia;
    };
    const go = async ({ id }: { id: string }, ...estados: string[]) => {
      for (const estado of estados) {
        const motivo = estado === 'intento_fallido' ? { motivo: 'ausente' } : {};
        const answer =
          estado === 'deshacer'
            ? await money.operator.post(`/api/v1/operaciones/guias/${id}/deshacer`, { motivo: 'x' })
            : await money.operator.move(id, { estado, ...motivo });
        expect([estado, answer.status]).toEqual([estado, 201]);
        await settled(test);
      }
    };
    const TO_ROUTE = ['en_camino_a_recoger', 'recogido', 'en_ruta'];
    const states = async (guia: { id: string }) => (await app.messaging.of(guia)).map(({ estado }) => estado);

    it('once it is on its way, with exactly the documented body', async () => {
      const guia = await made(TO_ROUTE.slice(0, 2));
      expect(app.bridge.sentTo(guia.telefono)).toEqual([]);
      await go(guia, 'en_ruta');
      const [mensaje] = await app.messaging.of(guia);
      expect(mensaje).toMatchObject({ tipo: 'pin_de_entrega', estado: 'aceptado', intentos: 1 });
      expect(app.bridge.sentTo(guia.telefono).map(({ json }) => json)).toEqual([
        {
          id: mensaje!.id,
          tipo: 'pin_de_entrega',
          telefono: guia.telefono,
          texto: expect.stringContaining(`Tu PIN es ${rightPin(guia.id)}:`),
          enlace: null,
          guia: guia.guia,
          comercio: 'Tienda',
          pin: rightPin(guia.id),
        },
      ]);
    });

    it.each([
      ['taken back and done again', ['deshacer', 'en_ruta'], 1],
      ['failed and taken back', ['intento_fallido', 'deshacer'], 1],
      ['failed, taken back, and failed again', ['intento_fallido', 'deshacer', 'intento_fallido'], 1],
      ['failed, and out again', ['intento_fallido', 'en_ruta'], 2],
      ['back at the warehouse, and out again', ['recogido', 'en_ruta'], 2],
      [
        'out again, taken back twice, and out again',
        ['intento_fallido', 'en_ruta', 'deshacer', 'deshacer'],
        2,
      ],
    ])('once for each trip: %s', async (_, estados, times) => {
      const guia = await made([...TO_ROUTE, ...estados]);
      expect(app.bridge.sentTo(guia.telefono)).toHaveLength(times);
      expect(await states(guia)).toEqual(Array(times).fill('aceptado'));
    });

    it('which is omitted while the guide is not on its way, and sent when it leaves again', async () => {
      const telefono = newPhone();
      app.bridge.answerTo(telefono, { status: 503 });
      const guia = await made(TO_ROUTE, { telefono });
      const { id } = await app.messaging.waiting(guia);
      await go(guia, 'deshacer');
      await app.messaging.due({ id });
      await app.messaging.reached(guia, 'omitido');
      await go(guia, 'en_ruta');
      expect(await app.messaging.reached(guia, 'aceptado')).toMatchObject({ id, intentos: 1 });
      expect(app.bridge.sentTo(telefono)).toHaveLength(2);
    });

    it('but not of a guide that has gone on, or of a merchant without PIN', async () => {
      const late = await made(TO_ROUTE.slice(0, 2));
      const other = await Money.start(test);
      const without = await made(TO_ROUTE, {}, other);
      const answer = await money.operator.post('/api/v1/operaciones/eventos', {
        eventos: ['en_ruta', 'intento_fallido'].map((estado, n) => ({
          ...{ guia: late.id, estado, ocurrido_en: new Date(Date.now() - 1_000 + n).toISOString() },
          ...(n === 1 && { motivo: 'ausente' }),
        })),
      });
      expect(answer.body.resultados).toMatchObject([{ ok: true }, { ok: true }]);
      await settled(test);
      expect(await states(without)).toEqual([]);
      // If it was handed on before the second event, it was right to send it.
      expect((await states(late)).length).toBeLessThanOrEqual(1);
    });

    it('but not where the provider has no template for it, nor does it clear a warning about the question', async () => {
      const provider = test.app.get<MessagingProvider>(PROVIDER);
      provider.sends = (tipo) => tipo !== 'pin_de_entrega';
      const unsent = await made(TO_ROUTE);
      delete provider.sends;
      expect(await app.messaging.of(unsent)).toMatchObject([
        { estado: 'omitido', causa: expect.stringContaining('WHATSAPP_PIN_TEMPLATE') },
      ]);
      const telefono = newPhone();
      app.bridge.answerTo(telefono, { status: 422 });
      const asked = await made(TO_ROUTE, { telefono, lat: undefined, lng: undefined });
      expect((await states(asked)).sort()).toEqual(['aceptado', 'fallido']);
      expect((await detail(asked.id)).advertencias).toContain('mensaje_fallido');
      expect((await detail(asked.id)).mensaje.estado).toBe('fallido');
    });

    it('never to who opted out, and at most MESSAGES_PER_PHONE_PER_DAY times, beside the confirmations', async () => {
      const [opted, often] = [newPhone(), newPhone()];
      const authorization = `Bearer ${money.operator.key}`;
      const put = await test.request(`/api/v1/operaciones/bajas/${opted}`, {
        method: 'PUT',
        headers: { authorization },
      });
      expect(put.status).toBeLessThan(300);
      const guia = await made(TO_ROUTE, { telefono: opted });
      expect(await states(guia)).toEqual(['omitido']);
      const asked = await Promise.all(
        Array.from({ length: 10 }, () => app.messaging.create(money.merchant, { telefono: often })),
      );
      await settled(test);
      expect(app.bridge.sentTo(often)).toHaveLength(10);
      const all = [...asked, await app.messaging.create(money.merchant, { telefono: often })];
      for (const one of all)
        await test.database.query(`update guias set estado = 'recogido' where id = $1`, [one.id]);
      for (const one of all)
        expect((await money.operator.move(one.id, { estado: 'en_ruta' })).status).toBe(201);
      await settled(test);
      const told = app.bridge.sentTo(often).filter(({ json }) => json.tipo === 'pin_de_entrega');
      expect(told).toHaveLength(10);
    });

    it('and stored in no row, job or log, also where the bridge repeats it', async () => {
      const telefono = newPhone();
      app.bridge.answerTo(telefono, ({ json }) => ({
        status: 422,
        json: { detail: `No: ${json.pin} (${json.texto})` },
      }));
      const guia = await made(TO_ROUTE, { telefono });
      const { causa } = await app.messaging.reached(guia, 'fallido');
      const pin = rightPin(guia.id);
      expect(causa).not.toContain(pin);
      const kept = await eventually(async () => `${await dump(test.database)} ${JSON.stringify(test.logs)}`);
      expect(kept).not.toMatch(new RegExp(`PIN es|pin\\W+${pin}`));
      const detail = (await money.merchant.get(`/api/v1/guias/${guia.id}`)).body.guia;
      expect([detail.mensaje, detail.advertencias]).toEqual([null, []]);
    });
  });
});
