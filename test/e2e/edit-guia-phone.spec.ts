import { createCloudApp, type CloudApp } from '../support/cloud.js';
import { createTestDatabase } from '../support/database.js';
import { eventually, settled } from '../support/eventually.js';
import { Lives, PLACE } from '../support/lives.js';
import {
  bridgeEnv,
  createBridgedApp,
  newPhone,
  type BridgedApp,
  type MadeGuia,
} from '../support/messaging.js';
import { guiaBody, withTestApp, type TestMerchant } from '../support/test-app.js';
import { failed, location, status } from '../support/whatsapp-bodies.js';

const GUIAS = '/api/v1/guias';

describe('PATCH of the phone of a guide', () => {
  let app: BridgedApp;
  let merchant: TestMerchant;
  let lives: Lives;

  beforeAll(async () => {
    app = await createBridgedApp();
    merchant = await app.test.merchant();
    lives = new Lives(app.test, merchant);
  });
  afterAll(() => app.close());

  const patch = async (guia: { id: string }, body: object) => {
    const { status, body: answer } = await merchant.patch(`${GUIAS}/${guia.id}`, body);
    expect(status).toBe(200);
    await settled(app.test);
    return answer.guia;
  };
  /** A guide whose recipient was sent a message at its first phone. */
  const asked = async (): Promise<MadeGuia> => {
    const guia = await app.messaging.create(merchant);
    await app.messaging.reached(guia, 'aceptado');
    return guia;
  };
  const sentTo = (telefono: string) => app.bridge.sentTo(telefono).map(({ json }) => json);
  const linkTo = (telefono: string) => new URL(sentTo(telefono).at(-1).enlace).pathname;
  const open = async (path: string) => (await app.test.request(path)).status;
  const answer = async (path: string) => {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(PLACE),
    };
    return (await app.test.request(path, init)).status;
  };
  const isConfirmed = async (guia: { id: string }) =>
    (await lives.read(guia)).guia.direccion_confirmada as boolean;
  const history = async (guia: { id: string }) => (await lives.events(guia)).slice(1).map(({ tipo }) => tipo);

  it('sends a message to the new one: its link works, and the earlier link does not', async () => {
    const guia = await asked();
    const telefono = newPhone();
    const old = linkTo(guia.telefono);
    expect((await patch(guia, { telefono })).telefono).toBe(telefono);
    expect(sentTo(telefono)).toMatchObject([{ telefono, guia: guia.guia }]);
    expect(sentTo(guia.telefono)).toHaveLength(1);
    const fresh = linkTo(telefono);
    expect([await open(old), await answer(old), await isConfirmed(guia)]).toEqual([404, 404, false]);
    expect([await open(fresh), await answer(fresh), await isConfirmed(guia)]).toEqual([200, 200, true]);
    expect(await history(guia)).toEqual(['guia.actualizada', 'guia.confirmacion_pedida', 'guia.confirmada']);
    const actors = (await lives.events(guia)).slice(1).map(({ actor }) => actor);
    expect(actors).toEqual(['comercio', 'comercio', 'destinatario']);
  });

  it('and back to the first sends a third message, whose link alone works', async () => {
    const guia = await asked();
    const telefono = newPhone();
    await patch(guia, { telefono });
    await patch(guia, { telefono: guia.telefono });
    expect([sentTo(guia.telefono).length, sentTo(telefono).length]).toEqual([2, 1]);
    const links = [...sentTo(guia.telefono), ...sentTo(telefono)].map(
      ({ enlace }) => new URL(enlace).pathname,
    );
    expect(await Promise.all(links.map(open))).toEqual([404, 200, 404]);
  });

  it('omits the message that still waits for the earlier phone', async () => {
    const { messaging, bridge } = app;
    const [before, telefono] = [newPhone(), newPhone()];
    bridge.answerTo(before, { status: 503 });
    const guia = await messaging.create(merchant, { telefono: before });
    const waiting = await messaging.waiting(guia);
    await patch(guia, { telefono });
    await messaging.due(waiting);
    await settled(app.test);
    const causa = expect.stringContaining('teléfono de la guía cambió');
    expect(await messaging.of(guia)).toMatchObject([
      { estado: 'omitido', causa },
      { estado: 'aceptado', telefono },
    ]);
    expect([sentTo(before).length, sentTo(telefono).length]).toEqual([1, 1]);
    expect((await lives.read(guia)).guia.advertencias).toEqual([]);
  });

  it('while a message to the earlier phone is being refused leaves no warning', async () => {
    const { messaging, bridge } = app;
    const [before, telefono] = [newPhone(), newPhone()];
    let refuse = (): void => undefined;
    bridge.answerTo(before, { status: 422, until: new Promise<void>((resolve) => (refuse = resolve)) });
    const guia = await messaging.create(merchant, { telefono: before });
    await eventually(() => expect(sentTo(before)).toHaveLength(1));
    expect((await merchant.patch(`${GUIAS}/${guia.id}`, { telefono })).status).toBe(200);
    await eventually(() => expect(sentTo(telefono)).toHaveLength(1));
    refuse();
    await settled(app.test);
    expect((await messaging.of(guia)).map(({ estado }) => estado)).toEqual(['fallido', 'aceptado']);
    expect((await lives.read(guia)).guia.advertencias).toEqual([]);
    expect(await history(guia)).not.toContain('guia.mensaje_fallido');
  });

  it('before any message was sent leads to one message, to the new phone', async () => {
    const [before, telefono] = [newPhone(), newPhone()];
    const database = await createTestDatabase();
    const env = bridgeEnv(app.bridge.url);
    // Without workers: the messages wait for the second app.
    await withTestApp({ database, env }, async (api) => {
      const by = await api.merchant();
      const { body } = await by.post(GUIAS, guiaBody({ telefono: before }));
      expect((await by.patch(`${GUIAS}/${body.id}`, { telefono })).status).toBe(200);
    });
    await withTestApp({ database, env: { ROLE: 'all', ...env } }, settled);
    await database.drop();
    expect([sentTo(before).length, sentTo(telefono).length]).toEqual([0, 1]);
  });
});

