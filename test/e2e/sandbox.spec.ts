import { eventually } from '../support/eventually.js';
import { Messaging, type MadeGuia } from '../support/messaging.js';
import { createTestApp, type TestApp, type TestMerchant } from '../support/test-app.js';

describe('the sandbox', () => {
  let test: TestApp;
  let messaging: Messaging;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await createTestApp();
    messaging = new Messaging(test);
    merchant = await test.merchant();
  });
  afterAll(() => test.close());

  const create = (telefono: string): Promise<MadeGuia> => messaging.create(merchant, { telefono });

  it('is the default provider and accepts every message', async () => {
    const guia = await create('+50255551234');
    const { id } = await messaging.reached(guia, 'aceptado');
    expect(await messaging.of(guia)).toMatchObject([{ proveedor_id: `sandbox-${id}`, intentos: 1 }]);
  });

  it('confirms the guide of a number that ends in 0001 by itself', async () => {
    const guia = await create('+50255550001');
    const { id } = await messaging.reached(guia, 'aceptado');
    await (await messaging.job(`${id}.respuesta`, 'delayed')).promote();
    await eventually(async () =>
      expect(await messaging.detail(merchant, guia)).toMatchObject({
        direccion_confirmada: true,
        destino: { lat: expect.any(Number), lng: expect.any(Number) },
      }),
    );
    expect(await messaging.events(guia)).toContainEqual({
      tipo: 'guia.confirmada',
      datos: { estado: 'aceptado', origen: 'sandbox' },
    });
  });

  it('never reaches a number that ends in 0002: the job fails and the merchant is warned', async () => {
    const guia = await create('+50255550002');
    const { id } = await messaging.reached(guia, 'fallido');
    const job = await messaging.job(id, 'failed');
    expect(job.failedReason).toContain('terminado en 0002 no recibe mensajes');
    expect((await messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_fallido']);
    await job.retry();
    await eventually(async () => expect((await messaging.job(id, 'failed')).attemptsMade).toBe(2));
  });

  it('reaches a number that ends in 0003 at the fourth try', async () => {
    const guia = await create('+50255550003');
    for (let tries = 1; tries < 4; tries++) {
      const [mensaje] = await eventually(async () => {
        const found = await messaging.of(guia);
        expect(found).toMatchObject([{ estado: 'pendiente', intentos: tries }]);
        return found;
      });
      await messaging.due(mensaje!);
    }
    expect(await messaging.reached(guia, 'aceptado')).toMatchObject({ intentos: 4, causa: null });
    expect((await messaging.detail(merchant, guia)).advertencias).toEqual([]);
  });
});
