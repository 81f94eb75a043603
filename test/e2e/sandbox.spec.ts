import { eventually } from '../support/eventually.js';
import { Console, CONSOLE_USERS } from '../support/console.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { bridgeEnv, Messaging, startBridge, type Bridge, type MadeGuia } from '../support/messaging.js';
import { withTestApp, type TestMerchant } from '../support/test-app.js';
import { useTestApp } from '../support/use.js';

describe('a service beyond this machine', () => {
  let database: TestDatabase;
  let bridge: Bridge;

  beforeAll(async () => {
    database = await createTestDatabase();
    bridge = await startBridge();
  });
  afterAll(async () => {
    await bridge.close();
    await database.drop();
  });

  it('warns of each live guide whose recipient it cannot ask, in the log and in Hoy, until it can', async () => {
    const production = { NODE_ENV: 'production', BOARD_USERS: CONSOLE_USERS };
    const [id, unasked] = await withTestApp(
      { env: { ROLE: 'all', ...production }, database },
      async (test) => {
        const messaging = new Messaging(test);
        const staff = new Console(test);
        const merchant = await test.merchant();
        const create = (by: TestMerchant, telefono: string, over = {}) =>
          messaging.create(by, { telefono, ...over });
        const trial = await create(await test.tester(merchant.id), '+50255551240');
        await messaging.reached(trial, 'aceptado');
        await staff.shows('/admin', 'Nada necesita atención');
        const first = await create(merchant, '+50255551241');
        const second = await create(merchant, '+50255551242');
        const placed = await create(merchant, '+50255551243', { lat: 14.6, lng: -90.5 });
        for (const guia of [first, second]) {
          await messaging.reached(guia, 'aceptado');
          expect((await messaging.detail(merchant, guia)).advertencias).toEqual(['mensaje_no_enviado']);
        }
        expect((await messaging.detail(merchant, placed)).advertencias).toEqual([]);
        const warnings = test.logs.filter(
          ({ msg }) => msg === 'the recipient of a live guide cannot be asked',
        );
        expect(warnings).toMatchObject([
          {
            level: 40,
            settings: [/MESSAGING_PROVIDER/, /PUBLIC_URL/].map((name) => expect.stringMatching(name)),
          },
        ]);
        for (const text of ['configurar MESSAGING_PROVIDER', 'configurar PUBLIC_URL'])
          await staff.shows('/admin', text);
        const cause = '/admin/causas/advertencias-mensaje_no_enviado';
        await staff.shows('/admin', `href="${cause}"`);
        for (const { guia } of [first, second]) await staff.shows(cause, guia);
        expect(await staff.page(cause)).not.toContain(trial.guia);
        await merchant.patch(`/api/v1/guias/${first.id}`, { lat: 14.6, lng: -90.5 });
        expect((await messaging.detail(merchant, first)).advertencias).toEqual([]);
        return [merchant.id, second];
      },
    );
    const ready = { ...bridgeEnv(bridge.url), PUBLIC_URL: 'https://guias.example.com' };
    await withTestApp({ env: { ROLE: 'all', ...production, ...ready }, database }, async (test) => {
      const messaging = new Messaging(test);
      const merchant = await test.keyOf(id);
      const fresh = await messaging.create(merchant, { telefono: '+50255551244' });
      await messaging.reached(fresh, 'aceptado');
      await merchant.patch(`/api/v1/guias/${unasked.id}`, { telefono: fresh.telefono });
      for (const guia of [fresh, unasked])
        await eventually(async () =>
          expect((await messaging.detail(merchant, guia)).advertencias).toEqual([]),
        );
      expect(await new Console(test).page('/admin')).not.toContain('configurar');
    });
  });
});

describe('the sandbox', () => {
  const test = useTestApp({ env: { ROLE: 'all' } });
  let messaging: Messaging;
  let merchant: TestMerchant;

  beforeAll(async () => {
    messaging = new Messaging(test);
    merchant = await test.merchant();
  });

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
    expect(await messaging.detail(merchant, guia)).toMatchObject({
      advertencias: ['mensaje_fallido'],
      mensaje: {
        estado: 'fallido',
        intentos: 1,
        proximo_intento_en: null,
        causa: expect.stringContaining('0002'),
      },
    });
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
      expect((await messaging.detail(merchant, guia)).mensaje).toEqual({
        estado: 'pendiente',
        intentos: tries,
        proximo_intento_en: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        causa: expect.any(String),
      });
      await messaging.due(mensaje!);
    }
    expect(await messaging.reached(guia, 'aceptado')).toMatchObject({ intentos: 4, causa: null });
    expect(await messaging.detail(merchant, guia)).toMatchObject({
      advertencias: [],
      mensaje: { estado: 'aceptado', intentos: 4, proximo_intento_en: null, causa: null },
    });
  });
});
