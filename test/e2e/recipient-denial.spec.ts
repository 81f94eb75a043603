import { addMerchantCommands } from '../../src/commands/merchants.commands.js';
import { settled } from '../support/eventually.js';
import { newPhone, type MadeGuia } from '../support/messaging.js';
import { expectProblem } from '../support/problem.js';
import { runCommand } from '../support/run-command.js';
import { APP_SECRET, guiaBody } from '../support/test-app.js';
import { opened, useBridgedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const PLACE = { lat: 14.6407, lng: -90.5133 };

/** A recipient says on the page that the parcel is not theirs. */
describe('"No soy yo / no pedí esto"', () => {
  const app = useBridgedApp();
  const merchant = opened(() => app.test.merchant());

  const detail = (guia: { id: string }) => app.messaging.detail(merchant, guia);
  const pathOf = async (guia: { id: string }) => new URL((await detail(guia)).seguimiento).pathname;
  const form = (path: string, fields: Record<string, string>) =>
    app.test.request(path, { method: 'POST', body: new URLSearchParams(fields) });
  const json = (path: string, body: unknown) =>
    app.test.request(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const deny = async (guia: { id: string }) => form(await pathOf(guia), { niega: 'si' });
  const tipos = async (guia: { id: string }) => (await app.messaging.events(guia)).map(({ tipo }) => tipo);
  const asked = async (): Promise<MadeGuia> => {
    const guia = await app.messaging.create(merchant);
    await app.messaging.reached(guia, 'aceptado');
    return guia;
  };

  it('warns the merchant once, however often and however simultaneously it is said', async () => {
    const guia = await asked();
    const path = new URL(app.bridge.sentTo(guia.telefono)[0]!.json.enlace).pathname;
    const answers = await Promise.all(Array.from({ length: 8 }, () => form(path, { niega: 'si' })));
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).toContain('<h1>Le avisamos a la tienda</h1>');
    }
    expect((await form(path, { niega: 'si' })).status).toBe(200);
    expect((await app.test.request(path)).text).toContain('<h1>Le avisamos a la tienda</h1>');
    expect((await detail(guia)).advertencias).toEqual(['destinatario_niega']);
    expect(await tipos(guia)).toEqual(['guia.creada', 'guia.destinatario_niega']);
    const { body } = await merchant.get(`${GUIAS}?advertencia=destinatario_niega`);
    expect(body.guias.map(({ id }: { id: string }) => id)).toEqual([guia.id]);
    const history = (await merchant.get(`${GUIAS}/${guia.id}/eventos`)).body.eventos;
    expect(history.at(-1)).toMatchObject({ tipo: 'guia.destinatario_niega', actor: 'destinatario' });
  });

  it('omits a message that waits for its next try, and those asked for later', async () => {
    const telefono = newPhone();
    app.bridge.answerTo(telefono, { status: 503 });
    const guia = await app.messaging.create(merchant, { telefono });
    const message = await app.messaging.waiting(guia);
    await deny(guia);
    await app.messaging.due(message);
    await app.messaging.reached(guia, 'omitido');
    expect((await app.messaging.of(guia))[0]!.causa).toBe('El destinatario dijo que el paquete no es suyo.');
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
  });

  it('is no opt-out; "No quiero mensajes" is one, of the number and all its guides, by form and by JSON', async () => {
    const operator = await app.test.operator();
    const bajas = async () => (await operator.get('/api/v1/operaciones/bajas')).body.bajas;
    const guia = await asked();
    const path = await pathOf(guia);
    const page = await app.test.request(path);
    expect(page.text).toContain('No quiero mensajes');
    expect(page.text).toContain('name="baja" value="si"');
    for (const fields of [{ baja: 'no' }, { baja: 'si', nota: 'x' }])
      expect((await form(path, fields as Record<string, string>)).status).toBe(400);
    expect(await bajas()).toEqual([]);
    const other = await asked();
    app.bridge.answerTo(other.telefono, { status: 503 });
    const done = await form(path, { baja: 'si' });
    expect(done.status).toBe(200);
    expect(done.text).toContain('Pediste no recibir mensajes');
    expect(done.text).not.toContain('name="baja"');
    expect(await bajas()).toEqual([
      { telefono: guia.telefono, creada_en: expect.any(String), origen: 'pagina' },
    ]);
    expect(await tipos(guia)).toEqual(['guia.creada']);
    const again = await app.messaging.create(merchant, { telefono: guia.telefono });
    await app.messaging.reached(again, 'omitido');
    expect((await app.test.request(await pathOf(again))).text).toContain('Pediste no recibir mensajes');
    // The place can still be given.
    expect((await form(path, { lat: '14.6', lng: '-90.5' })).status).toBe(200);
    await app.test.request(`/api/v1/operaciones/bajas/${guia.telefono}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${operator.key}` },
    });
    expect((await app.test.request(path)).text).toContain('name="baja"');
    const said = await json(await pathOf(other), { baja: 'si' });
    expect([said.status, said.body]).toEqual([200, { ok: true, guia: other.guia, baja: true }]);
    expectProblem(await json(await pathOf(other), { baja: true }), 'validacion');
    const tester = await app.test.tester(merchant.id);
    const test = (await tester.post(GUIAS, guiaBody())).body;
    const link = new URL((await tester.get(`${GUIAS}/${test.id}`)).body.guia.seguimiento).pathname;
    expect((await app.test.request(link)).text).not.toContain('name="baja"');
    expect((await form(link, { baja: 'si' })).status).toBe(409);
    await app.test.database.query('delete from bajas');
  });

  it('lasts until the phone changes: then the new number is asked', async () => {
    const guia = await asked();
    await deny(guia);
    await merchant.patch(`${GUIAS}/${guia.id}`, { referencia: 'Portón' });
    expect((await detail(guia)).advertencias).toEqual(['destinatario_niega']);
    const telefono = newPhone();
    await merchant.patch(`${GUIAS}/${guia.id}`, { telefono });
    await settled(app.test);
    expect((await detail(guia)).advertencias).toEqual([]);
    expect(app.bridge.sentTo(telefono)).toHaveLength(1);
    expect((await app.test.request(await pathOf(guia))).text).toContain('¿Dónde entregamos tu paquete?');
  });

  it('is not resolved by a destination of the merchant, but by a confirmation of the recipient', async () => {
    const [one, other] = [await asked(), await asked()];
    for (const guia of [one, other]) await deny(guia);
    await merchant.patch(`${GUIAS}/${one.id}`, PLACE);
    expect((await detail(one)).advertencias).toEqual(['destinatario_niega']);
    const confirmed = await form(await pathOf(other), { lat: '14.6407', lng: '-90.5133' });
    expect(confirmed.text).toContain('<h1>Ya confirmaste</h1>');
    expect((await detail(other)).advertencias).toEqual([]);
  });

  it('can be said of a guide whose place is known, and shows that place to nobody any more', async () => {
    const { body } = await merchant.post(GUIAS, guiaBody({ lat: 14.7123, lng: -90.6321 }));
    const { text } = await deny(body);
    expect(text).not.toMatch(/14\.7123|-90\.6321|id="progress"/);
    expect((await detail(body)).advertencias).toEqual(['destinatario_niega']);
  });

  it('is rejected for a guide that has ended', async () => {
    const { body } = await merchant.post(GUIAS, guiaBody());
    const path = await pathOf(body);
    await merchant.post(`${GUIAS}/${body.id}/cancelar`, {});
    const answer = await form(path, { niega: 'si' });
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('Este envío ya terminó.');
    expectProblem(await json(path, { niega: 'si' }), 'guia_no_modificable');
    expect((await detail(body)).advertencias).toEqual([]);
  });

  it('answers a program in JSON', async () => {
    const { body } = await merchant.post(GUIAS, guiaBody());
    const path = await pathOf(body);
    const answer = await json(path, { niega: 'si' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ok: true, guia: body.guia, advertencia: 'destinatario_niega' });
    expectProblem(await json(path, { niega: 'no' }), 'validacion');
    expectProblem(await json(path, { niega: true }), 'validacion');
    expectProblem(await json(path, { niega: 'si', ...PLACE }), 'validacion');
    expectProblem(await json('/c/unknown', { niega: 'si' }), 'no_encontrado');
  });

  it.each(['text/plain', 'multipart/form-data; boundary=x'])(
    'names what is accepted there in place of %s',
    async (type) => {
      const { body } = await merchant.post(GUIAS, guiaBody());
      const path = await pathOf(body);
      const headers = { 'content-type': type };
      const answer = await app.test.request(path, { method: 'POST', headers, body: 'niega=si' });
      expect([answer.status, answer.body.detail]).toEqual([
        415,
        'Envía la respuesta como JSON (`application/json`) o como formulario (`application/x-www-form-urlencoded`).',
      ]);
    },
  );

  it('is limited like the other answers', async () => {
    const { body } = await merchant.post(GUIAS, guiaBody());
    const path = await pathOf(body);
    const answers = [];
    for (let n = 0; n < 31; n++) answers.push((await form(path, { niega: 'si' })).status);
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
    const { body: problem } = await json(path, { niega: 'si' });
    expect(problem.detail).toBe('Espera los segundos que indica `Retry-After` e inténtalo de nuevo.');
  });

  describe('a place far away in the form', () => {
    it.each([
      [
        'from the municipality',
        { lat: '16.93', lng: '-89.89' },
        'Ese punto queda a 270\u00a0km de Mixco. ¿Es ahí?',
      ],
      [
        'outside the country',
        { maps_url: '40.4168, -3.7038' },
        'Ese punto queda fuera de Guatemala. ¿Es ahí?',
      ],
    ])(
      '%s is asked about before it is confirmed, and is no success without a look',
      async (_, fields, question) => {
        const { body } = await merchant.post(GUIAS, guiaBody());
        const path = await pathOf(body);
        const { status, text } = await form(path, { ...fields, referencia: 'Casa azul' });
        expect([status, text.includes(question), text.includes('Sí, es ahí')]).toEqual([400, true, true]);
        expect((await detail(body)).direccion_confirmada).toBe(false);
        const after = await form(path, { ...fields, tal_cual: 'si' });
        expect(after.status).toBe(200);
        const guia = await detail(body);
        expect(guia.direccion_confirmada).toBe(true);
        const isAbroad = guia.advertencias.includes('destino_fuera_del_pais');
        expect(after.text.includes('class="band good"')).toBe(!isAbroad);
      },
    );
  });

  describe('swapped coordinates in the form', () => {
    const open = async () => {
      const { body } = await merchant.post(GUIAS, guiaBody());
      return { id: body.id as string, path: await pathOf(body) };
    };

    it.each<[string, Record<string, string>, boolean]>([
      ['a latitude that does not exist', { lat: '-90.5133', lng: '14.6407' }, false],
      ['a place abroad', { lat: '-89.53', lng: '14.63' }, true],
      ['pasted, as GeoJSON writes them', { maps_url: '-90.5133, 14.6407' }, false],
      ['pasted, with a place abroad', { maps_url: '-89.53, 14.63' }, true],
    ])('are asked about, and confirm nothing yet: %s', async (_, fields, canInsist) => {
      const { id, path } = await open();
      const { status, text } = await form(path, { ...fields, referencia: 'Casa azul' });
      expect(status).toBe(400);
      expect(text).toContain('¿Están al revés la latitud y la longitud?');
      expect(text.includes('No, están bien')).toBe(canInsist);
      expect((await detail({ id })).direccion_confirmada).toBe(false);
      const [, lat, lng] =
        /name="lat" value="([^"]+)"\/?><input type="hidden" name="lng" value="([^"]+)"/.exec(text)!;
      await form(path, { lat: lat!, lng: lng!, referencia: 'Casa azul' });
      const guia = await detail({ id });
      expect([Math.round(guia.destino.lat), guia.advertencias, guia.referencia]).toEqual([
        15,
        [],
        'Casa azul',
      ]);
    });

    it('are taken as typed from who says that they are right, with a warning', async () => {
      const { id, path } = await open();
      const { text } = await form(path, { lat: '-89.53', lng: '14.63', tal_cual: 'si' });
      expect(text).toContain('Ese punto queda lejos del país del envío');
      expect(await detail({ id })).toMatchObject({
        destino: { lat: -89.53, lng: 14.63 },
        advertencias: ['destino_fuera_del_pais'],
      });
    });

    it('are taken from a program, which nobody can ask', async () => {
      const { id, path } = await open();
      expect((await json(path, { lat: -89.53, lng: 14.63 })).status).toBe(200);
      expect((await detail({ id })).advertencias).toEqual(['destino_fuera_del_pais']);
    });
  });

  it("shows the merchant's WhatsApp, also after `merchants update`", async () => {
    const env = { DATABASE_URL: app.test.database.url, APP_SECRET };
    const command = (...args: string[]) => runCommand('merchants', addMerchantCommands, args, env);
    const made = await command(
      'create',
      '--name',
      'Tienda',
      '--country',
      'GT',
      '--contact-phone',
      '5555 1234',
    );
    expect(made.contact_phone).toBe('+50255551234');
    const own = await app.test.keyOf(made.merchant_id);
    const { body } = await own.post(GUIAS, guiaBody());
    const { seguimiento } = (await own.get(`${GUIAS}/${body.id}`)).body.guia;
    const linkOf = async () =>
      /https:\/\/wa\.me\/\d+/.exec((await app.test.request(new URL(seguimiento).pathname)).text)?.[0];
    expect(await linkOf()).toBe('https://wa.me/50255551234');
    const update = (...args: string[]) => command('update', made.merchant_id, ...args);
    expect(await update('--name', 'Otra', '--contact-phone', '+503 7777 1234')).toMatchObject({
      name: 'Otra',
      contact_phone: '+50377771234',
    });
    expect(await linkOf()).toBe('https://wa.me/50377771234');
    expect(await update('--contact-phone', '')).not.toHaveProperty('contact_phone');
    expect(await linkOf()).toBeUndefined();
    await expect(update()).rejects.toThrow('say what to change');
    await expect(update('--contact-phone', '12')).rejects.toThrow('--contact-phone: is not a valid phone');
    await expect(command('update', 'x', '--name', 'y')).rejects.toThrow('no merchant has this merchant_id');
  });
});
