import { v7 } from 'uuid';
import { AppError } from '../../src/platform/errors/app-error.js';
import { GuiaEditsService } from '../../src/guias/changes/guia-edits.service.js';
import { ENLACES } from '../../src/guias/links/links.queue.js';
import { SenderService } from '../../src/notifications/sending/sender.service.js';
import { QueuesService } from '../../src/platform/queues/queues.service.js';
import { Console, CONSOLE_USERS, formOf, staff } from '../support/console.js';
import { withClient } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { startHttpStub, type HttpStub } from '../support/http-stub.js';
import { createBridgedApp, type BridgedApp, type MadeGuia } from '../support/messaging.js';
import { ALLOW_PRIVATE, startReceiver, type Receiver } from '../support/webhooks.js';
import { crowdOnGuia } from '../support/row-queue.js';
import type { TestMerchant } from '../support/test-app.js';

const ACTIONS = ['reenviar', 'deshacer', 'niega', 'baja', 'telefono', 'destino', 'notas', 'ver-telefono'];

const PAUSE = `insert into pausas (proveedor, codigo, causa, desde) values ('webhook', '401', $1, now())`;

describe("support's actions on a guide", () => {
  let bridged: BridgedApp;
  let maps: HttpStub;
  let receiver: Receiver;
  let merchant: TestMerchant;
  let ana: Console;
  let leo: Console;

  beforeAll(async () => {
    receiver = await startReceiver();
    maps = await startHttpStub();
    const env = { BOARD_USERS: CONSOLE_USERS, MAPS_RESOLVER_URL: maps.url, ...ALLOW_PRIVATE };
    bridged = await createBridgedApp({ env });
    merchant = await bridged.test.merchant();
    ana = new Console(bridged.test);
    leo = new Console(bridged.test, 'leo');
  });
  afterAll(async () => {
    await bridged.close();
    await receiver.close();
    await maps.close();
  });

  const failedGuia = async (): Promise<MadeGuia> => {
    const telefono = `+502555591${String(++phones).padStart(2, '0')}`;
    bridged.bridge.answerTo(telefono, { status: 422 });
    const guia = await bridged.messaging.create(merchant, { telefono, nombre: 'Ana López' });
    await bridged.messaging.reached(guia, 'fallido');
    return guia;
  };
  let phones = 0;
  const pathOf = ({ guia }: { guia: string }) => `/admin/guias/${guia}`;

  it('resend the message once, however often the form is sent', async () => {
    const guia = await failedGuia();
    const { action, hidden } = formOf(await ana.page(pathOf(guia)), '/reenviar');
    const answers = await Promise.all([1, 2, 3].map(() => ana.post(action, hidden)));
    expect(answers.map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    await eventually(() => expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2));
    expect(await bridged.messaging.of(guia)).toHaveLength(2);
    const { eventos } = (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body;
    expect(eventos.at(-1)).toMatchObject({ tipo: 'guia.confirmacion_pedida', actor: 'soporte' });
    const page = await ana.page(answers[0]!.headers.get('location')!);
    expect(page).toContain('El mensaje va en camino');
    const [row] = await ana.actions();
    expect(row).toMatchObject({ usuario: 'ana', accion: 'reenviar_mensaje', resultado: 'hecho' });
  });

  describe('that resend a message replace the failed one, whose retry from the board', () => {
    /** Retries the oldest message of a guide as the board does. */
    const retryFirst = async (guia: MadeGuia) => {
      const { id } = (await bridged.messaging.of(guia))[0]!;
      return bridged.test.app.get(SenderService).send(id);
    };

    it('sends nothing, and says why on the board and in the history', async () => {
      const guia = await failedGuia();
      await ana.submit(pathOf(guia), '/reenviar');
      await eventually(() => expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2));
      expect(await retryFirst(guia)).toMatch(/^Omitido: .*un mensaje más nuevo de esta guía\.$/);
      expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2);
      expect((await bridged.messaging.of(guia))[0]).toMatchObject({
        estado: 'omitido',
        causa: expect.stringContaining('un mensaje más nuevo'),
      });
      expect(await ana.page(pathOf(guia))).toContain('un mensaje más nuevo de esta guía');
    });

    it('sends nothing while the newer one has yet to be made', async () => {
      const guia = await failedGuia();
      await bridged.test.database.query(
        `insert into eventos (comercio_id, guia_id, id, tipo, secuencia, creado_en, proximo_en)
         values ($1, $2, $3, 'guia.confirmacion_pedida', 1000, now(), now() + interval '1 day')`,
        [merchant.id, guia.id, v7()],
      );
      expect(await retryFirst(guia)).toContain('Omitido: ');
      expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(1);
      await bridged.test.database.query('delete from eventos where guia_id = $1 and secuencia = 1000', [
        guia.id,
      ]);
    });

    it('sends it if the newer one has failed too', async () => {
      const guia = await failedGuia();
      bridged.bridge.answerTo(guia.telefono, { status: 422 });
      await ana.submit(pathOf(guia), '/reenviar');
      await eventually(async () =>
        expect((await bridged.messaging.of(guia)).map(({ estado }) => estado)).toEqual([
          'fallido',
          'fallido',
        ]),
      );
      expect(await retryFirst(guia)).toBe('Enviado.');
      expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(3);
    });
  });

  it('run once if the form is submitted again while the first submission starts', async () => {
    const { database } = bridged.test;
    const guia = await failedGuia();
    const { action, hidden } = formOf(await ana.page(pathOf(guia)), '/reenviar');
    const first = v7();
    const second = await withClient(database.ownerUrl, async (client) => {
      await client.query('begin');
      await client.query(
        `insert into auditoria (id, clave, usuario, accion, guia, resultado, creado_en)
         values ($1, $2, 'ana', 'reenviar_mensaje', $3, 'en_curso', now())`,
        [first, hidden['clave'], guia.guia],
      );
      const answer = ana.post(action, hidden);
      await eventually(async () => {
        const waiting = `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%auditoria%'`;
        expect(await database.query(waiting)).toHaveLength(1);
      });
      await client.query('commit');
      return answer;
    });
    expect(second.headers.get('location')).toContain(first);
    expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(1);
  });

  it('make no second message while one has yet to be sent, and another once it was', async () => {
    const telefono = '+50255559190';
    bridged.bridge.answerTo(telefono, { status: 503, headers: { 'retry-after': '600' } });
    const guia = await bridged.messaging.create(merchant, { telefono });
    const message = await bridged.messaging.waiting(guia);
    const waits = 'No se hizo: Ya hay un mensaje por salir; no se envió otro.';
    for (const estado of ['pendiente', 'enviando', 'incierto']) {
      await bridged.test.database.query('update mensajes set estado = $2 where id = $1', [
        message.id,
        estado,
      ]);
      expect(await ana.submit(pathOf(guia), '/reenviar')).toContain(waits);
    }
    expect(await bridged.messaging.of(guia)).toHaveLength(1);
    await bridged.test.database.query(`update mensajes set estado = 'pendiente' where id = $1`, [message.id]);
    await bridged.messaging.due(message);
    await bridged.messaging.reached(guia, 'aceptado');
    expect(await ana.submit(pathOf(guia), '/reenviar')).toContain('El mensaje va en camino');
    await eventually(() => expect(bridged.bridge.sentTo(telefono)).toHaveLength(3));
  });

  it('say why a message does not go now: a denial, an opt-out, the limit of the phone, a paused sender', async () => {
    const { database } = bridged.test;
    const guia = await failedGuia();
    const page = await ana.page(pathOf(guia));
    const { action } = formOf(page, '/reenviar');
    const resend = async () => {
      const answer = await ana.post(action, { clave: v7() });
      return ana.page(answer.headers.get('location')!);
    };
    await database.query(`update guias set advertencias = '{destinatario_niega}' where id = $1`, [guia.id]);
    expect(await ana.page(pathOf(guia))).not.toContain('/reenviar"');
    expect(await resend()).toContain('Corrija el teléfono o espere a que confirme');
    await database.query(`update guias set advertencias = '{}' where id = $1`, [guia.id]);

    await database.query('insert into bajas values ($1, now())', [guia.telefono]);
    expect(await resend()).toContain('No se hizo: El destinatario pidió no recibir mensajes');
    await database.query('delete from bajas');

    const quota = 'select huella, enviados from cupos_telefono order by ultimo_en desc limit 1';
    const [{ huella }] = (await database.query<{ huella: Buffer }>(quota)) as [{ huella: Buffer }];
    const used = 'update cupos_telefono set enviados = array_fill(now(), array[$2::int]) where huella = $1';
    await database.query(used, [huella, 100]);
    expect(await resend()).toContain('No se hizo: El número ya recibió el máximo de mensajes de 24 horas');
    await database.query(used, [huella, 1]);

    const cause = 'La clave del puente no sirve.';
    await database.query(PAUSE, [cause]);
    expect(await resend()).toContain(`el envío está detenido. Saldrá cuando se corrija: ${cause}`);
    await database.query('delete from pausas');
    await eventually(() => expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2));
  });

  it('make one message of several forms that are sent at the same time', async () => {
    const guia = await failedGuia();
    // Once it was sent, the next form may make another.
    let send = () => {};
    bridged.bridge.answerTo(guia.telefono, { until: new Promise<void>((resolve) => (send = resolve)) });
    const pages = await Promise.all(Array.from({ length: 6 }, () => ana.page(pathOf(guia))));
    await crowdOnGuia(
      bridged.test.database,
      guia.id,
      pages.map((page) => () => {
        const { action, hidden } = formOf(page, '/reenviar');
        return ana.post(action, hidden);
      }),
    );
    await eventually(async () => {
      const actions = (await ana.actions()).slice(0, pages.length).map(({ resultado }) => resultado);
      expect(actions.sort()).toEqual(['hecho', ...Array<string>(pages.length - 1).fill('rechazado')]);
    });
    send();
    await eventually(() => expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(2));
    expect(await bridged.messaging.of(guia)).toHaveLength(2);
  });

  it('are rejected with the reason if there is nothing to do, and still logged', async () => {
    const guia = await failedGuia();
    const page = await ana.page(pathOf(guia));
    await merchant.post(`/api/v1/guias/${guia.guia}/cancelar`);
    const { action, hidden } = formOf(page, '/reenviar');
    const answer = await ana.post(action, hidden);
    expect(await ana.page(answer.headers.get('location')!)).toContain('No se hizo: La guía ya terminó');
    expect((await ana.actions())[0]).toMatchObject({ accion: 'reenviar_mensaje', resultado: 'rechazado' });
    expect(await ana.page(pathOf(guia))).not.toContain('/reenviar"');
  });

  it('take back the last move of a courier, and the history says why and that it was support', async () => {
    const guia = await failedGuia();
    const operator = await bridged.test.operator();
    const offered = async () => (await ana.page(pathOf(guia))).includes('/deshacer"');
    expect(await offered()).toBe(false);
    await operator.move(guia.id, { estado: 'en_camino_a_recoger' });
    expect(await ana.submit(pathOf(guia), '/deshacer', { motivo: 'Era otra guía' })).toContain(
      'otra vez en «Por recoger»',
    );
    expect(await offered()).toBe(false);
    const { eventos } = (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body;
    expect(eventos.at(-1)).toMatchObject({
      tipo: 'guia.estado_corregido',
      actor: 'soporte',
      motivo: 'Era otra guía',
    });
    expect((await ana.actions())[0]).toMatchObject({ accion: 'deshacer', resultado: 'hecho' });
  });

  it('take back the move that was seen, and no other one that somebody has taken back or recorded since', async () => {
    const guia = await failedGuia();
    const operator = await bridged.test.operator();
    for (const estado of ['en_camino_a_recoger', 'recogido']) await operator.move(guia.id, { estado });
    const page = await ana.page(pathOf(guia));
    const { action, hidden } = formOf(page, '/deshacer');
    expect(await ana.submit(pathOf(guia), '/deshacer', { motivo: 'Era otra' })).toContain('Quedó deshecho');
    const second = await ana.post(action, { ...hidden, motivo: 'Era otra' });
    expect(await ana.after(second)).toContain(
      'No se hizo: La guía cambió mientras tanto: ahora está en «En camino a recoger».',
    );
    expect((await merchant.get(`/api/v1/guias/${guia.id}`)).body.guia.estado).toBe('en_camino_a_recoger');
  });

  it('record that the parcel is not theirs, and that nobody writes to the number any more', async () => {
    const guia = await failedGuia();
    expect(await ana.submit(pathOf(guia), '/niega')).toContain('Quedó anotado');
    const { advertencias } = (await merchant.get(`/api/v1/guias/${guia.id}`)).body.guia;
    expect(advertencias).toContain('destinatario_niega');
    expect(await ana.submit(pathOf(guia), '/baja')).toContain('no se le escribe más');
    const operator = await bridged.test.operator();
    expect((await operator.get('/api/v1/operaciones/bajas')).body.bajas).toContainEqual(
      expect.objectContaining({ telefono: guia.telefono, origen: 'soporte' }),
    );
    expect(await ana.page(pathOf(guia))).not.toContain('/baja"');
    expect(await ana.submit(pathOf(guia), '/alta')).toContain('se le vuelve a escribir');
    expect((await operator.get('/api/v1/operaciones/bajas')).body.bajas).toEqual([]);
    expect(await ana.page(pathOf(guia))).not.toContain('/alta"');
    expect((await leo.post(`${pathOf(guia)}/alta`, {})).status).toBe(403);
    expect((await ana.actions())[0]).toMatchObject({ accion: 'quitar_baja', resultado: 'hecho' });
    await bridged.test.database.query('delete from bajas');
  });

  it('show the full phone only after the audit entry of who looks', async () => {
    const guia = await failedGuia();
    const page = await ana.page(pathOf(guia));
    expect(page).not.toContain(guia.telefono.slice(4));
    const { action, hidden } = formOf(page, '/ver-telefono');
    const { status, text } = await ana.post(action, hidden);
    expect(status).toBe(200);
    expect(text).toContain(`href="tel:${guia.telefono}"`);
    expect(text).toContain(`<strong class="num">${guia.telefono.replace(/^\+502(.{4})/, '$1 ')}<`);
    expect((await ana.actions())[0]).toMatchObject({ usuario: 'ana', accion: 'ver_telefono' });
    expect(await ana.page('/admin/auditoria')).not.toContain(guia.telefono);
    // Nor does it open its own a second time, without a row.
    const rows = (await ana.actions()).length;
    const again = await ana.post(action, hidden);
    expect([again.status, (await ana.actions()).length]).toEqual([409, rows]);
    expect(again.text).not.toContain(guia.telefono);
    // The form's key of one guide does not open another's phone.
    const other = await failedGuia();
    const refused = await ana.post(`${pathOf(other)}/ver-telefono`, hidden);
    expect(refused.status).toBe(409);
    expect(refused.text).not.toContain(other.telefono);
  });

  it("correct the phone by the merchant's rules, ask the new number, and say in the history that it was support", async () => {
    const guia = await failedGuia();
    const page = await ana.submit(pathOf(guia), '/telefono', { telefono: '4444 1234' });
    expect(page).toContain('El teléfono quedó corregido');
    await eventually(() => expect(bridged.bridge.sentTo('+50244441234')).toHaveLength(1));
    const { telefono } = await bridged.messaging.detail(merchant, guia);
    expect(telefono).toBe('+50244441234');
    const { eventos } = (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body;
    expect(eventos.slice(-2)).toMatchObject([
      { tipo: 'guia.actualizada', actor: 'soporte', campos: ['telefono'] },
      { tipo: 'guia.confirmacion_pedida', actor: 'soporte', campos: null },
    ]);
    // Who of support it was, support alone reads.
    expect(JSON.stringify(eventos)).not.toContain('ana');
    expect(page).toContain('Soporte (ana)');
    expect(await ana.submit(pathOf(guia), '/telefono', { telefono: '4444-1234' })).toContain(
      'ya tenía ese teléfono',
    );
    for (const wrong of ['', '12', 'mañana', '\u0000'])
      expect(await ana.submit(pathOf(guia), '/telefono', { telefono: wrong })).toContain('No se hizo: ');
    expect(JSON.stringify(await ana.actions())).not.toContain('44441234');
  });

  it('say of a corrected phone why its message does not go now: an opt-out, a paused or doubtful sender', async () => {
    const { database } = bridged.test;
    const guia = await failedGuia();
    const correct = async (telefono: string) =>
      /role="status"><svg[^]*?<\/svg><div class="grow">([^<]*)</.exec(
        await ana.submit(pathOf(guia), '/telefono', { telefono }),
      )![1];
    expect(await correct('4444 2001')).toContain(
      'ya no sirve. Se le preguntará la ubicación al número nuevo.',
    );
    await eventually(() => expect(bridged.bridge.sentTo('+50244442001')).toHaveLength(1));

    await database.query(`insert into bajas values ('+50244442002', now())`);
    const optedOut = await correct('4444 2002');
    expect(optedOut).toContain('El teléfono quedó corregido');
    expect(optedOut).toContain('El destinatario pidió no recibir mensajes, y no se le envía ninguno');
    await eventually(async () => expect((await bridged.messaging.of(guia))[2]?.estado).toBe('omitido'));
    await database.query('delete from bajas');

    const cause = 'La clave del puente no sirve.';
    await database.query(PAUSE, [cause]);
    const paused = await correct('4444 2003');
    expect(paused).toContain(`el envío está detenido. Saldrá cuando se corrija: ${cause}`);
    expect(paused).not.toContain('Se le preguntará la ubicación');
    await database.query('update pausas set por_informe = true');
    expect(await correct('4444 2004')).toContain(
      `ya no sirve. WhatsApp informó una falla después de aceptar mensajes: salen, pero puede que no lleguen. ${cause}`,
    );
    await database.query('delete from pausas');
  });

  it("correct the destination by the merchant's rules, which confirms it, and say in the history that it was support", async () => {
    const guia = await failedGuia();
    const sent = bridged.bridge.sentTo(guia.telefono).length;
    const correct = (lugar: string) => ana.submit(pathOf(guia), '/destino', { lugar });
    const page = await correct(' 14.6407, -90.5133 ');
    expect(page).toContain('El destino quedó corregido, y la dirección, confirmada.');
    expect(await bridged.messaging.detail(merchant, guia)).toMatchObject({
      ...{ direccion_confirmada: true, advertencias: [] },
      destino: { lat: 14.6407, lng: -90.5133 },
    });
    const { eventos } = (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body;
    expect(eventos.slice(-2)).toMatchObject([
      { tipo: 'guia.actualizada', actor: 'soporte', campos: expect.arrayContaining(['lat', 'lng']) },
      { tipo: 'guia.confirmada', actor: 'soporte' },
    ]);
    expect(page).toContain('Soporte (ana)');
    expect(page).toContain('cambió: destino<');
    expect((await ana.actions())[0]).toMatchObject({ accion: 'corregir_destino', resultado: 'hecho' });
    // The pin of a confirmed address, too.
    expect(await correct('https://www.google.com/maps?q=14.61,-90.52')).toContain(
      '>El destino quedó corregido.<',
    );
    expect((await bridged.messaging.detail(merchant, guia)).destino).toMatchObject({
      lat: 14.61,
      lng: -90.52,
    });
    expect(await correct('https://www.google.com/maps?q=14.61,-90.52')).toContain('ya tenía ese destino');
    expect(await correct('https://www.google.com/maps?q=Iglesia+La+Merced&ftid=0x1:0x2')).toContain(
      'corregido; el enlace nombra un lugar, sin coordenadas.',
    );
    expect(bridged.bridge.sentTo(guia.telefono)).toHaveLength(sent);
  });

  it('correct no destination to what is none, and none of a guide that goes back or has ended', async () => {
    const guia = await failedGuia();
    const { action } = formOf(await ana.page(pathOf(guia)), '/destino');
    const refusal = async (lugar: string) => {
      const page = await ana.after(await ana.post(action, { clave: v7(), lugar }));
      return /<\/svg>(?: |<div class="grow">)No se hizo: ([^<]*)</.exec(page)?.[1];
    };
    expect(await refusal(' ')).toBe('Pegue el enlace de mapa, o las coordenadas.');
    for (const none of ['mañana', '0, 0', '95, 200', 'javascript:alert(1)'])
      expect(await refusal(none)).toContain('Pegue un enlace completo de un mapa');
    expect(await refusal('x'.repeat(3_000))).toBeDefined();
    expect(await refusal('https://example.com/casa')).toContain('Pida otro, o pegue las coordenadas');
    maps.answer({ status: 410 });
    expect(await refusal('https://maps.app.goo.gl/roto1')).toContain('el enlace no existe');
    for (const estado of ['en_devolucion', 'entregado', 'cancelado']) {
      await bridged.test.database.query('update guias set estado = $2 where id = $1', [guia.id, estado]);
      expect(await refusal('14.6, -90.5')).toBe(
        'La guía vuelve al comercio o ya terminó, y esto ya no se corrige.',
      );
      expect(await ana.page(pathOf(guia))).not.toContain('/destino"');
    }
    expect((await bridged.messaging.detail(merchant, guia)).direccion_confirmada).toBe(false);
    const said = (await ana.actions()).slice(0, 11).map(({ nota }) => nota);
    expect(JSON.stringify(said)).not.toMatch(/`|[a-z]_[a-z]/);
  });

  it('correct the destination to a link whose map service does not answer, and say that the recipient may be asked', async () => {
    const guia = await failedGuia();
    const read = () => bridged.messaging.detail(merchant, guia);
    maps.otherwise({ status: 503 });
    expect(await ana.submit(pathOf(guia), '/destino', { lugar: 'https://maps.app.goo.gl/mudo1' })).toContain(
      '>El destino quedó corregido, y la dirección, confirmada. El servicio de mapas no responde: se sigue preguntando; ' +
        'si en un minuto no hay respuesta, se le pregunta al destinatario.<',
    );
    expect(await read()).toMatchObject({ direccion_confirmada: true, pendientes: ['destino'] });
    const job = await eventually(async () => {
      const [waiting] = await bridged.test.app.get(QueuesService).queue(ENLACES).getDelayed();
      expect(waiting).toBeDefined();
      return waiting!;
    });
    maps.otherwise({ status: 302, headers: { location: 'https://www.google.com/maps?q=14.7,-90.6' } });
    await job.promote();
    await eventually(async () => expect((await read()).pendientes).toEqual([]));
  });

  it('say that a guide keeps changing, and blame no map service for it', async () => {
    const guia = await failedGuia();
    const edit = jest.spyOn(bridged.test.app.get(GuiaEditsService), 'edit');
    edit.mockRejectedValueOnce(new AppError('no_disponible'));
    expect(await ana.submit(pathOf(guia), '/telefono', { telefono: '4444 1234' })).toContain(
      '> No se hizo: La guía no deja de cambiar. Repita en un momento.<',
    );
    edit.mockRestore();
  });

  it('write notes that only support sees', async () => {
    const guia = await failedGuia();
    const page = await ana.submit(pathOf(guia), '/notas', {
      texto: 'Llamó dos veces.\r\nDice que sí <b>quiere</b>.',
    });
    expect(page).toContain('Llamó dos veces.\nDice que sí &lt;b>quiere');
    expect(await leo.page(pathOf(guia))).toContain('Llamó dos veces.');
    expect((await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).text).not.toContain('Llamó');
    for (const texto of ['', '  ', 'x'.repeat(1_001), 'a\u0000b'])
      expect(await ana.submit(pathOf(guia), '/notas', { texto })).toContain('No se hizo: ');
  });

  it('are refused in words where the guide may no longer be changed', async () => {
    const guia = await failedGuia();
    const { action, hidden } = formOf(await ana.page(pathOf(guia)), '/telefono');
    await bridged.test.database.query(`update guias set estado = 'entregado' where id = $1`, [guia.id]);
    const page = await ana.after(await ana.post(action, { ...hidden, telefono: '4444 9876' }));
    expect(page).toContain('No se hizo: La guía vuelve al comercio o ya terminó, y esto ya no se corrige.');
  });

  it('give the driver a word on the way, and leave alone what somebody else changed meanwhile', async () => {
    const guia = await failedGuia();
    await bridged.test.database.query(`update guias set estado = 'en_ruta' where id = $1`, [guia.id]);
    const { action, hidden } = formOf(await ana.page(pathOf(guia)), '/palabras');
    await merchant.patch(`/api/v1/guias/${guia.id}`, { referencia: 'Portón azul' });
    const words = { direccion: hidden.antes_direccion ?? '', referencia: '' };
    const page = await ana.after(
      await ana.post(action, { ...hidden, ...words, notas: 'Déjelo con el guardia' }),
    );
    expect(page).toContain('Quedó guardado: el mensajero lo ve en un minuto.');
    expect(await bridged.messaging.detail(merchant, guia)).toMatchObject({
      notas: 'Déjelo con el guardia',
      referencia: 'Portón azul',
    });
    const { eventos } = (await merchant.get(`/api/v1/guias/${guia.id}/eventos`)).body;
    expect(eventos.at(-1)).toMatchObject({ actor: 'soporte', campos: ['notas'] });
  });

  it('correct the phone on the way without a message, and say so', async () => {
    const guia = await failedGuia();
    await bridged.test.database.query(`update guias set estado = 'en_ruta' where id = $1`, [guia.id]);
    expect(await ana.submit(pathOf(guia), '/telefono', { telefono: '4444 9877' })).toContain(
      'El mensajero va en camino y ve el número nuevo; no se le escribe al destinatario.',
    );
    expect(bridged.bridge.sentTo('+50244449877')).toEqual([]);
  });

  it('are not offered to users who only look, and refused', async () => {
    const guia = await failedGuia();
    const page = await leo.page(pathOf(guia));
    expect(page).toContain(guia.guia);
    expect(page).not.toContain('<form method="post"');
    expect(page).not.toContain('Reenviar');
    for (const action of ACTIONS) {
      const fields = { telefono: '4444 1234', texto: 'x', lugar: '14.6, -90.5' };
      const answer = await leo.post(`${pathOf(guia)}/${action}`, fields);
      expect({ action, status: answer.status }).toEqual({ action, status: 403 });
      expect(answer.text).toContain('tiene el rol lectura');
    }
    const retry = await bridged.test.request('/admin/queues/api/queues/notificaciones/retry/failed', {
      method: 'PUT',
      headers: staff('leo'),
    });
    expect(retry.status).toBe(403);
    const css = await leo.page('/admin/queues/guias.css');
    expect(css).toMatch(/button:has\(\.lucide-refresh-cw\) \{\s+display: none/);
  });

  it('are refused to pages of other sites, and without the key of their form', async () => {
    const guia = await failedGuia();
    const { action, hidden } = formOf(await ana.page(pathOf(guia)), '/reenviar');
    const foreign = await bridged.test.request(action, {
      method: 'POST',
      headers: { ...staff(), 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams(hidden),
    });
    expect(foreign.status).toBe(403);
    for (const clave of ['', 'x', '1']) expect((await ana.post(action, { clave })).status).toBe(409);
    expect((await ana.post(action, {})).status).toBe(409);
    expect(await bridged.messaging.of(guia)).toHaveLength(1);
  });

  it.each([...ACTIONS, 'avisos/x/y'])('answer 404 for a guide that does not exist: %s', async (action) => {
    const clave = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
    for (const guia of ['000000000000', 'x', '%00'])
      expect((await ana.post(`/admin/guias/${guia}/${action}`, { clave })).status).toBe(404);
  });

  it('are not needed for what was resolved elsewhere: failed jobs leave the board, all of them within a minute', async () => {
    const [confirmed, asked, failed] = [await failedGuia(), await failedGuia(), await failedGuia()];
    const [one, other, stays] = await Promise.all(
      [confirmed, asked, failed].map(async (guia) => (await bridged.messaging.of(guia))[0]!.id),
    );
    for (const id of [one!, other!, stays!]) await bridged.messaging.job(id, 'failed');

    await merchant.patch(`/api/v1/guias/${confirmed.id}`, { lat: 14.6407, lng: -90.5133 });
    await ana.submit(pathOf(asked), '/reenviar');

    const { queue } = bridged.messaging;
    for (const id of [one!, other!])
      await eventually(async () => expect(await queue.getJobState(id)).toBe('unknown'));
    expect(await queue.getJobState(stays!)).toBe('failed');
  });
});
