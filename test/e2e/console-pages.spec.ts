import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { Console, CONSOLE_USERS, formOf, staff } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { createBridgedApp, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import {
  ALLOW_PRIVATE,
  Hooks,
  makeDeliveries,
  startReceiver,
  type Endpoint,
  type Receiver,
} from '../support/webhooks.js';
import { ERRORS } from '../../src/platform/errors/error-codes.js';
import { MAX } from '../../src/guias/guia/limits.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { QUEUE_NAMES } from '../../src/web/console/texts.js';
import { TodayService } from '../../src/web/console/today/today.service.js';
import type { TestMerchant } from '../support/test-app.js';

describe("support's console", () => {
  let bridged: BridgedApp;
  let receiver: Receiver;
  let hooks: Hooks;
  let merchant: TestMerchant;
  let mexican: TestMerchant;
  let ana: Console;

  beforeAll(async () => {
    receiver = await startReceiver();
    bridged = await createBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS, ...ALLOW_PRIVATE } });
    hooks = new Hooks(bridged.test, receiver);
    merchant = await bridged.test.merchant();
    mexican = await bridged.test.merchant({ country: 'MX' });
    await bridged.test.database.query(`update comercios set nombre = 'Zapatería Ñandú' where id = $1`, [
      merchant.id,
    ]);
    await bridged.test.database.query(`update comercios set nombre = 'Flores' where id = $1`, [mexican.id]);
    ana = new Console(bridged.test);
  });
  afterAll(async () => {
    await bridged.close();
    await receiver.close();
  });

  /** The results of a search; a link to the guide that it opens. */
  const search = async (q: string, comercio = '', user: 'ana' | 'leo' = 'ana') => {
    const answer = await new Console(bridged.test, user).post('/admin/buscar', { q, comercio });
    if (answer.status === 303) return `href="${answer.headers.get('location')}"`;
    expect(answer.status).toBe(200);
    return answer.text;
  };
  const linkTo = (guia: MadeGuia | { guia: string }) => `href="/admin/guias/${guia.guia}"`;

  it('says so if nothing needs attention', async () => {
    // Again where a section was not read within its limit.
    await eventually(async () => expect(await ana.page('/admin')).toContain('Nada necesita atención'));
  });

  describe('finds a guide', () => {
    let guia: MadeGuia;
    let other: MadeGuia;

    beforeAll(async () => {
      guia = await bridged.messaging.create(merchant, {
        telefono: '+50255118899',
        nombre: 'José Ángel Muñoz',
        external_ref: 'PED-2026/7',
      });
      other = await bridged.messaging.create(mexican, { telefono: '+525512348899', nombre: 'Ana López' });
    });

    it.each([
      ['its number', () => guia.guia],
      ['its number in groups', () => guia.guia.replace(/(\d{4})(?=\d)/g, '$1 ')],
      ['the phone', () => '+502 5511 8899'],
      ['the phone as people say it', () => '5511-8899'],
      ['the phone with the country and no plus', () => '(502) 5511 8899'],
      ['the phone with a slash', () => '5511/8899'],
      ["the merchant's reference", () => 'PED-2026/7'],
      ["the merchant's reference in small letters", () => 'ped-2026/7'],
      ["the merchant's reference with a `#`, and blanks around", () => ' # PED-2026/7 '],
      ['how the name begins', () => 'José Áng'],
      ['the name without accents and capitals', () => 'jose angel munoz'],
      ['the surname', () => 'Muñoz'],
      ['parts of the names in any order', () => 'uño jos'],
      ["part of the merchant's reference", () => '2026/7'],
      ['parts of the reference and of the name', () => '#ped munoz'],
    ])('by %s', async (_, typed) => {
      // A new guide is found by words soon after.
      await eventually(async () => expect(await search(typed())).toContain(linkTo(guia)));
      expect(await search(typed())).not.toContain(linkTo(other));
    });

    it.each<[what: string, typed: () => string, isOpened: boolean]>([
      ['its number', () => guia.guia, true],
      ['its phone', () => '5511 8899', true],
      ['its whole reference', () => 'ped-2026/7', true],
      ['its name', () => 'José Ángel Muñoz', false],
      ['part of its reference', () => 'ped-2026', false],
    ])('and opens it at once where it is the only one with %s: %s', async (_, typed, isOpened) => {
      for (const user of ['ana', 'leo'] as const) {
        const { status, headers } = await new Console(bridged.test, user).post('/admin/buscar', {
          q: typed(),
        });
        expect([status, headers.get('location')]).toEqual(
          isOpened ? [303, `/admin/guias/${guia.guia}`] : [200, null],
        );
      }
    });

    it('by the name that it has now', async () => {
      const renamed = await bridged.messaging.create(merchant, { nombre: 'Ildefonso Batres' });
      await eventually(async () => expect(await search('batres')).toContain(linkTo(renamed)));
      expect((await merchant.patch(`/api/v1/guias/${renamed.id}`, { nombre: 'Rosenda' })).status).toBe(200);
      expect(await search('rosend')).toContain(linkTo(renamed));
      expect(await search('batres')).not.toContain(linkTo(renamed));
    });

    it('that is open and new first, and a few of each merchant', async () => {
      const made: MadeGuia[] = [];
      for (let n = 0; n < 7; n++)
        made.push(await bridged.messaging.create(merchant, { nombre: `Zoila Arzú ${n}` }));
      const abroad = await bridged.messaging.create(mexican, { nombre: 'Arzú' });
      expect((await merchant.post(`/api/v1/guias/${made[6]!.id}/cancelar`)).status).toBe(200);
      const found = async (comercio: string) => {
        const page = await search('arzu', comercio);
        const numbers = [...page.matchAll(/href="\/admin\/guias\/(\d+)"/g)].map(([, guia]) => guia);
        return numbers.map((numero) => made.findIndex(({ guia }) => guia === numero));
      };
      await eventually(async () => expect(await found('flores')).toEqual([-1]));
      // The last one of all was created after the others, by the other merchant.
      expect(abroad.guia).toMatch(/^\d{12}$/);
      expect(await found('')).toEqual([-1, 5, 4, 3, 2, 1]);
      expect(await found('zapateria')).toEqual([5, 4, 3, 2, 1, 0, 6]);
    });

    it.each([
      ['#1234', '1234'],
      ['Pedido-6', 'pedido-6'],
      ['pedido-8', '#PEDIDO-8'],
      ['#Pedido-9', 'PEDIDO-9'],
      ['#MiX-10', 'MiX-10'],
      ['r'.repeat(MAX.external_ref), `#${'r'.repeat(MAX.external_ref)}`],
    ])('whose reference is %s by %s', async (external_ref, typed) => {
      const referred = await bridged.messaging.create(merchant, { external_ref });
      expect(await search(typed)).toContain(linkTo(referred));
    });

    it.each([
      ['REF-00123', ['REF00123', 'ref 00123', '00123', 'REF_00123']],
      ['QWE45671', ['QWE-45671', 'qwe 45671', '45671']],
      ['0098761', ['REF-0098761', 'REF0098761', 'ref 0098761']],
      ['TX-77/81.9', ['tx77819', 'TX77-819']],
    ])('whose reference is %s as people say it', async (external_ref, said) => {
      const referred = await bridged.messaging.create(merchant, { external_ref });
      for (const typed of said)
        await eventually(async () =>
          expect({ typed, text: await search(typed) }).toEqual({
            typed,
            text: expect.stringContaining(linkTo(referred)),
          }),
        );
    });

    it('that is open by the last 4 to 7 digits of its number, at once', async () => {
      const made = await bridged.messaging.create(merchant, { nombre: '' });
      for (const digits of [4, 5, 7])
        for (const user of ['ana', 'leo'] as const)
          expect(await search(made.guia.slice(-digits), '', user)).toContain(linkTo(made));
      expect(await search(made.guia.slice(-7), 'flores')).not.toContain(linkTo(made));
      expect(await search(made.guia.slice(-3))).not.toContain(linkTo(made));
      expect((await merchant.post(`/api/v1/guias/${made.guia}/cancelar`)).status).toBe(200);
      expect(await search(made.guia.slice(-7))).not.toContain(linkTo(made));
    });

    it('first by the reference that was typed', async () => {
      const [exact, similar] = [
        await bridged.messaging.create(merchant, { external_ref: 'ped-77' }),
        await bridged.messaging.create(merchant, { external_ref: '#PED-77' }),
      ];
      const page = await search('ped-77');
      expect(page.indexOf(linkTo(exact))).toBeLessThan(page.indexOf(linkTo(similar)));
      expect(page).toContain(linkTo(similar));
      expect(page).toContain('Resultados de «ped-77»');
    });

    it("by a local phone of its merchant's country, or of another", async () => {
      expect(await search('55 1234 8899')).toContain(linkTo(other));
      const abroad = await bridged.messaging.create(mexican, { telefono: '+50255117766' });
      expect(await search('5511 7766')).toContain(linkTo(abroad));
    });

    it('and says what is wrong with a number, and which guides are one slip away; lectura reads the first alone', async () => {
      const wrong = guia.guia.slice(0, -1) + ((Number(guia.guia.at(-1)) + 1) % 10);
      expect(await search(wrong)).toContain('una cifra está mal dictada');
      expect(await search(guia.guia)).not.toContain('mal dictada');
      for (const said of [wrong, guia.guia.slice(1), `${guia.guia}0`, guia.guia.replace(/[01]/, 'O')])
        expect(await search(said)).toContain(linkTo(guia));
      const read = await search(wrong, '', 'leo');
      expect(read).toContain('una cifra está mal dictada');
      expect(read).not.toContain(linkTo(guia));
    });

    it('with tests last, marked as such', async () => {
      const tester = await bridged.test.tester(merchant.id);
      const trial = await bridged.messaging.create(tester, {
        telefono: '+50255118899',
        nombre: 'José Ángel',
      });
      await eventually(async () => expect(await search('José Áng')).toContain(linkTo(trial)));
      for (const typed of ['5511 8899', 'José Áng']) {
        const page = await search(typed);
        expect(page.indexOf(linkTo(guia))).toBeLessThan(page.indexOf(linkTo(trial)));
        expect(page.slice(page.indexOf(linkTo(trial)))).toMatch(/^[^|]*?<span class="badge care">prueba</);
        expect(page.match(/>prueba</g)).toHaveLength(1);
      }
      expect(await ana.page(`/admin/guias/${trial.guia}`)).toContain('Es una guía de prueba');
    });

    it('by the last digits of the phone within a merchant, and says so without one', async () => {
      const page = await search('8899', 'zapateria nandu');
      expect(page).toContain(linkTo(guia));
      expect(page).not.toContain(linkTo(other));
      expect(page).not.toContain('5511 8899');
      expect(page).not.toContain('55118899');
      expect(await search('8899')).toContain('escriba también el comercio');
      expect(await search('8899', 'no existe')).toContain('No hay un comercio');
    });

    it.each(['8899', '118899', '5118899'])(
      'by the end %s of the phone for users who may see phones, and not for the others',
      async (typed) => {
        expect(await search(typed, 'zapateria')).toContain(linkTo(guia));
        const page = await search(typed, 'zapateria', 'leo');
        expect(page).not.toContain(linkTo(guia));
        expect(page).not.toContain('últimos 4 dígitos');
      },
    );

    it.each<[typed: string, comercio: string, user: 'ana' | 'leo', detalle: string | undefined]>([
      ['5511-8899', '', 'leo', '…99'],
      ['+502 5511 8899', 'zapateria', 'ana', '…99'],
      ['5511 0000', '', 'ana', '…00'],
      ['8899', 'zapateria', 'ana', '…99, por sus últimos 4 dígitos'],
      ['8899', 'zapateria', 'leo', undefined],
      ['8899', '', 'ana', undefined],
      ['5511-8899', 'no existe', 'ana', undefined],
      ['PED-2026/7', '', 'ana', undefined],
      ['José', '', 'leo', undefined],
    ])(
      'by %j of %j with an entry in the audit log where it is a phone (%s)',
      async (q, comercio, user, detalle) => {
        await bridged.test.database.query('delete from auditoria');
        const page = await search(q, comercio, user);
        const rows = await bridged.test.database.query<{ nota: string }>(
          'select usuario, accion, resultado, detalle, nota from auditoria',
        );
        if (detalle === undefined) return expect(rows).toEqual([]);
        const action = { usuario: user, accion: 'buscar_telefono', resultado: 'hecho', detalle };
        expect(rows).toEqual([{ ...action, nota: expect.any(String) }]);
        expect(rows[0]!.nota.includes(guia.guia)).toBe(page.includes(linkTo(guia)));
        expect(JSON.stringify(rows)).not.toMatch(/5511\s?8899|55118899/);
      },
    );

    it('in no merchant but the named one', async () => {
      await eventually(async () => expect(await search('Ana López', 'flores')).toContain(linkTo(other)));
      expect(await search('Ana López', 'zapat')).not.toContain(linkTo(other));
      expect(await search('PED-2026/7', 'flores')).not.toContain(linkTo(guia));
    });

    it.each([
      '',
      ' ',
      '%',
      "'",
      '\\',
      '%00',
      '\u0000',
      'x'.repeat(500),
      '<script>',
      '٣',
      '+',
      '12',
      '𝒜'.repeat(3),
    ])('or says that it found nothing: %j', async (typed) => {
      const page = await search(typed);
      expect(page).toContain('No se encontró nada');
      expect(page).not.toContain('<script>');
    });
  });

  it("shows a merchant's contact phone, test keys as such, and days as people write them", async () => {
    const twin = await bridged.test.tester(merchant.id);
    await bridged.test.database.query(
      `update comercios set telefono_contacto = '+50222223333' where id = $1`,
      [merchant.id],
    );
    const page = await ana.page(`/admin/comercios/${merchant.id}`);
    expect(page).toContain('<dd>2222 3333</dd>');
    expect(page).toContain(`${twin.key.slice(0, 16)}</b> <span class="badge care">prueba`);
    expect(page).toMatch(/Del \d+ \p{L}+ \d{4} al \d+ \p{L}+ \d{4}/u);
  });

  it('says that no event is set aside, and of none that it could not be processed', async () => {
    const page = await ana.page('/admin/eventos');
    expect(page).toContain('Ninguno: todo lo que pasó se pudo procesar.');
    expect(page).not.toContain('No se pudieron procesar');
  });

  it('finds a merchant by part of the name', async () => {
    expect(await search('ñandu')).toContain(`href="/admin/comercios/${merchant.id}"`);
  });

  it('finds the request of an X-Request-Id: route, status and merchant, no body', async () => {
    const { headers } = await merchant.post('/api/v1/guias', { telefono: 'secreto' });
    const id = headers.get('x-request-id')!;
    const chosen = await merchant.get('/api/v1/guias/100000000001', { 'x-request-id': 'mi.solicitud-1' });
    expect(chosen.status).toBe(404);
    const stranger = await bridged.test.request('/api/v1/guias');
    await eventually(async () => {
      const page = await search(id);
      for (const fact of ['POST /api/v1/guias', `400: ${ERRORS.validacion.title}`, 'Zapatería Ñandú'])
        expect(page).toContain(fact);
      expect(page).not.toContain('secreto');
      expect(page).toContain('Horas de America/Guatemala');
      expect(page).not.toContain('validacion');
      expect(await search('mi.solicitud-1')).toContain('GET /api/v1/guias/:id');
      expect(await search(stranger.headers.get('x-request-id')!)).toContain('sin clave válida');
    });
  });

  it('leads from what a test key did to the live merchant, because a test twin has no page', async () => {
    const tester = await bridged.test.tester(merchant.id);
    const trial = await bridged.messaging.create(tester, { external_ref: 'PRUEBA-1' });
    const refused = await tester.post('/api/v1/guias', {});
    await ana.submit(`/admin/guias/${trial.guia}`, '/notas', { texto: 'Llamó el comercio.' });
    const endpoint = await hooks.endpoint(tester);
    const { guia, mensaje_id } = await hooks.delivery(endpoint, {});
    const toMerchants = (page: string) =>
      [...page.matchAll(/href="\/admin\/comercios\/([^"#]+)/g)].map(([, id]) => id!);
    await eventually(async () => expect(toMerchants(await search('prueba-'))).toEqual([merchant.id]));
    await eventually(async () =>
      expect(toMerchants(await search(refused.headers.get('x-request-id')!))).toEqual([merchant.id]),
    );
    expect(toMerchants(await ana.page('/admin/auditoria'))).toContain(merchant.id);
    for (const page of ['/admin/auditoria', `/admin/guias/${guia}/avisos/${endpoint.id}/${mensaje_id}`])
      expect(toMerchants(await ana.page(page))).not.toContain(tester.id);
  });

  it('says what needs a person: a paused sender, failed messages, old requests, broken links, set-aside events', async () => {
    const { database } = bridged.test;
    const failed = await bridged.messaging.create(merchant, { telefono: '+50255110001' });
    const broken = await bridged.messaging.create(merchant, { telefono: '+50255110002' });
    // A message that is sent ends a pause.
    for (const guia of [failed, broken]) await bridged.messaging.reached(guia, 'aceptado');
    await database.query(
      `update mensajes set estado = 'fallido', causa = 'El número no existe.' where guia_id = $1`,
      [failed.id],
    );
    await database.query(
      `insert into pausas (proveedor, codigo, causa, desde)
       values ('webhook', '401', 'La clave del puente no sirve: corrija MESSAGING_WEBHOOK_SECRET.', now())`,
    );
    await database.query(`update guias set advertencias = '{recogida_sin_coordenadas}' where id = $1`, [
      broken.id,
    ]);
    await database.query(
      `insert into guias (comercio_id, id, guia, estado, telefono, departamento, municipio, direccion_confirmada,
        recogida_lat, recogida_lng, creada_en, actualizada_en)
      select $1, (lpad(to_hex((extract(epoch from now()) * 1000)::bigint - 172800000), 12, '0') || '70008000000000000001')::uuid,
        '700000000001', 'aceptado', '+50255110003', 'Guatemala', 'Mixco', false, 14.6, -90.5,
        now() - interval '2 days', now() - interval '2 days'`,
      [merchant.id],
    );
    const page = await ana.shows('/admin', '1 sin confirmar más de 24 horas</a>', 'El número no existe.');
    const causas = [...page.matchAll(/href="(\/admin\/causas\/(?!advertencias)[\w-]+)"/g)].map(
      ([, path]) => path!,
    );
    const lists = (await Promise.all(causas.map((path) => ana.page(path)))).join('');
    for (const guia of [failed, { guia: '700000000001' }]) expect(lists).toContain(linkTo(guia));
    expect(lists).toContain('No se le ha enviado un mensaje');
    expect(await ana.page('/admin/causas/advertencias-recogida_sin_coordenadas')).toContain(linkTo(broken));
    for (const fact of ['Puente de mensajería: detenido desde', 'corrija MESSAGING_WEBHOOK_SECRET'])
      expect(page).toContain(fact);
    expect(page).not.toContain('Nada necesita atención');
    await database.query('update pausas set por_informe = true');
    const reported = await ana.page('/admin');
    for (const fact of [
      'Mensajes que quizá no lleguen',
      'Puente de mensajería: última falla informada',
      'salen, pero puede que no lleguen. La clave del puente no sirve',
    ])
      expect(reported).toContain(fact);
    expect(reported).not.toMatch(/Mensajes detenidos|detenido desde/);
    const board = await bridged.test.request('/admin/queues/api/queues', { headers: staff() });
    const queues = board.body.queues as { name: string; displayName: string; isPaused: boolean }[];
    expect(queues.map(({ displayName }) => displayName).sort()).toEqual(Object.values(QUEUE_NAMES).sort());
    expect(queues.filter(({ isPaused }) => isPaused).map(({ name }) => name)).toEqual(['notificaciones']);
    await database.query('delete from pausas');
  });

  describe('lists the warnings to act on', () => {
    const warned = async (advertencias: string, over: Record<string, unknown> = {}) => {
      const guia = await bridged.messaging.create(merchant, over);
      await bridged.test.database.query('update guias set advertencias = $2 where id = $1', [
        guia.id,
        advertencias,
      ]);
      return guia;
    };
    const denied = () => ana.page('/admin/causas/advertencias-destinatario_niega');

    it('in words, by each of them, and says who has to act', async () => {
      // Nobody is asked: an accepted message would resolve the first.
      const guia = await warned('{mensaje_omitido_baja,cod_distinto,recogida_fuera_del_pais}', {
        ...{ lat: 14.6407, lng: -90.5133 },
      });
      const page = await ana.shows('/admin', 'mensaje_omitido_baja', 'recogida_fuera_del_pais');
      for (const [codigo, ...facts] of [
        [
          'mensaje_omitido_baja',
          'El destinatario pidió no recibir mensajes: llámelo.',
          'Les toca a soporte y al comercio',
        ],
        ['recogida_fuera_del_pais', 'está lejos del país del comercio', 'Le toca al comercio: avísele.'],
      ]) {
        const section = page.slice(page.indexOf(`id="advertencias-${codigo}"`)).split('</section>')[0]!;
        for (const fact of facts) expect(section).toContain(fact);
        expect(section).not.toMatch(/>\w+_\w+</);
        expect(await ana.page(`/admin/causas/advertencias-${codigo}`)).toContain(linkTo(guia));
      }
      expect(page).not.toContain('Lo cobrado');
    });

    it('without guides that have ended, tests, and warnings that nobody has to act on', async () => {
      const tester = await bridged.test.tester(merchant.id);
      const ended = await warned('{destinatario_niega}');
      await bridged.test.database.query(`update guias set estado = 'cancelado' where id = $1`, [ended.id]);
      const asked = await warned('{destino_sin_coordenadas,cod_distinto}');
      const trial = await bridged.messaging.create(tester);
      await bridged.test.database.query(
        `update guias set advertencias = '{destinatario_niega}' where id = $1`,
        [trial.id],
      );
      const pages = [
        await denied(),
        ...(await Promise.all(
          ['destino_sin_coordenadas', 'cod_distinto'].map((codigo) =>
            ana.page(`/admin/causas/advertencias-${codigo}`),
          ),
        )),
      ];
      for (const guia of [ended, asked, trial])
        for (const page of pages) expect(page).not.toContain(linkTo(guia));
    });

    it('of a guide that was cancelled while its parcel was in the van, until there is a note', async () => {
      const guia = await bridged.messaging.create(merchant);
      const operator = await bridged.test.operator();
      await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
      const pickedUp = new Date().toISOString();
      await merchant.post(`/api/v1/guias/${guia.id}/cancelar`);
      await operator.move(guia.id, { estado: 'recogido', ocurrido_en: pickedUp });
      const list = '/admin/causas/advertencias-cancelada_ya_recogida';
      expect(await ana.shows('/admin', 'id="advertencias-cancelada_ya_recogida"')).toContain(
        `href="${list}"`,
      );
      expect(await ana.page(list)).toContain(linkTo(guia));
      await ana.submit(`/admin/guias/${guia.guia}`, '/notas', { texto: 'Vuelve mañana con el piloto.' });
      expect(await ana.page(list)).not.toContain(linkTo(guia));
    });

    it('of a guide in any state where its end settles nothing, until support has seen it', async () => {
      const guia = await warned('{entrega_tardia,destinatario_no_recibio}');
      await bridged.test.database.query(`update guias set estado = 'entregado' where id = $1`, [guia.id]);
      const lists = ['entrega_tardia', 'destinatario_no_recibio'].map(
        (codigo) => `/admin/causas/advertencias-${codigo}`,
      );
      for (const list of lists) expect(await ana.page(list)).toContain(linkTo(guia));
      const page = await ana.page(`/admin/guias/${guia.guia}`);
      expect(page).toMatch(/<summary class="btn main"><svg[^]*?<\/svg>Deshacer la entrega/);
      await ana.submit(`/admin/guias/${guia.guia}`, '/advertencias', { codigo: 'destinatario_no_recibio' });
      expect(await ana.page(lists[1]!)).not.toContain(linkTo(guia));
      expect(await ana.page(lists[0]!)).toContain(linkTo(guia));
    });

    it('without a guide that support has written a note on, until the guide changes again', async () => {
      const [noted, other] = [await warned('{destinatario_niega}'), await warned('{destinatario_niega}')];
      expect(await denied()).toContain('Con una nota sale de la lista');
      await ana.submit(`/admin/guias/${noted.guia}`, '/notas', { texto: 'El comercio ya lo sabe.' });
      expect(await denied()).not.toContain(linkTo(noted));
      expect(await denied()).toContain(linkTo(other));
      await merchant.patch(`/api/v1/guias/${noted.id}`, { notas: 'Tocar dos veces.' });
      expect(await denied()).toContain(linkTo(noted));
    });
  });

  it('calls every queue by a name in Spanish', () => {
    const queues = bridged.test.app.get(QueuesService).all.map(({ name }) => name);
    expect(Object.keys(QUEUE_NAMES).sort()).toEqual(queues);
  });

  it("shows operators' endpoints that fail, and those that were disabled for it; each leads to its operator's page", async () => {
    const { database } = bridged.test;
    const operator = await bridged.test.operator('Mensajería <Sur>');
    const hook = async (changes: string) => {
      const url = `https://sur.example/${changes.length}`;
      const { body } = await operator.post('/api/v1/operaciones/webhooks', { url });
      await database.query(`update webhooks set ${changes} where id = $1`, [body.webhook.id]);
      return body.webhook.id as string;
    };
    const off = (why: string) => `activo = false, desactivado_en = now(), desactivado_por = '${why}'`;
    const ids = [
      await hook('falla_desde = now()'),
      await hook(off('respuesta_410')),
      await hook(off('operador')),
      await hook('falla_desde = null'),
    ];
    const shownTo = async (user: Console) =>
      (await user.page('/admin')).split('</tr>').filter((row) => row.includes('Mensajería &lt;Sur>'));
    const rows = await shownTo(ana);
    expect(rows).toHaveLength(2);
    for (const row of rows) {
      expect(row).toContain('(operador)');
      expect(row).toContain(`href="/admin/operadores/${operator.id}#w-`);
    }
    await database.query('update webhooks set eliminado_en = now() where id = any ($1)', [ids]);
  });

  it("helps operators' endpoints as it does those of merchants", async () => {
    const { database } = bridged.test;
    const operator = await bridged.test.operator('Flota Norte');
    const made = await operator.post('/api/v1/operaciones/webhooks', { url: 'https://norte.example/avisos' });
    const { id } = made.body.webhook;
    await database.query(
      `update webhooks set activo = false, desactivado_en = now(), desactivado_por = 'respuesta_410' where id = $1`,
      [id],
    );
    const path = `/admin/operadores/${operator.id}`;
    const looked = await new Console(bridged.test, 'leo').page(path);
    expect(looked).toContain('el endpoint respondió 410');
    expect(looked).not.toContain('<button type="submit" class="btn">Enviar la prueba');
    expect(looked).not.toContain('Nueva clave');
    expect(await ana.submit(path, `${id}/liberar`)).toContain('El endpoint está activo.');
    expect((await operator.get(`/api/v1/operaciones/webhooks/${id}`)).body.webhook.activo).toBe(true);
    expect(await ana.submit(path, `${id}/probar`)).toMatch(/La prueba (?:va en camino|llegó|no llegó)/);
    const period = `${path}/webhooks/${id}/reenviar`;
    expect(await ana.page(period)).toContain('Flota Norte');
    expect(await ana.submit(period, '/reenviar', { desde: '2026-11-21T08:00', cuales: 'todas' })).toContain(
      'No había avisos de ese período.',
    );
    expect(await ana.page(`${path}/webhooks/${id}/avisos?estado=entregada`)).toContain('Avisos entregados');
    expect((await ana.actions()).slice(0, 3).map(({ accion }) => accion)).toEqual([
      ...['reenviar_periodo', 'probar_endpoint', 'liberar_endpoint'],
    ]);
    const other = await bridged.test.operator('Flota Sur');
    expect((await ana.post(`/admin/operadores/${other.id}/webhooks/${id}/probar`, {})).status).toBe(404);
    expect((await ana.get(`/admin/comercios/${operator.id}/webhooks/${id}/reenviar`)).status).toBe(404);
    await database.query('update webhooks set eliminado_en = now() where id = $1', [id]);
  });

  it('opts a number without a guide out, and in again, by a search', async () => {
    const operator = await bridged.test.operator();
    const bajas = async () => (await operator.get('/api/v1/operaciones/bajas')).body.bajas;
    const searched = (by: Console) => by.post('/admin/buscar', { q: '4470 8812' });
    const found = (await searched(ana)).text;
    expect(found).toContain('Se le escribe');
    const out = formOf(found, '/buscar/baja');
    const answer = await ana.post(out.action, out.hidden);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('no se le escribe más')]);
    expect(await bajas()).toEqual([
      { telefono: '+50244708812', creada_en: expect.any(String), origen: 'soporte' },
    ]);
    const seen = (await searched(new Console(bridged.test, 'leo'))).text;
    expect(seen).toContain('Pidió no recibir mensajes');
    expect(seen).not.toContain('Volver a escribirle');
    const back = formOf(answer.text, '/buscar/alta');
    expect((await new Console(bridged.test, 'leo').post(back.action, back.hidden)).status).toBe(403);
    const lifted = await ana.post(back.action, back.hidden);
    expect(lifted.text).toContain('se le vuelve a escribir');
    expect(await bajas()).toEqual([]);
    // The first form again does nothing: it was done.
    await ana.post(out.action, out.hidden);
    expect(await bajas()).toEqual([]);
    const wrong = await ana.post('/admin/buscar/baja', {
      ...out.hidden,
      telefono: '12',
      clave: randomUUID(),
    });
    expect(wrong.status).toBe(400);
    const kept = await bridged.test.database.query('select detalle, nota from auditoria');
    expect(JSON.stringify([kept, bridged.test.logs])).not.toMatch(/4470 ?8812/);
  });

  it('shows the other sections where one cannot be read', async () => {
    const { database } = bridged.test;
    await database.query('alter table webhooks rename to webhooks_away');
    try {
      await ana.shows(
        '/admin',
        'Endpoints que fallan',
        'No se pudo consultar',
        'sin confirmar más de 24 horas',
      );
    } finally {
      await database.query('alter table webhooks_away rename to webhooks');
    }
    expect((await bridged.test.app.get(TodayService).load()).endpoints).toEqual([]);
  });

  describe('of a merchant', () => {
    let shop: TestMerchant;
    let path: string;

    beforeAll(async () => {
      shop = await bridged.test.merchant();
      path = `/admin/comercios/${shop.id}`;
      for (let n = 0; n < 52; n++) await bridged.messaging.create(shop);
      for (const place of [{ lat: 14.6, lng: -90.5 }, {}]) {
        const { guia } = await bridged.messaging.create(shop, place);
        await shop.post(`/api/v1/guias/${guia}/cancelar`);
      }
      await bridged.messaging.create(shop, { lat: 14.6, lng: -90.5, cod_amount: 349.5 });
    });

    it('counts the guides in each state, and those without a confirmed destination', async () => {
      const page = await ana.page(path);
      expect(page).toContain(`href="${path}/guias?ver=sin-confirmar">52 sin confirmar</a>`);
      expect(page).toContain(`href="${path}/guias?ver=aceptado">53</a>`);
      expect(page).toContain(`href="${path}/guias?ver=cancelado">2</a>`);
      expect(page).not.toContain('ver=entregado');
    });

    it.each([
      ['aceptado', 53],
      ['cancelado', 2],
      ['sin-confirmar', 52],
      ['entregado', 0],
      ['otra', 52],
    ])('lists them, page by page: %s', async (vista, count) => {
      const numbers: string[] = [];
      let next: string | undefined = `${path}/guias?ver=${vista}`;
      while (next !== undefined) {
        const page: string = await ana.page(next);
        numbers.push(
          ...[...page.matchAll(/<td[^>]*><a href="\/admin\/guias\/(\d+)">/g)].map(([, guia]) => guia!),
        );
        next = /<a href="([^"]+)">Siguientes/.exec(page)?.[1]?.replaceAll('&amp;', '&');
      }
      expect(new Set(numbers).size).toBe(count);
      expect(numbers).toHaveLength(count);
    });

    it('shows the amount with its sign, and of another merchant nothing', async () => {
      expect(await ana.page(`${path}/guias?ver=aceptado`)).toContain('Q\u00a0349.50');
      expect((await ana.get(`/admin/comercios/${v7()}/guias`)).status).toBe(404);
      expect((await ana.get(`${path}/guias?ver=aceptado&cursor=x`)).status).toBe(400);
    });
  });

  describe('of a failing endpoint', () => {
    let endpoint: Endpoint;
    let path: string;
    const form = (action: string) => `${endpoint.id}/${action}`;

    beforeAll(async () => {
      endpoint = await hooks.endpoint(merchant, { eventos: ['guia.creada'], descripcion: 'Tienda en línea' });
      await makeDeliveries(bridged.test.database, endpoint, { count: 23, estado: 'fallida', daysAgo: 1 });
      const delivery = await hooks.delivery(endpoint, { status: 410, body: '<b>adiós</b>' });
      await hooks.reached(delivery, { estado: 'fallida' });
      path = `/admin/comercios/${merchant.id}`;
    });

    it('says merchant, address, last answer and what waits', async () => {
      const facts = [endpoint.at, '(desactivado)', '24', 'El endpoint respondió 410'];
      await ana.shows('/admin', `href="${path}#w-${endpoint.id}"`, ...facts);
    });

    it("shows on its merchant's page why it is off, and what it answered, as text", async () => {
      const page = await ana.page(path);
      for (const fact of ['Tienda en línea', 'HTTP 410', 'no quiere más avisos', '&lt;b>adiós', 'gk_live_'])
        expect(page).toContain(fact);
      expect(page).not.toContain(merchant.key);
    });

    it('leads to the list of its deliveries in each state', async () => {
      const list = `${path}/webhooks/${endpoint.id}/avisos?estado=`;
      expect(await ana.page(path)).toContain(`href="${list}fallida">24</a>`);
      const page = await ana.page(`${list}fallida`);
      expect(page.match(/<tr>/g)).toHaveLength(25);
      expect(page).toContain('El endpoint respondió 410');
      const [delivery] = (await hooks.of(endpoint)).filter(({ intentos }) => intentos > 0);
      expect(page).toContain(
        `href="/admin/guias/${delivery!.guia}/avisos/${endpoint.id}/${delivery!.mensaje_id}"`,
      );
      expect(await ana.page(`${list}pendiente`)).toContain('Ninguno.');
      expect((await ana.get(`${list}fallida&cursor=x`)).status).toBe(400);
    });

    it('tests it', async () => {
      receiver.answerAt(endpoint.at, { status: 503 });
      expect(await ana.submit(path, form('probar'))).toMatch(
        /class="note bad"[^|]*?<div class="grow">La prueba no llegó\./,
      );
      // A test is no delivery that the merchant misses.
      expect(await ana.page(path)).toMatch(/<dt>Avisos que fallaron<\/dt><dd><a [^>]*>24<\/a>/);
      expect((await ana.actions())[0]).toMatchObject({ accion: 'probar_endpoint', resultado: 'fallo' });
      expect(await ana.submit(path, form('probar'))).toContain('La prueba llegó. Respondió 200');
    });

    it('enables it and sends all that waits, once', async () => {
      const before = receiver.at(endpoint.at).length;
      await ana.submit(path, form('liberar'));
      // On a slow machine it goes on after the answer.
      await ana.shows('/admin/auditoria', 'El endpoint está activo. Van en camino 24 avisos');
      await eventually(async () => {
        const all = await hooks.of(endpoint);
        const test = all.filter(({ evento }) => evento === 'webhook.prueba');
        expect(test.map(({ estado }) => estado).sort()).toEqual(['entregada', 'fallida']);
        expect(all.filter(({ estado }) => estado === 'entregada')).toHaveLength(all.length - 1);
      });
      // Without the test that failed.
      expect(receiver.at(endpoint.at).length - before).toBe(24);
      await ana.hides('/admin', endpoint.at);
      expect(await ana.page(path)).not.toContain('<dt>Desactivado</dt>');
    });

    it('sends the deliveries of a span of local time again', async () => {
      const before = receiver.at(endpoint.at).length;
      const page = `${path}/webhooks/${endpoint.id}/reenviar`;
      const day = new Date(Date.now() - 30 * 3_600_000).toISOString().slice(0, 10);
      const span = { desde: `${day}T00:00`, hasta: '', cuales: 'todas' };
      await ana.submit(page, form('reenviar'), span);
      await ana.shows('/admin/auditoria', 'avisos de ese período');
      await eventually(() => expect(receiver.at(endpoint.at).length - before).toBeGreaterThan(20));
      for (const [desde, hasta] of [
        ['', ''],
        ['ayer', ''],
        ['2026-02-30T00:00', ''],
        ['2026-11-21T10:00', '2026-11-21T09:00'],
      ]) {
        const refused = await ana.submit(page, form('reenviar'), {
          desde: desde!,
          hasta: hasta!,
          cuales: 'todas',
        });
        expect(refused).toContain('No se hizo: ');
        // Nothing is typed twice.
        const value = desde === '' ? 'value' : `value="${desde}"`;
        expect(refused).toMatch(new RegExp(`<input name="desde"[^>]* ${value}[ />]`));
        expect(refused).toContain('<option value="todas" selected>');
      }
    });
  });

  it('logs every action, newest first, with who, what and how it ended', async () => {
    const page = await ana.page('/admin/auditoria');
    for (const fact of ['ana', 'Activó un endpoint y envió lo que esperaba', 'Zapatería Ñandú', 'rechazado'])
      expect(page).toContain(fact);
  });

  it('logs retries on the board', async () => {
    const { status } = await bridged.test.request('/admin/queues/api/queues/webhooks/retry/failed', {
      method: 'PUT',
      headers: staff(),
    });
    expect(status).toBe(200);
    await eventually(async () =>
      expect((await ana.actions())[0]).toMatchObject({
        usuario: 'ana',
        accion: 'reintentar_cola',
        resultado: 'hecho',
      }),
    );
  });

  it.each([
    '/admin/none',
    '/admin/comercios/x',
    '/admin/comercios/01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57',
    ...['x', '000000000000', '%00'].map((guia) => `/admin/guias/${guia}`),
  ])('answers a browser with an error page for an unknown address: %s', async (path) => {
    const { status, text, headers } = await ana.get(path);
    expect(status).toBe(404);
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain('No se encontró');
  });

  it('answers a program, and what is no text, with a problem', async () => {
    expect((await ana.get('/admin/guias/%f0')).status).toBe(404);
    const { headers } = await bridged.test.request('/admin/none', { headers: staff() });
    expect(headers.get('content-type')).toContain('application/problem+json');
  });
});
