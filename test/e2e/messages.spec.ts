import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { Secrets } from '../../src/platform/config/secrets.js';
import { MessagesService, type StatusReport } from '../../src/notifications/messages/messages.service.js';
import { eventually, settled } from '../support/eventually.js';
import { newPhone, WEBHOOK_SECRET } from '../support/messaging.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useBridgedApp } from '../support/use.js';

const BAJAS = '/api/v1/operaciones/bajas';

const app = useBridgedApp();
const merchant = opened(() => app.test.merchant());

describe('the confirmation message of a guide', () => {
  /** The only request for a phone, once no work is left. */
  const sent = async (telefono: string) => {
    await eventually(() => expect(app.bridge.sentTo(telefono)).not.toEqual([]));
    await settled(app.test);
    const requests = app.bridge.sentTo(telefono);
    expect(requests).toHaveLength(1);
    return requests[0]!;
  };

  it('is one POST with exactly the documented body', async () => {
    const guia = await app.messaging.create(merchant, { nombre: 'Ana López' });
    const request = await sent(guia.telefono);
    const [mensaje] = await app.messaging.of(guia);
    const enlace = expect.stringMatching(
      new RegExp(`^http://localhost:${new URL(app.test.url).port}/c/[\\w-]{22,}$`),
    );
    expect([request.method, request.path, request.headers['content-type']]).toEqual([
      'POST',
      '/puente',
      'application/json',
    ]);
    expect(request.json).toEqual({
      id: mensaje!.id,
      tipo: 'confirmacion_ubicacion',
      telefono: guia.telefono,
      texto: expect.stringContaining(request.json.enlace),
      enlace,
      guia: guia.guia,
      comercio: 'Tienda',
    });
    expect(request.json.texto).toContain('Ana López');
    expect(mensaje).toMatchObject({ estado: 'aceptado', intentos: 1, causa: null });
  });

  it('is signed as Standard Webhooks specifies, with its id as webhook-id', async () => {
    const { telefono } = await app.messaging.create(merchant);
    const { headers, rawBody, json } = await sent(telefono);
    const verify = (body: string) =>
      new Webhook(WEBHOOK_SECRET).verify(body, headers as Record<string, string>);
    expect(headers['webhook-id']).toBe(json.id);
    expect(verify(rawBody.toString())).toEqual(json);
    expect(() => verify(rawBody.toString().replace('Tienda', 'Otra'))).toThrow();
  });

  it.each(['sms-1042', 'envío 1042'])('stores the id that the bridge returns, %j', async (id) => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 202, json: { id } });
    const guia = await app.messaging.create(merchant, { telefono });
    expect(await app.messaging.reached(guia, 'aceptado')).toMatchObject({ proveedor_id: id });
  });

  it.each([
    ['coordinates', { lat: 14.5, lng: -90.5 }],
    ['a link with coordinates', { maps_url: '14.5,-90.5' }],
    ['a link without readable coordinates', { maps_url: 'https://maps.app.goo.gl/AbCdEf123' }],
  ])('is not created if the destination has %s', async (_, destination) => {
    const guia = await app.messaging.create(merchant, destination);
    await settled(app.test);
    expect(await app.messaging.of(guia)).toEqual([]);
    expect(app.bridge.sentTo(guia.telefono)).toEqual([]);
  });

  describe('to one phone over all merchants', () => {
    it('is sent at most MESSAGES_PER_PHONE_PER_DAY times, also for simultaneous guides; the rest get a warning', async () => {
      const telefono = newPhone();
      const other = await app.test.merchant();
      const merchants = [merchant, other];
      const made = await Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          const owner = merchants[i % 2]!;
          return { owner, guia: await app.messaging.create(owner, { telefono }) };
        }),
      );
      await settled(app.test);
      expect(app.bridge.sentTo(telefono)).toHaveLength(10);
      const seen = await Promise.all(
        made.map(async ({ owner, guia }) => {
          const [mensaje, ...more] = await app.messaging.of(guia);
          expect(more).toEqual([]);
          const { advertencias } = await app.messaging.detail(owner, guia);
          return `${mensaje!.estado} ${advertencias}`;
        }),
      );
      expect(seen.sort()).toEqual([
        ...Array<string>(10).fill('aceptado '),
        ...Array<string>(6).fill('omitido mensaje_omitido_limite'),
      ]);
    });

    it('is sent again once the oldest is more than 24 hours old', async () => {
      const telefono = newPhone();
      const huella = createHmac('sha256', app.test.app.get(Secrets).phoneKey).update(telefono).digest();
      const fill = `insert into cupos_telefono values ($1, array(select now() - n * interval '1 hour' from generate_series(1, 9) n)
        || array[now() - interval '25 hours', now() - $2::interval], now())`;
      await app.test.database.query(fill, [huella, '23 hours']);
      const left = await app.messaging.create(merchant, { telefono });
      expect(await app.messaging.reached(left, 'omitido')).toMatchObject({
        causa: expect.stringContaining('24 horas'),
      });
      await app.test.database.query('delete from cupos_telefono where huella = $1', [huella]);
      await app.test.database.query(fill, [huella, '24 hours 1 second']);
      await app.messaging.reached(await app.messaging.create(merchant, { telefono }), 'aceptado');
    });
  });
});

