import { v7 } from 'uuid';
import { ENLACE_FALLAS } from '../../src/guias/links/link-failures.js';
import { Console, CONSOLE_USERS, formOf } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { Driver } from '../support/driver.js';
import { Money } from '../support/money.js';
import { createBridgedApp, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import { ALLOW_PRIVATE, FAILURE, Hooks, startReceiver, type Receiver } from '../support/webhooks.js';
import type { TestMerchant } from '../support/test-app.js';

describe("support's page of a guide", () => {
  let bridged: BridgedApp;
  let receiver: Receiver;
  let merchant: TestMerchant;
  let ana: Console;
  let leo: Console;

  beforeAll(async () => {
    receiver = await startReceiver();
    bridged = await createBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS, ...ALLOW_PRIVATE } });
    merchant = await bridged.test.merchant();
    ana = new Console(bridged.test);
    leo = new Console(bridged.test, 'leo');
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
    for (const fact of ['Por recoger', 'Dirección sin confirmar', 'termina en <b>80</b>', 'Se creó la guía'])
      expect(page).toContain(fact);
    for (const code of ['mensaje_fallido', 'guia.creada', 'confirmacion_ubicacion'])
      expect(page.replace(/ value="[^"]*"/g, '')).not.toContain(code);
    const [, tries] = page.split('2 intentos');
    const list = tries!.slice(0, tries!.indexOf('</ul>'));
    expect(list.match(/<li>/g)).toHaveLength(2);
    for (const fact of [
      'no salió, se reintenta',
      'El puente de mensajería tiene una falla (HTTP 503)',
      'falló',
      'El puente de mensajería rechazó el mensaje (HTTP 422)',
    ])
      expect(list).toContain(fact);
    expect(list).not.toContain(telefono.slice(4));
  });

  it('shows who has the parcel, how to reach them, and when they were last seen', async () => {
    const guia = await bridged.messaging.create(merchant, { telefono: '+50255559181' });
    expect(await ana.page(pathOf(guia))).toContain('<dt>Piloto</dt><dd>Nadie la tiene</dd>');
    const operator = await bridged.test.operator();
    const driver = await Driver.start(bridged.test, operator, 'Marvin Xicay');
    await operator.patch(`/api/v1/operaciones/pilotos/${driver.id}`, { telefono: '+50255559182' });
    await driver.assign(guia.guia);
    const before = await ana.page(pathOf(guia));
    for (const fact of [
      '<b>Marvin Xicay</b>',
      'tel:+50255559182',
      'https://wa.me/50255559182',
      'nunca visto',
    ])
      expect(before).toContain(fact);
    await driver.get('guias');
    await eventually(async () => expect(await ana.page(pathOf(guia))).toContain('visto <time'));
  });

  it('shows each try of a delivery, and sends it again', async () => {
    const hooks = new Hooks(bridged.test, receiver);
    const endpoint = await hooks.endpoint(merchant, { eventos: ['guia.creada'] });
    const delivery = await hooks.delivery(endpoint, { ...FAILURE, body: 'no hoy' });
    await hooks.reached(delivery, { intentos: 1, estado: 'pendiente' });
    const path = `/admin/guias/${delivery.guia}/avisos/${endpoint.id}/${delivery.mensaje_id}`;
    const ofGuia = await ana.page(`/admin/guias/${delivery.guia}`);
    expect(ofGuia).toContain(path);
    expect(ofGuia).toMatch(/por entregar<\/span>[\s\S]*?Se reintenta <time/);
    expect(ofGuia).toMatch(/\b1 intento\b/);
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
      `with nuevos as (insert into eventos (comercio_id, guia_id, id, tipo, actor, secuencia, creado_en, datos, operador_id) values
         ($1, $2, gen_random_uuid(), 'guia.confirmada', 'destinatario', 90, now(), '{"origen": "pagina", "precision_m": 850}', null),
         ($1, $2, gen_random_uuid(), 'guia.confirmada', 'destinatario', 91, now(), '{"origen": "whatsapp"}', null),
         ($1, $2, gen_random_uuid(), 'guia.mensaje_omitido', 'sistema', 92, now(), '{"por": "limite"}', null),
         ($1, $2, gen_random_uuid(), 'guia.estado_cambiado', 'operador', 93, now(), '{"estado": "recogido"}', $3)
         returning comercio_id, guia_id, id, tipo)
       insert into eventos_pendientes (comercio_id, guia_id, id)
       select comercio_id, guia_id, id from nuevos where tipo = 'guia.estado_cambiado'`,
      [merchant.id, guia.id, operador],
    );
    await ana.shows(pathOf(guia), '>Recogida</b>');
    const page = await ana.page(pathOf(guia));
    expect(page).toContain('con unos 850 m de error');
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
    const page = await ana.page(`${pathOf(guia)}?ver=estados`);
    const table = page.slice(page.indexOf('<ol class="line">'), page.indexOf('</ol>'));
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

  it('is one timeline, the newest first, of which parts can be shown', async () => {
    const hooks = new Hooks(bridged.test, receiver);
    const endpoint = await hooks.endpoint(merchant, { eventos: ['guia.creada'] });
    const guia = await bridged.messaging.create(merchant, { cod_amount: 717.01 });
    await bridged.messaging.reached(guia, 'aceptado');
    await merchant.patch(`/api/v1/guias/${guia.id}`, { cod_amount: 0 });
    await ana.submit(pathOf(guia), '/notas', { texto: 'Llamó.' });
    await ana.shows(pathOf(guia), '1 aviso:');
    const titles = async (query: string) => {
      const page = await ana.page(pathOf(guia) + query);
      const [, list] = page.split('<ol class="line">');
      return [...list!.slice(0, list!.indexOf('</ol>')).matchAll(/<b class="grow">(.*?)<\/b>/g)].map(
        ([, title]) => title!.replace(/<[^>]*>/g, '').trim(),
      );
    };
    const all = await titles('');
    expect(all[0]).toBe('Nota de ana');
    expect(all[1]).toBe('Se cambiaron datos');
    expect(all.at(-1)).toBe('Se creó la guía');
    expect(await titles('?ver=estados')).toEqual(['Se cambiaron datos', 'Se creó la guía']);
    expect(await titles('?ver=mensajes')).toEqual(['Pide confirmar la ubicación enviado']);
    expect(await titles('?ver=avisos')).toEqual([
      expect.stringMatching(/^Aviso al comercio: Se creó la guía/),
    ]);
    expect(await titles('?ver=notas')).toEqual(['Nota de ana']);
    expect([...(await titles('?ver=otra'))].sort()).toEqual([...all].sort());
    // The sign of the country's currency, which keeps together with its amount.
    expect(await ana.page(pathOf(guia))).toContain('de Q\u00a0717.01 a Q\u00a00.00');
    await merchant.delete(endpoint.path);
  });

  it('has the text of each message with its link to copy, until the phone changes, for those who may act', async () => {
    const guia = await bridged.messaging.create(merchant, { nombre: 'Wendy' });
    await bridged.messaging.reached(guia, 'aceptado');
    const { texto } = bridged.bridge.sentTo(guia.telefono)[0]!.json as { texto: string };
    const [link] = /https?:\S+/.exec(texto)!;
    const copied = (page: string) =>
      [...page.matchAll(/value="(http[^"]+)" data-copy/g)].map(([, url]) => url);
    const page = await ana.page(pathOf(guia));
    expect(page).toContain(texto);
    expect(copied(page)).toEqual([link]);
    const looking = await leo.page(pathOf(guia));
    expect(looking).toContain('Pide confirmar la ubicación');
    expect(looking).not.toContain('/c/');
    await merchant.patch(`/api/v1/guias/${guia.id}`, { telefono: '+50244443333' });
    await eventually(async () => {
      const after = await ana.page(pathOf(guia));
      expect(copied(after)).toHaveLength(1);
      expect(copied(after)).not.toEqual([link]);
    });
  });

  it.each([
    ['telefono', 'telefono', '12 34'],
    ['destino', 'lugar', 'por la tienda <b>'],
    ['deshacer', 'motivo', 'x'.repeat(1_001)],
    ['notas', 'texto', 'x'.repeat(1_001)],
  ])('shows a refused form open, with what was typed and why: %s', async (form, field, typed) => {
    const guia = await bridged.messaging.create(merchant);
    await (await bridged.test.operator()).move(guia.id, { estado: 'en_camino_a_recoger' });
    const before = await ana.page(pathOf(guia));
    const { action, hidden } = formOf(before, `/${form}`);
    const answer = await ana.post(action, { ...hidden, [field]: typed });
    expect(answer.status).toBe(422);
    const refused = answer.text.slice(answer.text.indexOf(`action="${action}"`));
    const shown = refused.slice(0, refused.indexOf('</form>'));
    expect(shown).toContain(typed.replace('<', '&lt;'));
    expect(shown).toContain('aria-invalid="true"');
    expect(shown).toMatch(/class="why"><svg[^]*?<\/svg> No se hizo: [^<]+</);
    const isFolded = form !== 'notas';
    if (isFolded) {
      const upTo = answer.text.slice(0, answer.text.indexOf(`action="${action}"`));
      expect(upTo.slice(upTo.lastIndexOf('<details'))).toContain('<details class="fold" open>');
    }
    // A reload sends the form again, which does nothing again.
    expect((await ana.post(action, { ...hidden, [field]: typed })).status).toBe(422);
  });

  it('has one filled button, which is the next sensible action', async () => {
    const filled = async (guia: MadeGuia) => {
      const { text } = await ana.get(pathOf(guia));
      return [
        ...text.matchAll(/<(?:summary|button|a)[^>]* class="[^"]*main"[^>]*>(?:<svg.*?<\/svg>)?([^<]*)/g),
      ].map(([, label]) => label);
    };
    const failed = await bridged.messaging.create(merchant, { telefono: '+50255559181' });
    await bridged.messaging.reached(failed, 'aceptado');
    expect(await filled(failed)).toEqual(['Pedir la ubicación', 'Sí, pedirla']);
    await bridged.test.database.query(`update guias set estado = 'en_ruta' where id = $1`, [failed.id]);
    expect(await filled(failed)).toEqual(['Ver teléfono']);
    await bridged.test.database.query(`update guias set estado = 'cancelado' where id = $1`, [failed.id]);
    expect(await filled(failed)).toEqual([]);
  });

  it('has each id once: "Ir al contenido" leads to one place', async () => {
    const page = await ana.page(pathOf(await bridged.messaging.create(merchant, { contenido: 'Zapatos' })));
    const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toContain('contenido');
    expect(ids).toEqual([...new Set(ids)]);
  });

  it('shows that the number asked for no messages', async () => {
    const guia = await bridged.messaging.create(merchant);
    expect(await ana.page(pathOf(guia))).not.toContain('Pidió no recibir mensajes');
    const page = await ana.submit(pathOf(guia), '/baja');
    expect(page).toContain('Pidió no recibir mensajes');
    expect(page).not.toContain('/baja"');
    await bridged.test.database.query('delete from bajas');
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
