import { startBridge, bridgeEnv, Messaging, type Bridge } from '../support/messaging.js';
import { eventually } from '../support/eventually.js';
import { createTestApp, guiaBody, type TestApp } from '../support/test-app.js';

const AUTH = { authorization: `Basic ${Buffer.from('ana:clave-de-ana').toString('base64')}` };
const PERSON = { nombre: 'Ana López', telefono: '+50255551297', direccion: '4a calle 5-10', lat: undefined };

describe("support's page of a guide", () => {
  let bridge: Bridge;
  let test: TestApp;
  let guia: string;

  beforeAll(async () => {
    bridge = await startBridge();
    bridge.answerTo(PERSON.telefono, { status: 422 });
    test = await createTestApp({
      env: { ROLE: 'all', ...bridgeEnv(bridge.url), BOARD_USERS: 'ana:clave-de-ana' },
    });
    const merchant = await test.merchant();
    guia = (await merchant.post('/api/v1/guias', guiaBody(PERSON))).body.guia;
    await eventually(async () => {
      const rows = await test.database.query(`select from mensajes where estado = 'fallido'`);
      expect(rows).toHaveLength(1);
    });
  });
  afterAll(async () => {
    await test.close();
    await bridge.close();
  });

  it('shows the state of the guide and of its messages', async () => {
    const { status, headers, text } = await test.request(`/admin/guias/${guia}`, { headers: AUTH });
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    for (const fact of [
      guia,
      'Tienda',
      'Aceptada, por recoger',
      'Dirección sin confirmar',
      PERSON.nombre,
      PERSON.direccion,
      'No se pudo entregar el mensaje al destinatario',
      'Se creó la guía',
      'HTTP 422',
    ])
      expect(text).toContain(fact);
    for (const code of ['mensaje_fallido', 'guia.creada', 'confirmacion_ubicacion'])
      expect(text.replace(/ value="[^"]*"/g, '')).not.toContain(code);
  });

  it('shows of the phone nothing but the last digits', async () => {
    const { text } = await test.request(`/admin/guias/${guia}`, { headers: AUTH });
    expect(text).toContain('termina en 97');
    for (const secret of [PERSON.telefono, PERSON.telefono.slice(4)]) expect(text).not.toContain(secret);
  });

  it("has the number that the board's failed job links to", async () => {
    const { queue } = new Messaging(test);
    const [job] = await queue.getFailed();
    expect(job!.data).toEqual({ mensajeId: job!.id, guia });
  });

  it.each(['/admin/guias/000000000000', '/admin/guias/x', '/admin/guias/%00', '/admin/guias/%f0'])(
    'answers 404 for a number that no guide has: %s',
    async (path) => {
      expect((await test.request(path, { headers: AUTH })).status).toBe(404);
    },
  );

  it("requires a password, and refuses a merchant's key", async () => {
    const merchant = await test.merchant();
    expect((await test.request(`/admin/guias/${guia}`)).status).toBe(401);
    expect((await merchant.get(`/admin/guias/${guia}`)).status).toBe(401);
  });

  it('answers 404 without board users', async () => {
    const other = await createTestApp({ database: test.database });
    expect((await other.request(`/admin/guias/${guia}`, { headers: AUTH })).status).toBe(404);
    await other.close();
  });
});
