import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import { BulkRunService } from '../../src/support/bulk/bulk-run.service.js';
import { Console, CONSOLE_USERS, formsOf, staff } from '../support/console.js';
import { eventually } from '../support/eventually.js';
import { seedGuias } from '../support/guias-seed.js';
import { createBridgedApp, type MadeGuia } from '../support/messaging.js';
import type { TestMerchant } from '../support/test-app.js';
import { opened } from '../support/use.js';

/** The form of a page for an action, of one merchant or all. */
function formOf(page: string, accion: string, comercio?: string) {
  const forms = formsOf(page).map(({ action, hidden }) => ({
    path: action,
    fields: Object.fromEntries(hidden) as Record<string, string>,
  }));
  const form = forms.find(({ fields }) => fields.accion === accion && fields.comercio === comercio);
  if (!form) throw new Error(`no form for ${accion}`);
  return form;
}

describe('a morning that went wrong is worked down', () => {
  let ana: Console;
  let shops: TestMerchant[];

  const app = opened(() => createBridgedApp({ env: { BOARD_USERS: CONSOLE_USERS } }));

  beforeAll(async () => {
    ana = new Console(app.test);
    shops = [await app.test.merchant(), await app.test.merchant()];
  });

  const make = (merchant: TestMerchant, count: number) =>
    Promise.all(Array.from({ length: count }, () => app.messaging.create(merchant)));
  const reach = async (guias: MadeGuia[], estado: string) => {
    for (const guia of guias) await app.messaging.reached(guia, estado);
  };
  /** Sends a form, and says yes where it is asked. */
  const confirmed = async (path: string, fields: Record<string, string>) => {
    const answer = await ana.post(path, fields);
    if (answer.status !== 200) return answer;
    expect(answer.text).toMatch(/Sí, a (?:las [\d,]+|esa guía)</);
    return ana.post(path, { ...fields, confirmado: 'si' });
  };
  /** Presses a button, and returns the page that it leads to. */
  const press = async (
    page: string,
    accion: string,
    comercio?: string,
    more: Record<string, string> = {},
  ) => {
    const { path, fields } = formOf(page, accion, comercio);
    const answer = await confirmed(path, { ...fields, ...more });
    expect(answer.status).toBe(303);
    return { location: answer.headers.get('location')!, path, fields: { ...fields, ...more } };
  };

  it('sends the messages that failed for a cause again, of one merchant, once', async () => {
    app.bridge.otherwise({ status: 422, json: { detail: 'sin WhatsApp' } });
    const [own, others] = [await make(shops[0]!, 3), await make(shops[1]!, 2)];
    await reach([...own, ...others], 'fallido');
    app.bridge.otherwise({});
    app.bridge.requests.length = 0;
    const page = await ana.shows('/admin', 'Reenviar estos 3', 'Reenviar estos 5');
    const { location, path, fields } = await press(page, 'reenviar', shops[0]!.id);
    await reach(own, 'aceptado');
    await reach(others, 'fallido');
    // The same form again does nothing more.
    expect((await ana.post(path, { ...fields, confirmado: 'si' })).status).toBe(303);
    await ana.shows(location, '<b>3</b> enviadas, ninguna sin hacer.');
    expect(app.bridge.requests).toHaveLength(3);
    await ana.shows('/admin', 'Reenviar estos 2');
    expect((await ana.actions()).filter(({ accion }) => accion === 'reenviar_varias')).toHaveLength(1);
  });

  describe('by the messages that failed', () => {
    let guias: MadeGuia[];
    let causa: string;

    const messageOf = async (guia: MadeGuia) => (await app.messaging.of(guia))[0]!;
    /** The form that retries what is marked. */
    const selection = async () => {
      const page = await ana.page(causa);
      const { hidden } = formsOf(page).find(({ names }) => names.includes('seleccion'))!;
      return { page, fields: Object.fromEntries(hidden) as Record<string, string> };
    };

    beforeAll(async () => {
      app.bridge.otherwise({ status: 410 });
      guias = await make(shops[0]!, 4);
      await reach(guias, 'fallido');
      app.bridge.otherwise({});
      const [, path] = /href="(\/admin\/causas\/mensajes-[0-9a-f]+)">[^<]*HTTP 410/.exec(
        await ana.page('/admin/mensajes'),
      )!;
      causa = path!;
    });

    it('shows each with its guide and its job on the board, which leads back to it', async () => {
      const { page } = await selection();
      for (const guia of guias) {
        const { id } = await messageOf(guia);
        expect(page).toContain(`name="m-${id}"`);
        expect(page).toContain(`href="/admin/queues/queue/notificaciones/${id}"`);
        expect(await ana.page(`/admin/guias/${guia.guia}`)).toContain(`<li id="m-${id}">`);
        const job = await app.test.request(`/admin/queues/api/queues/notificaciones/${id}`, {
          headers: staff(),
        });
        expect(job.body.job.externalUrl.href).toBe(`/admin/guias/${guia.guia}#m-${id}`);
      }
    });

    it('retries those that are marked alone', async () => {
      const [first, second] = guias;
      const { fields } = await selection();
      const marked = Object.fromEntries(
        await Promise.all([first!, second!].map(async (guia) => [`m-${(await messageOf(guia)).id}`, 'on'])),
      );
      const answer = await confirmed(causa, { ...fields, ...marked });
      await ana.shows(answer.headers.get('location')!, '<b>2</b> enviadas, ninguna sin hacer.');
      expect((await messageOf(first!)).estado).toBe('aceptado');
      expect((await messageOf(guias[2]!)).estado).toBe('fallido');
      // By the same job as the board, and not by a new one.
      expect((await messageOf(first!)).ronda).toBe(0);
    });

    it.each<Record<string, string>>([{}, { 'm-x': 'on' }])(
      'says so if none is marked: %j',
      async (marked) => {
        const { fields } = await selection();
        const answer = await ana.post(causa, { ...fields, ...marked });
        expect(await ana.after(answer)).toContain('No se hizo: Marque al menos un mensaje.');
      },
    );

    it('names the reason where it was retried on the board meanwhile', async () => {
      const third = await messageOf(guias[2]!);
      const { fields } = await selection();
      await app.test.request(`/admin/queues/api/queues/notificaciones/${third.id}/retry`, {
        method: 'PUT',
        headers: staff(),
      });
      await app.messaging.reached(guias[2]!, 'aceptado');
      const sent = { ...fields, [`m-${third.id}`]: 'on' };
      expect((await ana.post(causa, sent)).text).toContain('esas guías ya no tienen esa causa');
      const answer = await ana.post(causa, { ...sent, confirmado: 'si' });
      await ana.shows(answer.headers.get('location')!, 'esas guías ya no tienen esa causa');
    });

    it('sends one whose job the queues have lost, from the page of its guide', async () => {
      const guia = guias[3]!;
      const { id } = await messageOf(guia);
      await app.messaging.queue.remove(id);
      await ana.submit(`/admin/guias/${guia.guia}`, `/mensajes/${id}/enviar`);
      await app.messaging.reached(guia, 'aceptado');
      expect(await ana.submit(`/admin/guias/${guias[0]!.guia}`, '/notas', { texto: 'Ya.' })).not.toContain(
        '/enviar"',
      );
    });
  });

  it('names what was not done, and why, and asks the others', async () => {
    const guias = await make(shops[0]!, 3);
    await reach(guias, 'aceptado');
    await app.test.database.query(`update guias set estado = 'intento_fallido' where id = any ($1)`, [
      guias.map(({ id }) => id),
    ]);
    await app.test.database.query(
      `insert into eventos (comercio_id, guia_id, id, tipo, secuencia, actor, creado_en)
       select comercio_id, id, ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, 'guia.estado_cambiado', version + 1, 'operador', now() from guias where id = any ($1)`,
      [guias.map(({ id }) => id)],
    );
    const [opted] = guias;
    await ana.submit(`/admin/guias/${opted!.guia}`, '/baja');
    const page = await ana.page('/admin/causas/intentos');
    expect(page).toContain('Pedir cómo llegar a estas 3');
    const { location } = await press(page, 'pedir', shops[0]!.id);
    await ana.shows(location, '<b>2</b> enviadas, 1 no.');
    const done = await ana.page(location);
    expect(done).toContain(opted!.guia);
    expect(done).toContain('pidió no recibir mensajes');
  });

  it('hides a cause of a merchant until its morning, for everybody, or until another guide joins it', async () => {
    const warn = (guia: MadeGuia) =>
      app.test.database.query(`update guias set advertencias = '{destinatario_niega}' where id = $1`, [
        guia.id,
      ]);
    const [first, second, third] = await make(shops[1]!, 3);
    for (const guia of [first!, second!]) await warn(guia);
    const shown = 'id="advertencias-destinatario_niega"';
    await ana.shows('/admin', shown);
    const { path, fields } = formOf(
      await ana.page('/admin/causas/advertencias-destinatario_niega'),
      'atender',
      shops[1]!.id,
    );
    const asked = await ana.post(path, { ...fields, confirmado: 'tal vez' });
    expect(asked.text).toContain('Ocultar hasta mañana 2 guías');
    expect(asked.text).toContain('Sí, a las 2');
    expect(await ana.page('/admin')).toContain(shown);
    await confirmed(path, fields);
    await ana.hides('/admin', shown);
    await new Console(app.test, 'leo').hides('/admin', shown);
    await ana.shows('/admin?ver=atendidas', shown);
    const [row] = await app.test.database.query<{ local: string; dias: number }>(
      `select to_char(hasta at time zone 'America/Guatemala', 'HH24:MI') as local,
         (hasta at time zone 'America/Guatemala')::date - (now() at time zone 'America/Guatemala')::date as dias
       from masivas where causa = 'advertencias-destinatario_niega'`,
    );
    expect(row).toEqual({ local: '06:00', dias: 1 });
    await warn(third!);
    await ana.shows('/admin', shown);
    // The counts lead to a cause also from views that have no causes.
    for (const view of ['comercios', 'atendidas'])
      expect(await ana.page(`/admin?ver=${view}`)).toMatch(/href="\/admin#advertencias-\w+"/);
  });

  it('writes a note on all, which is in the history of each', async () => {
    const page = await ana.page('/admin/causas/advertencias-destinatario_niega');
    const { path, fields } = formOf(page, 'anotar', shops[1]!.id);
    const typed = `Llamé. ${'Nadie. '.repeat(200)}`;
    const refused = await ana.post(path, { ...fields, clave: randomUUID(), texto: typed });
    expect(refused.status).toBe(422);
    expect(refused.text).toContain('La nota puede tener hasta 1000 caracteres');
    expect(refused.text).toContain(`${typed}</textarea>`);
    const { location } = await press(page, 'anotar', shops[1]!.id, { texto: 'El comercio lo sabe.' });
    await ana.shows(location, '<b>3</b> anotadas');
    await ana.hides('/admin', 'id="advertencias-destinatario_niega"');
  });

  it('assigns many guides, goes on where a process stopped, and does none twice', async () => {
    const sol = new Console(app.test, 'sol');
    const shop = await app.test.merchant();
    const count = 230;
    await seedGuias(app.test.database, shop.id, { count, at: String(Date.now() - 60_000) });
    const operator = await app.test.operator();
    const { body } = await operator.post('/api/v1/operaciones/pilotos', { nombre: 'Wendy Ical' });
    const piloto: string = body.piloto.id;
    const page = await sol.page('/admin/despacho?piloto=ninguno');
    const [, action] = /action="(\/admin\/despacho\/asignar[^"]*)"/.exec(page)!;
    const [, clave] = /name="clave" value="([^"]+)"/.exec(page)!;
    const path = action!.replaceAll('&amp;', '&');
    const asked = await sol.post(path, { clave: clave!, todas: 'si', piloto });
    expect(asked.text).toMatch(/Asignar 2\d\d guías a Wendy Ical/);
    expect(asked.text).toMatch(/Sí, a las 2\d\d</);
    expect(asked.text).toMatch(/2\d\d están sin confirmar/);
    expect(asked.text).toMatch(/Wendy Ical queda con 2\d\d guías, más de 150/);
    const send = () => sol.post(path, { clave: clave!, todas: 'si', piloto, confirmado: 'si' });
    expect((await send()).text).toMatch(/En marcha para \d{3} guías\. En Hoy se ve cómo va\./);
    const shown = await ana.shows(`/admin/masivas/${clave!}`, 'ninguna sin hacer');
    expect(shown).toContain('asignadas');
    const assigned = async () => {
      const text = 'select count(*)::int as n from guias where comercio_id = $1 and piloto_id = $2';
      return (await app.test.database.query<{ n: number }>(text, [shop.id, piloto]))[0]!.n;
    };
    await eventually(async () => expect(await assigned()).toBe(count));
    await ana.shows(`/admin/masivas/${clave!}`, 'data-estado="terminada"', 'ninguna sin hacer');
    await send();
    const events = `select count(*)::int as n from eventos where comercio_id = $1 and tipo = 'guia.asignada'`;
    expect(await app.test.database.query(events, [shop.id])).toEqual([{ n: count }]);
  });

  it('changes nothing while it asks, and says what is unusual', async () => {
    const shop = await app.test.merchant();
    const guias = await make(shop, 2);
    await reach(guias, 'aceptado');
    await app.test.database.query(`update guias set estado = 'intento_fallido' where id = any ($1)`, [
      guias.map(({ id }) => id),
    ]);
    await app.test.database.query(
      `insert into eventos (comercio_id, guia_id, id, tipo, secuencia, actor, creado_en)
       select comercio_id, id, ('ffffffff' || substr(gen_random_uuid()::text, 9))::uuid, 'guia.estado_cambiado', version + 1, 'operador', now() from guias where id = any ($1)`,
      [guias.map(({ id }) => id)],
    );
    await ana.submit(`/admin/guias/${guias[0]!.guia}`, '/baja');
    const before = await ana.actions();
    const { path, fields } = formOf(await ana.page('/admin/causas/intentos'), 'pedir', shop.id);
    for (const confirmado of [{}, { confirmado: '' }, { confirmado: 'no' }] as Record<string, string>[]) {
      const { status, text } = await ana.post(path, { ...fields, ...confirmado });
      expect(status).toBe(200);
      expect(text).toContain('Sí, a las 2<');
      expect(text).toContain('1 número pidió no recibir mensajes');
    }
    expect(await ana.actions()).toEqual(before);
    expect((await app.test.request(`/admin/masivas/${fields['clave']!}`, { headers: staff() })).status).toBe(
      404,
    );
  });

  it('is stopped: what is done stays done, and no more is done', async () => {
    const sol = new Console(app.test, 'sol');
    const shop = await app.test.merchant();
    await seedGuias(app.test.database, shop.id, { count: 3, at: String(Date.now() - 60_000) });
    const id = v7();
    // Begun, and of no job yet: the first guide is done.
    await app.test.database.query(
      `insert into masivas (id, accion, causa, usuario, creado_en, proximo_en)
       values ($1, 'asignar', 'asignar', 'sol', now(), now() + interval '1 hour')`,
      [id],
    );
    await app.test.database.query(
      `insert into masiva_guias (masiva_id, guia_id, comercio_id, guia, resultado)
       select $1, id, comercio_id, guia, case when row_number() over () = 1 then 'hecho' end from guias where comercio_id = $2`,
      [id, shop.id],
    );
    const path = `/admin/masivas/${id}`;
    expect((await new Console(app.test, 'leo').post(`${path}/detener`, {})).status).toBe(403);
    expect(await new Console(app.test, 'leo').page(path)).not.toContain('Detener');
    const page = await sol.submit(path, '/detener');
    expect(page).toContain('data-estado="detenida"');
    expect(page).toContain('<b>1</b> asignadas, 2 sin hacer');
    await app.test.app.get(BulkRunService).run(id);
    expect(await sol.page(path)).toContain('<b>1</b> asignadas, 2 sin hacer');
    expect((await sol.actions())[0]).toMatchObject({ usuario: 'sol', accion: 'detener_varias' });
  });

  it("asks again those of a merchant that wait for more than a day, from the merchant's page", async () => {
    const shop = await app.test.merchant();
    await seedGuias(app.test.database, shop.id, { count: 3, at: String(Date.now() - 2 * 86_400_000) });
    await seedGuias(app.test.database, shop.id, { count: 1, at: String(Date.now() - 60_000) });
    await app.test.database.query('update comercios set nombre = $2 where id = $1', [shop.id, 'Doña Lucía']);
    const path = `/admin/comercios/${shop.id}`;
    expect(await new Console(app.test, 'leo').page(path)).not.toContain('Pedir de nuevo');
    const page = await ana.page(path);
    expect(page).toContain('4 sin confirmar');
    const { path: action, fields } = formOf(page, 'pedir', shop.id);
    const asked = await ana.post(action, fields);
    expect(asked.text).toContain('¿Pedir la ubicación a 3 guías de Doña Lucía?');
    const begun = await ana.post(action, { ...fields, confirmado: 'si' });
    // Ended before the messages are written: until then they would still be listed as not asked.
    await ana.shows(begun.headers.get('location')!, '<b>3</b> enviadas, ninguna sin hacer.');
    expect((await ana.post(action, { ...fields, clave: v7() })).text).toContain('Ninguna guía');
  });

  it('is looked at, and not touched, by who may only look', async () => {
    const leo = new Console(app.test, 'leo');
    expect(await leo.page('/admin')).not.toContain('name="accion"');
    const answer = await leo.post('/admin/causas/sin-confirmar', {
      accion: 'pedir',
      clave: crypto.randomUUID(),
    });
    expect(answer.status).toBe(403);
  });

  it.each([
    ['GET', '/admin/causas/otra', 404],
    ['GET', '/admin/causas/intentos?comercio=x', 404],
    ['GET', '/admin/masivas/x', 404],
    ['GET', '/admin/masivas/01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57', 404],
    ['POST', '/admin/causas/otra', 404],
    ['POST', '/admin/causas/intentos', 400],
  ])('%s %s is refused', async (method, path, status) => {
    const answer = await app.test.request(path, {
      method,
      headers: { ...staff(), accept: 'text/html', 'sec-fetch-site': 'same-origin' },
      ...(method === 'POST' && { body: new URLSearchParams({ accion: 'reenviar' }) }),
    });
    expect(answer.status).toBe(status);
  });
});
