import { v7 } from 'uuid';
import { ENLACE_FALLAS } from '../../src/guias/links/link-failures.js';
import { Console, CONSOLE_USERS } from '../support/console.js';
import { Money } from '../support/money.js';
import { createBridgedApp, type BridgedApp } from '../support/messaging.js';
import { ALLOW_PRIVATE, FAILURE, Hooks, startReceiver, type Receiver } from '../support/webhooks.js';
import type { TestMerchant } from '../support/test-app.js';

describe("support's page of a guide", () => {
  let bridged: BridgedApp;
  let receiver: Receiver;
  let merchant: TestMerchant;
  let ana: Console;

  beforeAll(async () => {
    receiver = await startReceiver();
    bridged = await createBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS, ...ALLOW_PRIVATE } });
    merchant = await bridged.test.merchant();
    ana = new Console(bridged.test);
  });
  afterAll(async () => {
    await bridged.close();
    await receiver.close();
  });

  const pathOf = ({ guia }: { guia: string }) => `/admin/guias/${guia}`;

  it('shows each try of a message: when, how it ended, and why in words', async () => {
    const telefono = '+50255559180';
    bridged.bridge.answerTo(telefono, { status: 503, headers: { 'retry-after': '600' } }, { status: 422 });
    const guia = await bridged.messaging.create(merchant, { telefono });
    await bridged.messaging.due(await bridged.messaging.waiting(guia));
    await bridged.messaging.reached(guia, 'fallido');
    const page = await ana.page(pathOf(guia));
    const [, tries] = page.split('Cada intento');
    const table = tries!.slice(0, tries!.indexOf('</table>'));
    expect(table.match(/<tr>/g)).toHaveLength(3);
    for (const fact of [
      'no salió, se reintenta',
      'El puente de mensajería tiene una falla (HTTP 503)',
      'falló',
      'El puente de mensajería rechazó el mensaje (HTTP 422)',
    ])
      expect(table).toContain(fact);
    expect(table).not.toContain(telefono.slice(4));
  });

  it('shows each try of a delivery, and sends it again', async () => {
    const hooks = new Hooks(bridged.test, receiver);
    const endpoint = await hooks.endpoint(merchant, { eventos: ['guia.creada'] });
    const delivery = await hooks.delivery(endpoint, { ...FAILURE, body: 'no hoy' });
    await hooks.reached(delivery, { intentos: 1, estado: 'pendiente' });
    const path = `/admin/guias/${delivery.guia}/avisos/${endpoint.id}/${delivery.mensaje_id}`;
    const ofGuia = await ana.page(`/admin/guias/${delivery.guia}`);
    expect(ofGuia).toContain(path);
    expect(ofGuia).toMatch(/por entregar<\/span> se reintenta <time/);
    const page = await ana.page(path);
    await bridged.test.database.query(
      `insert into webhook_intentos (webhook_id, mensaje_id, id, en, ms, error)
       select $1, $2, gen_random_uuid(), now() - interval '1 minute', 5, unnest(array['ECONNECT', 'ECONNRESET'])`,
      [endpoint.id, delivery.mensaje_id],
    );
    for (const fact of ['sin respuesta: no se pudo conectar', 'no respondió en HTTP (ECONNRESET)'])
      expect(await ana.page(path)).toContain(fact);
    for (const fact of ['HTTP 500', 'no hoy', 'Aviso: se creó la guía', 'por entregar', endpoint.at])
      expect(page).toContain(fact);
    expect(await ana.submit(path, path)).toContain('El aviso va en camino otra vez');
    await hooks.reached(delivery, { estado: 'entregada' });
    expect(receiver.at(endpoint.at)).toHaveLength(2);
    const elsewhere = await bridged.messaging.create(merchant);
    expect((await ana.get(path.replace(delivery.guia!, elsewhere.guia))).status).toBe(404);
    await merchant.delete(endpoint.path);
  });

  it('names in the history the courier, the way of an answer, its correction, and the state that a delivery reports', async () => {
    const hooks = new Hooks(bridged.test, receiver);
    const endpoint = await hooks.endpoint(merchant, { eventos: ['guia.estado_cambiado'] });
    const guia = await bridged.messaging.create(merchant, { cod_amount: 0, notas: 'Uno.\nDos.' });
    const operador = v7();
    await bridged.test.database.query('insert into operadores (id, nombre) values ($1, $2)', [
      operador,
      'Mensajeros Unidos',
    ]);
    await bridged.test.database.query(
      `insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, datos, operador_id) values
         ($1, $2, gen_random_uuid(), 'guia.confirmada', 'destinatario', 90, now(), '{"origen": "pagina"}', null),
         ($1, $2, gen_random_uuid(), 'guia.confirmada', 'destinatario', 91, now(), '{"origen": "whatsapp"}', null),
         ($1, $2, gen_random_uuid(), 'guia.mensaje_omitido', 'sistema', 92, now(), '{"por": "limite"}', null),
         ($1, $2, gen_random_uuid(), 'guia.estado_cambiado', 'operador', 93, now(), '{"estado": "recogido"}', $3)`,
      [merchant.id, guia.id, operador],
    );
    await ana.shows(pathOf(guia), 'La guía pasó a otro estado: Recogida');
    const page = await ana.page(pathOf(guia));
    for (const fact of [
      'Se confirmó la dirección en la página',
      'Se corrigió la dirección por WhatsApp',
      'La mensajería (Mensajeros Unidos)',
      'máximo de mensajes de 24 horas',
      '<dd>Nada</dd>',
    ])
      expect(page).toContain(fact);
    expect(page).not.toContain('>limite<');
    await merchant.delete(endpoint.path);
  });

  it('says in words why a message failed, and which map link', async () => {
    const guia = await bridged.messaging.create(merchant);
    const insert = (secuencia: number, tipo: string, datos: object) =>
      bridged.test.database.query(
        `insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, datos)
         values ($1, $2, gen_random_uuid(), $3, 'sistema', $4, now(), $5)`,
        [merchant.id, guia.id, tipo, secuencia, datos],
      );
    await insert(79, 'guia.mensaje_fallido', { codigo: 'HTTP 422' });
    await insert(80, 'guia.mensaje_fallido', { codigo: '131026' });
    await insert(81, 'guia.mensaje_fallido', { codigo: 'SANDBOX 0002' });
    for (const [i, motivo] of Object.keys(ENLACE_FALLAS).entries())
      await insert(90 + i, 'guia.enlace_fallido', { lugar: i % 2 ? 'destino' : 'recogida', motivo });
    const [, history] = (await ana.page(pathOf(guia))).split('<h2>Historial</h2>');
    const table = history!.slice(0, history!.indexOf('</table>'));
    for (const fact of [
      'El mensaje fue rechazado (HTTP 422)',
      'El número no recibe WhatsApp (131026)',
      'El número de prueba terminado en 0002 no recibe mensajes',
      'No se pudo leer el enlace de mapa del punto de recogida',
      'No se pudo leer el enlace de mapa del destino',
      ...Object.values(ENLACE_FALLAS),
    ])
      expect(table).toContain(fact);
    expect(table).not.toContain('SANDBOX');
    // The code alone does not tell which provider it was.
    expect(table).not.toMatch(/proveedor|puente/);
    for (const code of Object.keys(ENLACE_FALLAS)) expect(table).not.toMatch(new RegExp(`>${code}<`));
  });

  it('shows whether the money of a guide was settled and paid, and by which payment', async () => {
    const money = await Money.start(bridged.test);
    const { guia } = await money.deliver(349.5);
    const page = () => ana.page(`/admin/guias/${guia}`);
    expect(await page()).toContain('<dt>Liquidación</dt><dd>Todavía en ninguna</dd>');
    const { id } = (await money.settle()).body.liquidacion;
    const settled = await page();
    expect(settled).toMatch(new RegExp(`<dt>Liquidación</dt><dd><time [^>]*>[^<]+</time>, ${id}</dd>`));
    expect(settled).toContain('<dt>Pagada al comercio</dt><dd>Todavía no</dd>');
    await money.pay(id, { referencia_pago: 'TRF-2026-<7>' });
    expect(await page()).toMatch(
      /<dt>Pagada al comercio<\/dt><dd><time [^>]*>[^<]+<\/time>, referencia TRF-2026-&lt;7/,
    );
    expect(await ana.page(pathOf(await bridged.messaging.create(merchant)))).not.toContain('Liquidación');
  });
});
