import { MessagesService, type StatusReport } from '../../src/notifications/messages/messages.service.js';
import { settled } from '../support/eventually.js';
import { newPhone } from '../support/messaging.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { opened, useBridgedApp } from '../support/use.js';

const BAJAS = '/api/v1/operaciones/bajas';

describe('numbers that get no messages', () => {
  const app = useBridgedApp();
  const merchant = opened(() => app.test.merchant());
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
      estado: 'entregado',
      mensajeId: older!.id,
      proveedorId: older!.proveedor_id,
      usuario: null,
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