describe('numbers that get no messages', () => {
  const operator = opened(() => app.test.operator());

  const send = (method: 'PUT' | 'DELETE', telefono: string, key = operator.key) =>
    app.test.request(`${BAJAS}/${telefono}`, { method, headers: { authorization: `Bearer ${key}` } });
  const listed = async () => (await operator.get(`${BAJAS}?limit=100`)).body.bajas;
  const create = async (telefono: string) => {
    const guia = await app.messaging.create(merchant, { telefono });
    await settled(app.test);
    return guia;
  };

  it('are put and deleted, also twice, and listed once', async () => {
    const telefono = newPhone();
    for (let n = 0; n < 2; n++) {
      const { status, body } = await send('PUT', telefono);
      expect([status, body]).toEqual([200, { ok: true }]);
    }
    expect((await listed()).filter((baja: any) => baja.telefono === telefono)).toEqual([
      { telefono, creada_en: expect.stringMatching(/Z$/), origen: 'operador' },
    ]);
    await create(telefono);
    expect(app.bridge.sentTo(telefono)).toEqual([]);
    for (let n = 0; n < 2; n++) expect((await send('DELETE', telefono)).status).toBe(200);
    expect((await listed()).map((baja: any) => baja.telefono)).not.toContain(telefono);
    expect(app.bridge.sentTo(telefono)).toEqual([]);
    await create(telefono);
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
  });

  it('take every way in which WhatsApp writes them', async () => {
    const digits = String(5_510_000_000 + Math.floor(Math.random() * 9_000_000));
    await send('PUT', `+521${digits}`);
    await create(`+52${digits}`);
    expect(app.bridge.sentTo(`+52${digits}`)).toEqual([]);
    const mine = (await listed()).filter((baja: any) => baja.telefono.endsWith(digits));
    expect(mine.map((baja: any) => baja.telefono)).toEqual([`+521${digits}`]);
    await send('DELETE', `+52${digits}`);
    expect((await listed()).some((baja: any) => baja.telefono.endsWith(digits))).toBe(false);
  });

  it('omit at once a message that waits for its next try', async () => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 503 });
    const guia = await create(telefono);
    await send('PUT', telefono);
    await app.messaging.reached(guia, 'omitido');
    expect(await app.messaging.detail(merchant, guia)).toMatchObject({
      advertencias: ['mensaje_omitido_baja'],
    });
  });

  it('leave no warning once the recipient was asked after all', async () => {
    const telefono = newPhone();
    await send('PUT', telefono);
    const guia = await create(telefono);
    const warnings = async () => (await app.messaging.detail(merchant, guia)).advertencias;
    expect(await warnings()).toEqual(['mensaje_omitido_baja']);
    await send('DELETE', telefono);
    expect((await merchant.post(`/api/v1/guias/${guia.id}/pedir-ubicacion`)).status).toBe(200);
    await settled(app.test);
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
    expect(await warnings()).toEqual([]);
  });

  it('keep their warning where an older message is reported to have arrived', async () => {
    const telefono = newPhone();
    const guia = await create(telefono);
    await send('PUT', telefono);
    await merchant.patch(`/api/v1/guias/${guia.id}`, { lat: 14.6, lng: -90.5 });
    await merchant.patch(`/api/v1/guias/${guia.id}`, { lat: null, lng: null });
    await settled(app.test);
    const [older] = await app.messaging.of(guia);
    const report = {
      ...{ estado: 'entregado', mensajeId: older!.id, proveedorId: older!.proveedor_id, usuario: null },
      failure: null,
    };
    await app.test.app.get(MessagesService).report(report as StatusReport);
    expect((await app.messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_omitido_baja']);
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
  });

  it('are refused unless they are E.164, and to keys that may not', async () => {
    for (const telefono of ['55551234', '0050255551234', '+0123', 'x'.repeat(90)])
      expectFaults(await send('PUT', telefono), ['telefono: formato']);
    expectProblem(await send('PUT', newPhone(), merchant.key), 'sin_permiso');
    const reader = await app.test.operator('lector', { scopes: ['operaciones:leer'] });
    expectProblem(await send('DELETE', newPhone(), reader.key), 'sin_permiso');
    expect((await reader.get(BAJAS)).status).toBe(200);
    expectProblem(await operator.get(`${BAJAS}?cursor=x`), 'cursor_invalido');
  });
});