describe('PATCH of the phone of a guide on WhatsApp', () => {
  let app: CloudApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    app = await createCloudApp();
    merchant = await app.test.merchant();
  });
  afterAll(() => app.close());

  /** A guide with a message at one phone and then at another, and WhatsApp's ids of both messages. */
  const moved = async () => {
    const guia = await app.messaging.create(merchant);
    await app.messaging.reached(guia, 'aceptado');
    const telefono = newPhone();
    await merchant.patch(`${GUIAS}/${guia.id}`, { telefono });
    await settled(app.test);
    const [old, fresh] = (await app.messaging.of(guia)).map(({ proveedor_id }) => proveedor_id!);
    return { ...guia, before: guia.telefono, telefono, old: old!, fresh: fresh! };
  };
  const says = async (from: string, answers?: string) => {
    const point = { latitude: PLACE.lat, longitude: PLACE.lng };
    const parts = { from: from.slice(1), from_user_id: `GT.${from.slice(1)}`, ...(answers && { answers }) };
    expect((await app.says(location(point, parts))).status).toBe(200);
    await settled(app.test);
  };
  const reports = async (...statuses: Parameters<CloudApp['reports']>) => {
    expect((await app.reports(...statuses)).status).toBe(200);
    await settled(app.test);
  };
  const detail = (guia: MadeGuia) => app.messaging.detail(merchant, guia);

  it('ignores the location of the earlier phone, unless it answers the message to the new one', async () => {
    const guia = await moved();
    await says(guia.before);
    await says(guia.before, guia.old);
    expect((await detail(guia)).direccion_confirmada).toBe(false);
    await says(guia.before, guia.fresh);
    expect((await detail(guia)).direccion_confirmada).toBe(true);
  });

  it.each([true, false])(
    'accepts the location of the new phone (as an answer to the message: %s)',
    async (isAnswer) => {
      const guia = await moved();
      await says(guia.telefono, isAnswer ? guia.fresh : undefined);
      expect(await detail(guia)).toMatchObject({ direccion_confirmada: true, destino: PLACE });
    },
  );

  it('ignores status reports of the message to the earlier phone', async () => {
    const guia = await moved();
    await reports(failed(guia.old, 131026));
    expect((await detail(guia)).advertencias).toEqual([]);
    await reports(failed(guia.fresh, 131026));
    expect((await detail(guia)).advertencias).toEqual(['mensaje_fallido']);
    await reports(status('delivered', guia.old));
    expect((await detail(guia)).advertencias).toEqual(['mensaje_fallido']);
    await reports(status('delivered', guia.fresh));
    expect((await detail(guia)).advertencias).toEqual([]);
  });
});
