import { randomUUID } from 'node:crypto';
import { MerchantsService } from '../../src/auth/merchants/merchants.service.js';
import { newToken } from '../../src/pilotos/enlace/enlace-token.js';
import { Secrets } from '../../src/platform/config/secrets.js';
import { Database } from '../../src/platform/database/database.js';
import { unreadRefusals, type UnreadRefusals } from '../../src/web/console/today/today.queries.js';
import { APP_SECRET } from '../support/guia-body.js';
import { Driver } from '../support/driver.js';
import { Money } from '../support/money.js';
import { rightPin, wrongPin } from '../support/pins.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import type { TestOperator } from '../support/test-app.js';
import { visitsDuring } from '../support/visits.js';
import { opened, useSharedApp } from '../support/use.js';

const OPERACIONES = '/api/v1/operaciones';
const UNKNOWN = '000000000000';

const json = (body: string, type = 'application/json') => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe("a driver's route", () => {
  const test = useSharedApp();
  let operator: TestOperator;
  let marvin: Driver;
  let rosa: Driver;

  const money = opened(() => Money.start(test));

  beforeAll(async () => {
    operator = money.operator;
    [marvin, rosa] = [await Driver.start(test, operator), await Driver.start(test, operator, 'Rosa')];
  });

  /** A guide in this state, of a driver. */
  const given = async (estado: Parameters<typeof money.lives.in>[0], to = marvin, over: object = {}) => {
    const made = await money.lives.in(estado, { ...over });
    await to.assign(made.id);
    return made;
  };
  const shown = async (of = marvin) => (await of.get('guias')).body;
  const numbers = async (of = marvin) => (await shown(of)).guias.map(({ guia }: any) => guia);
  const estadoOf = async ({ id }: { id: string }) => (await money.lives.read({ id })).guia.estado;
  const historyOf = async ({ id }: { id: string }) =>
    (await operator.get(`${OPERACIONES}/guias/${id}/eventos`)).body.eventos;
  const carried = async (of = marvin) => (await shown(of)).caja;
  const warningsOf = async ({ id }: { id: string }) => (await money.lives.read({ id })).guia.advertencias;

  describe('behind the link', () => {
    it('shows their own guides with all that is needed at the door, and no one else’s', async () => {
      const mine = await given('en_ruta', marvin, { cod_amount: 349.5, notas: 'Tocar el portón' });
      const other = await given('en_ruta', rosa);
      const { guias, piloto, ahora } = await shown();
      expect(piloto).toEqual({ id: marvin.id, nombre: 'Marvin' });
      expect(Math.abs(Date.parse(ahora) - Date.now())).toBeLessThan(60_000);
      expect(guias.find(({ guia }: any) => guia === mine.guia)).toMatchObject({
        estado: 'en_ruta',
        cobrar: '349.50',
        cobrar_escrito: 'Q\u00a0349.50',
        telefono: '+50255551234',
        telefono_escrito: '5555 1234',
        notas: 'Tocar el portón',
        destino: { lat: 14.6407, lng: -90.5133 },
        con_pin: false,
        recogida: { telefono: null, telefono_escrito: null },
      });
      const text = JSON.stringify(await shown());
      for (const hidden of [other.guia, other.id, mine.id]) expect(text).not.toContain(hidden);
    });

    it('is in the order of the places, whose case and accents do not count', async () => {
      const places = ['álamo', 'Boca', 'ébano', 'Fresno', 'Íbis'];
      for (const municipio of ['Fresno', 'álamo', 'Íbis', 'ébano', 'Boca'])
        await given('recogido', rosa, { municipio });
      const { guias } = await shown(rosa);
      const listed = guias.map(({ municipio }: any) => municipio);
      expect(listed.filter((municipio: string) => places.includes(municipio))).toEqual(places);
    });

    it('has the phone of the shop, where it has one', async () => {
      const merchants = test.app.get(MerchantsService);
      await merchants.update(money.merchant.id, { telefono_contacto: '+50222220000' });
      const { guia } = await given('aceptado');
      const { guias } = await shown();
      await merchants.update(money.merchant.id, { telefono_contacto: null });
      expect(guias.find((one: any) => one.guia === guia).recogida).toMatchObject({
        ...{ telefono: '+50222220000', telefono_escrito: '2222 0000' },
      });
    });

    it('shows a guide for 24 h after it has ended; a repeat of what was recorded is still answered', async () => {
      const guia = await given('en_ruta');
      const evento = { guia: guia.guia, estado: 'entregado', ref: randomUUID() };
      await marvin.send(evento);
      expect(await numbers()).toContain(guia.guia);
      await test.database.query(`update guias set estado_en = now() - interval '25 hours' where id = $1`, [
        guia.id,
      ]);
      expect(await numbers()).not.toContain(guia.guia);
      expect(await marvin.send(evento)).toMatchObject([{ ok: true, duplicado: true }]);
      expect(await marvin.send({ guia: guia.guia, estado: 'en_ruta' })).toMatchObject([{ status: 404 }]);
    });

    it('is dated by its last use', async () => {
      const { piloto } = (await operator.get(`${OPERACIONES}/pilotos/${rosa.id}`)).body;
      await shown(rosa);
      const after = (await operator.get(`${OPERACIONES}/pilotos/${rosa.id}`)).body.piloto;
      expect(Date.parse(after.visto_en)).toBeGreaterThan(Date.parse(piloto.visto_en ?? '2026-01-01'));
    });

    it('never shows test guides, and moves none', async () => {
      const tester = await test.tester();
      const { body } = await tester.post('/api/v1/guias', {
        ...{ nombre: 'Ana', telefono: '55551234', departamento: 'Guatemala', municipio: 'Mixco' },
        recogida: { lat: 14.6, lng: -90.5 },
      });
      await operator.post(`${OPERACIONES}/asignaciones?modo=prueba`, { piloto: marvin.id, guias: [body.id] });
      expect(await numbers()).not.toContain(body.guia);
      expect(await marvin.send({ guia: body.guia, estado: 'recogido' })).toMatchObject([{ status: 404 }]);
    });
  });

  describe('as a page', () => {
    const page = (path: string, headers: Record<string, string> = {}) => test.request(path, { headers });

    it('shows the first view without scripts, in the headers of a secret page', async () => {
      const guia = await given('en_ruta', marvin, { nombre: 'Wendy <Pérez>', cod_amount: 349.5 });
      const { status, headers, text } = await page(marvin.path);
      expect(status).toBe(200);
      expect(text).toContain('Wendy &lt;Pérez>');
      expect(text).not.toContain('<Pérez>');
      expect(text).toContain(`data-guia="${guia.guia}" data-estado="en_ruta"`);
      expect(text).toContain('Q\u00a0349.50');
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': expect.stringContaining("default-src 'none'; script-src 'self'"),
        'permissions-policy': 'geolocation=(self), camera=(self)',
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-robots-tag': 'noindex, nofollow',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('set-cookie')).toBeNull();
      expect((await page(`${marvin.path}/?utm_source=whatsapp`)).status).toBe(200);
    });

    it('is compressed where the client takes that, like the list', async () => {
      for (const path of [marvin.path, `${marvin.path}/guias`, '/r/sin-red'])
        for (const encoding of ['br', 'gzip']) {
          const answer = await page(path, { 'accept-encoding': encoding });
          expect([answer.status, answer.headers.get('content-encoding')]).toEqual([200, encoding]);
        }
      const plain = await page(marvin.path, { 'accept-encoding': 'identity' });
      expect(plain.headers.get('content-encoding')).toBeNull();
    });

    it('has files of its own, which are kept for good, and a worker that knows them', async () => {
      const { text } = await page(marvin.path);
      const files = [...text.matchAll(/(?:href|src)="(\/r\/assets\/[^"]+)"/g)].map(([, file]) => file!);
      const worker = await page('/r/sw.js');
      expect(worker.headers.get('cache-control')).toBe('no-cache');
      expect(files).toHaveLength(2);
      for (const file of files) {
        const { status, headers } = await page(file);
        expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
        expect(worker.text).toContain(file);
      }
      // As pages of earlier releases ask, which phones keep.
      for (const earlier of ['/r/assets/otra/app.js', '/r/assets/app.js?v=otra'])
        expect((await page(earlier)).headers.get('cache-control')).toBe('no-store');
      for (const other of ['none.js', '..%2fruta.service.js', 'constructor'])
        expect((await page(`/r/assets/${other}`)).status).toBe(404);
    });

    it('that opens without a network has nobody’s data', async () => {
      const { text } = await page('/r/sin-red');
      expect(text).toContain('id="app"');
      expect(text).not.toContain('data-ruta');
    });
  });

  describe('whose link opens nothing', () => {
    const requests = (path: string) =>
      [
        test.request(`${path}/guias`),
        ...['eventos', 'buscar', 'tomar'].map((what) =>
          test.request(`${path}/${what}`, json('{"eventos":5}')),
        ),
      ] as const;

    it('answers the same 404, which a page explains, whether it is guessed, malformed, replaced, expired or ended', async () => {
      const replaced = await Driver.start(test, operator, 'Ida');
      const [old] = [replaced.path, await replaced.renew()];
      const expired = await Driver.start(test, operator, 'Eva');
      await test.database.query(`update pilotos set enlace_vence_en = now() where id = $1`, [expired.id]);
      const ended = await Driver.start(test, operator, 'Olga');
      await operator.patch(`${OPERACIONES}/pilotos/${ended.id}`, { activo: false });
      const made = `/r/${newToken(new Secrets(APP_SECRET).pilotoLinkKey)}`;
      const edited = marvin.path.slice(0, -1) + (marvin.path.endsWith('A') ? 'B' : 'A');
      const [bodies, pages] = [new Set<string>(), new Set<string>()];
      for (const path of [
        old,
        expired.path,
        ended.path,
        made,
        edited,
        '/r/x',
        `/r/${'A'.repeat(48)}`,
        `${old}?a=1`,
      ]) {
        const page = await test.request(path);
        expect([page.status, page.headers.get('x-robots-tag')]).toEqual([404, 'noindex, nofollow']);
        pages.add(page.text);
        if (path.includes('?')) continue;
        for (const answer of await Promise.all(requests(path))) {
          expectProblem(answer, 'no_encontrado');
          bodies.add(JSON.stringify({ ...answer.body, instance: '' }));
        }
      }
      expect([bodies.size, pages.size]).toEqual([1, 1]);
      expect([...pages][0]).toContain('Pida uno nuevo a su bodega.');
    });

    it('reaches no database where it is guessed', async () => {
      expect(await visitsDuring(test, () => Promise.all(requests(`/r/${'A'.repeat(48)}`)))).toBe(0);
    });

    it('is in no log', async () => {
      await shown();
      expect(JSON.stringify(test.logs)).not.toContain(marvin.path.split('/')[2]);
    });
  });

  describe('events', () => {
    it('move the guide, with the driver as actor: for operators by name, for merchants without', async () => {
      const guia = await given('aceptado', marvin, { cod_amount: 20 });
      const at = minutesAgo(1);
      const results = await marvin.send(
        { guia: guia.guia, estado: 'en_camino_a_recoger', ocurrido_en: at },
        { guia: guia.guia, estado: 'recogido', ocurrido_en: at },
        { guia: guia.id, estado: 'en_ruta' },
        { guia: guia.guia, estado: 'entregado', cod_cobrado: 15, recibio: 'Rosa Pérez' },
      );
      expect(results).toMatchObject(Array(4).fill({ ok: true, id: guia.id, aplicado: true }));
      expect(await estadoOf(guia)).toBe('entregado');
      const moves = (await historyOf(guia)).filter(({ actor }: any) => actor === 'piloto');
      expect(moves.map(({ tipo, piloto }: any) => [tipo, piloto])).toEqual([
        ...Array(4).fill(['guia.estado_cambiado', { id: marvin.id, nombre: 'Marvin' }]),
        ['guia.cod_distinto', { id: marvin.id, nombre: 'Marvin' }],
      ]);
      // The guide was made after that.
      expect(moves[0].dicho_en).toBe(at);
      expect(JSON.stringify(await money.lives.events(guia))).not.toContain('Marvin');
      expect(await carried()).toContainEqual({ moneda: 'GTQ', simbolo: 'Q', monto: '15.00' });
    });

    it('are recorded once for a ref, whoever has the guide meanwhile', async () => {
      const guia = await given('recogido');
      const evento = { guia: guia.guia, estado: 'en_ruta', ref: randomUUID(), ocurrido_en: minutesAgo(1) };
      const [first] = await marvin.send(evento);
      await rosa.assign(guia.id);
      expect(await marvin.send(evento)).toEqual([{ ...first, duplicado: true }]);
    });

    it.each<[what: string, event: Record<string, unknown>, status: number, codigo: string]>([
      ['of an unknown guide', { guia: UNKNOWN, estado: 'en_ruta' }, 404, 'no_encontrado'],
      ['of no guide', { guia: 'x', estado: 'en_ruta' }, 404, 'no_encontrado'],
      ['to a state of operators', { estado: 'en_devolucion' }, 403, 'sin_permiso'],
      ['that cancels', { estado: 'cancelado' }, 403, 'sin_permiso'],
      ['that loses it', { estado: 'extraviado' }, 403, 'sin_permiso'],
      ['that sends it back to the start', { estado: 'aceptado' }, 403, 'sin_permiso'],
      ['to an unknown state', { estado: 'perdida' }, 400, 'validacion'],
      ['to a state that does not follow', { estado: 'recogido' }, 409, 'transicion_invalida'],
      ['without a ref', { estado: 'en_ruta', ref: null }, 400, 'validacion'],
      ['with a ref that is no UUID', { estado: 'en_ruta', ref: 'ruta-7' }, 400, 'validacion'],
      ['without a time', { estado: 'en_ruta', ocurrido_en: null }, 400, 'validacion'],
      ['with an unknown field', { estado: 'en_ruta', otro: 1 }, 400, 'validacion'],
      ['that is undone by false', { deshacer: false }, 400, 'validacion'],
      ['that has nothing to undo', { deshacer: true }, 409, 'nada_que_deshacer'],
    ])('are refused alone: one %s', async (_, event, status, codigo) => {
      const [guia, other] = [await given('intento_fallido'), await given('recogido')];
      const results = await marvin.send(
        { guia: guia.guia, ...event },
        { guia: other.guia, estado: 'en_ruta' },
      );
      expect(results).toMatchObject(
        [{ ok: false, status, codigo, detail: /./ }, { ok: true }].map((one) =>
          'detail' in one ? { ...one, detail: expect.stringMatching(/\.$/) } : one,
        ),
      );
      expect(await estadoOf(guia)).toBe('intento_fallido');
    });

    it.each([
      [
        'intento_fallido',
        'recogido',
        'La guía está en `intento_fallido`; de ahí solo puede pasar a: en_ruta.',
      ],
      ['recogido', 'entregado', 'La guía está en `recogido`; de ahí solo puede pasar a: en_ruta.'],
      ['en_devolucion', 'en_ruta', 'La guía está en `en_devolucion`: de ahí la mueve la bodega.'],
    ] as const)('are told only the states of drivers: from %s to %s', async (from, estado, detail) => {
      const guia = await given(from);
      const [illegal, unknown] = await marvin.send(
        { guia: guia.guia, estado },
        { guia: guia.guia, estado: 'perdida' },
      );
      expect(illegal).toMatchObject({ codigo: 'transicion_invalida', detail });
      expect(unknown.errores).toEqual([
        {
          campo: 'estado',
          codigo: 'formato',
          mensaje: 'Debe ser uno de: en_camino_a_recoger, recogido, en_ruta, entregado, intento_fallido.',
        },
      ]);
    });

    it.each(['guias', 'eventos', 'buscar', 'tomar'])(
      'refuse unknown fields in the query: %s',
      async (what) => {
        const body = what === 'guias' ? {} : json('{}');
        expectFaults(await test.request(`${marvin.path}/${what}?x=1`, body), ['x: campo_desconocido']);
      },
    );

    it('that are refused or not applied are kept until the driver has read them', async () => {
      const driver = await Driver.start(test, money.operator, 'Berta');
      const guia = await money.lives.in('aceptado');
      const events = [
        { guia: guia.guia, estado: 'entregado', ref: randomUUID() },
        { guia: UNKNOWN, estado: 'recogido', ref: randomUUID() },
        { guia: guia.guia, estado: 'recogido', ref: 'x' },
      ];
      const unread = async (): Promise<string[]> => {
        const sql = 'select ref from piloto_rechazos where piloto_id = $1 and entendido_en is null';
        return (await test.database.query(sql, [driver.id])).map(({ ref }: any) => ref);
      };
      for (let n = 0; n < 2; n++)
        expect((await driver.send(...events)).map(({ ok }) => ok)).toEqual([false, false, false]);
      expect((await unread()).sort()).toEqual([events[0]!.ref, events[1]!.ref].sort());
      const old = `update piloto_rechazos set creado_en = now() - interval '61 minutes' where piloto_id = $1 and ref = $2`;
      await test.database.query(old, [driver.id, events[0]!.ref]);
      const { rows } = await test.app.get(Database).query<UnreadRefusals>(unreadRefusals());
      expect(rows).toEqual([expect.objectContaining({ nombre: 'Berta', rechazos: 1, guias: [guia.guia] })]);
      const refs = [events[0]!.ref, randomUUID()];
      for (let n = 0; n < 2; n++) expect((await driver.post('entendidos', { refs })).status).toBe(200);
      expect(await unread()).toEqual([events[1]!.ref]);
      const { rows: after } = await test.app.get(Database).query<UnreadRefusals>(unreadRefusals());
      expect(after).toEqual([]);
      for (const wrong of [
        {},
        { refs: [] },
        { refs: ['x'] },
        { refs: 'x' },
        { refs: [1] },
        { refs, otro: 1 },
      ])
        expect((await driver.post('entendidos', wrong)).status).toBe(400);
    });

    it('are refused as a whole in a body that is none', async () => {
      expectFaults(await marvin.post('eventos', {}), ['eventos: requerido']);
      for (const eventos of [[], Array(101).fill({})])
        expectFaults(await marvin.post('eventos', { eventos }), ['eventos: fuera_de_rango']);
      for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
        expectProblem(
          await test.request(`${marvin.path}/eventos`, json('{"eventos":[]}', type)),
          'tipo_no_soportado',
        );
    });

    it('of another driver’s guide get exactly the answer to an unknown one', async () => {
      const guia = await given('en_ruta', rosa);
      const nobodys = await money.lives.in('en_ruta');
      const results = await marvin.send(
        ...[UNKNOWN, guia.guia, guia.id, nobodys.guia].map((one) => ({ guia: one, estado: 'entregado' })),
        { guia: guia.guia, deshacer: true },
      );
      expect(new Set(results.map((one: any) => JSON.stringify(one))).size).toBe(1);
      expect(await estadoOf(guia)).toBe('en_ruta');
    });

    it('of a guide that was given to another are recorded whatever their time, and warn support', async () => {
      const guia = await given('en_ruta', marvin, { cod_amount: 7 });
      const before = new Date().toISOString();
      await rosa.assign(guia.id);
      const [cash, event] = [await carried(), { guia: guia.guia, estado: 'entregado', cod_cobrado: 7 }];
      for (const ocurrido_en of [before, minutesAgo(-1), minutesAgo(60)])
        expect(await marvin.send({ ...event, ocurrido_en })).toMatchObject([
          { ok: true, aplicado: false, no_aplicado: 'de_otro_piloto', estado: 'en_ruta' },
        ]);
      expect(await marvin.send({ guia: guia.guia, deshacer: true })).toMatchObject([
        { status: 409, codigo: 'nada_que_deshacer' },
      ]);
      expect([await carried(), await carried(rosa)]).toEqual([cash, []]);
      expect(await warningsOf(guia)).toEqual(['evento_de_otro_piloto']);
      // The cash is still with the first: another's delivery and an undo do not clear it, their own does.
      await rosa.send(event);
      expect(await warningsOf(guia)).toEqual(['evento_de_otro_piloto']);
      await operator.post(`${OPERACIONES}/guias/${guia.id}/deshacer`, { motivo: 'x' });
      expect(await warningsOf(guia)).toEqual(['evento_de_otro_piloto']);
      await marvin.assign(guia.id);
      await marvin.send(event);
      expect(await warningsOf(guia)).toEqual([]);
    });

    it('of a guide that came back to them are applied', async () => {
      const guia = await given('recogido');
      await rosa.assign(guia.id);
      await marvin.assign(guia.id);
      expect(await marvin.send({ guia: guia.guia, estado: 'en_ruta' })).toMatchObject([{ aplicado: true }]);
    });

    it('of a phone with a wrong clock count by ours, in the order that the phone says', async () => {
      const own = await given('aceptado', marvin, { cod_amount: 3 });
      const created = (await money.lives.read(own)).guia.creada_en;
      const said = (minutes: number) => minutesAgo(40 * 1_440 - minutes);
      expect(
        await marvin.send(
          { guia: own.guia, estado: 'entregado', cod_cobrado: 3, ocurrido_en: said(3) },
          { guia: own.guia, estado: 'en_camino_a_recoger', ocurrido_en: said(0) },
          { guia: own.guia, estado: 'en_ruta', ocurrido_en: said(2) },
          { guia: own.guia, estado: 'recogido', ocurrido_en: said(1) },
        ),
      ).toMatchObject(Array(4).fill({ aplicado: true }));
      const moves = (await historyOf(own)).filter(({ tipo }: any) => tipo === 'guia.estado_cambiado');
      for (const [n, { ocurrido_en, dicho_en }] of moves.entries()) {
        expect(Date.parse(ocurrido_en)).toBeGreaterThanOrEqual(Date.parse(created));
        expect(Math.abs(Date.parse(dicho_en) - Date.parse(said(n)))).toBeLessThan(60_000);
      }
      const { cobrado_en } = await money.of(own);
      expect(Date.parse(cobrado_en)).toBeGreaterThanOrEqual(Date.parse(created));
    });

    it('keep no position that is none', async () => {
      const guia = await given('en_ruta');
      expect(await marvin.send({ guia: guia.guia, estado: 'entregado', lat: 0, lng: 0 })).toMatchObject([
        { aplicado: true },
      ]);
      expect((await historyOf(guia)).at(-1)).toMatchObject({ lat: null, lng: null, distancia_m: null });
    });

    it('that come late are recorded and not applied; with cash they warn support', async () => {
      const guia = await given('en_ruta', marvin, { cod_amount: 5 });
      await operator.move(guia.id, { estado: 'intento_fallido', motivo: 'clima' });
      const cash = await carried();
      const late = { guia: guia.guia, estado: 'entregado', cod_cobrado: 5, ocurrido_en: minutesAgo(10) };
      expect(await marvin.send(late)).toMatchObject([
        { ok: true, aplicado: false, no_aplicado: 'tarde', estado: 'intento_fallido' },
      ]);
      expect(await warningsOf(guia)).toEqual(['entrega_tardia']);
      expect(await carried()).toEqual(cash);
    });

    it('deliver with the PIN of the merchant’s guides', async () => {
      await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: true });
      const guia = await given('en_ruta');
      expect((await shown()).guias.find((one: any) => one.guia === guia.guia).con_pin).toBe(true);
      const deliver = async (pin: object) =>
        (await marvin.send({ guia: guia.guia, estado: 'entregado', ...pin }))[0];
      expect(await deliver({})).toMatchObject({ status: 400, errores: [{ campo: 'pin' }] });
      expect(await deliver({ pin: wrongPin(guia.id) })).toMatchObject({ codigo: 'pin_incorrecto' });
      expect(await deliver({ pin: rightPin(guia.id) })).toMatchObject({ ok: true });
      await test.app.get(MerchantsService).update(money.merchant.id, { con_pin: false });
    });
  });

  describe('an undo', () => {
    const undo = async (guia: string, over: object = {}) =>
      (await marvin.send({ guia, deshacer: true, ...over }))[0];

    it('takes back the driver’s last move with its cash, once for a ref', async () => {
      const guia = await given('en_ruta', marvin, { cod_amount: 9 });
      const cash = await carried();
      await marvin.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 9, ocurrido_en: minutesAgo(4) });
      const ref = randomUUID();
      const done = await undo(guia.guia, { ref });
      expect(done).toMatchObject({
        ok: true,
        estado: 'en_ruta',
        estado_anterior: 'entregado',
        aplicado: true,
      });
      expect(await undo(guia.guia, { ref })).toEqual({ ...done, duplicado: true });
      expect(await carried()).toEqual(cash);
      const last = (await historyOf(guia)).at(-1);
      expect(last).toMatchObject({ tipo: 'guia.estado_corregido', piloto: { id: marvin.id } });
      expect(
        await marvin.send({ guia: guia.guia, estado: 'intento_fallido', motivo: 'ausente' }),
      ).toMatchObject([{ ok: true }]);
    });

    it('is refused after five minutes, of an operator’s move, and after it', async () => {
      const old = await given('recogido');
      await marvin.send({ guia: old.guia, estado: 'en_ruta', ocurrido_en: minutesAgo(6) });
      const theirs = await given('recogido');
      await operator.move(theirs.id, { estado: 'en_ruta' });
      const before = await given('recogido');
      await marvin.send({ guia: before.guia, estado: 'en_ruta' });
      await operator.move(before.id, { estado: 'intento_fallido', motivo: 'clima' });
      for (const { guia } of [old, theirs, before])
        expect(await undo(guia)).toMatchObject({ status: 409, codigo: 'nada_que_deshacer' });
    });

    it('that comes too late is kept, warns support, and stays refused', async () => {
      const guia = await given('en_ruta', marvin, { cod_amount: 8 });
      await marvin.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 8 });
      await test.database.query(
        `update eventos set creado_en = creado_en - interval '16 minutes', ocurrido_en = ocurrido_en - interval '16 minutes'
         where guia_id = $1`,
        [guia.id],
      );
      const [cash, ref] = [await carried(), randomUUID()];
      for (const _ of ['first', 'repeat'])
        expect(await undo(guia.guia, { ref, ocurrido_en: minutesAgo(14) })).toMatchObject({
          ...{ status: 409, codigo: 'nada_que_deshacer' },
        });
      expect([await estadoOf(guia), await carried()]).toEqual(['entregado', cash]);
      expect(await warningsOf(guia)).toEqual(['deshacer_tarde']);
      const kept = (await historyOf(guia)).filter(({ tipo }: any) => tipo === 'guia.evento_tardio');
      expect(kept).toMatchObject([{ piloto: { id: marvin.id }, estado: 'entregado' }]);
      await operator.post(`${OPERACIONES}/guias/${guia.id}/deshacer`, { motivo: 'x' });
      expect(await warningsOf(guia)).toEqual([]);
    });

    it('of a delivery whose cash was handed over is for the office', async () => {
      const guia = await given('en_ruta', marvin, { cod_amount: 700 });
      await marvin.send({ guia: guia.guia, estado: 'entregado', cod_cobrado: 700 });
      await operator.post(`${OPERACIONES}/pilotos/${marvin.id}/caja/entregas`, { moneda: 'GTQ', monto: 1 });
      expect(await undo(guia.guia)).toMatchObject({ status: 409, codigo: 'efectivo_entregado' });
      expect(await carried()).toEqual([]);
      await operator.post(`${OPERACIONES}/guias/${guia.id}/deshacer`, { motivo: 'x' });
      expect(await carried()).toMatchObject([{ monto: '-700.00' }]);
      await operator.post(`${OPERACIONES}/pilotos/${marvin.id}/caja/entregas`, {
        moneda: 'GTQ',
        monto: -700,
      });
    });

    it('counts from when it was done, and stands between the moves of its batch by that time', async () => {
      const guia = await given('en_ruta');
      const at = (minutes: number) => ({ guia: guia.guia, ocurrido_en: minutesAgo(minutes) });
      const results = await marvin.send(
        { ...at(20), estado: 'entregado' },
        { ...at(10), estado: 'intento_fallido', motivo: 'ausente' },
        { ...at(17), deshacer: true },
      );
      expect(results).toMatchObject(Array(3).fill({ ok: true, aplicado: true }));
      expect(await estadoOf(guia)).toBe('intento_fallido');
    });

    it('by an operator takes back a driver’s move, too', async () => {
      const guia = await given('recogido');
      await marvin.send({ guia: guia.guia, estado: 'en_ruta' });
      const { status } = await operator.post(`${OPERACIONES}/guias/${guia.id}/deshacer`, { motivo: 'x' });
      expect([status, await estadoOf(guia)]).toEqual([201, 'recogido']);
    });
  });

  describe('a parcel that nobody has', () => {
    const find = async (numero: string, by = marvin) => (await by.post('buscar', { numero })).body.guias;

    it('is found by its number and its last four digits, of which it shows the number and the place alone', async () => {
      const guia = await money.lives.in('recogido', { municipio: 'Cobán' });
      for (const numero of [guia.guia, guia.guia.slice(8), `${guia.guia.slice(0, 4)} ${guia.guia.slice(4)}`])
        expect(await find(numero)).toContainEqual({ guia: guia.guia, municipio: 'Cobán' });
    });

    it.each<[what: string, make: () => Promise<{ guia: string }>]>([
      ['another driver’s', () => given('recogido', rosa)],
      ['their own', () => given('recogido')],
      ['ended', () => money.lives.in('entregado')],
      ['going back', () => money.lives.in('en_devolucion')],
    ])('is not found where it is %s', async (_, make) => {
      const { guia } = await make();
      for (const numero of [guia, guia.slice(8)])
        expect(
          (await find(numero, await Driver.start(test, operator))).map((one: any) => one.guia),
        ).not.toContain(guia);
    });

    it('is taken by one of many, with the driver as actor', async () => {
      const { guia, id } = await money.lives.in('recogido');
      const drivers = await Promise.all(Array.from({ length: 4 }, () => Driver.start(test, operator)));
      const answers = await Promise.all(drivers.map((driver) => driver.post('tomar', { guia })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      for (const answer of answers) if (answer.status === 409) expectProblem(answer, 'guia_de_otro');
      const winner = drivers[answers.findIndex(({ status }) => status === 200)]!;
      expect((await winner.post('tomar', { guia })).status).toBe(200);
      expect(await numbers(winner)).toEqual([guia]);
      const taken = (await historyOf({ id })).filter(({ tipo }: any) => tipo === 'guia.asignada');
      expect(taken).toMatchObject([{ actor: 'piloto', piloto: { id: winner.id } }]);
    });

    it('is refused where it has ended or does not exist', async () => {
      const driver = await Driver.start(test, operator);
      const { guia } = await money.lives.in('cancelado');
      expectProblem(await driver.post('tomar', { guia }), 'transicion_invalida');
      expectProblem(await driver.post('tomar', { guia: '483920175567' }), 'no_encontrado');
      expectFaults(await driver.post('tomar', { guia: '12' }), ['guia: formato']);
      expectFaults(await driver.post('buscar', { numero: '123' }), ['numero: formato']);
      expectFaults(await driver.post('buscar', {}), ['numero: requerido']);
    });

    it('is looked for 30 times a minute by a driver', async () => {
      const driver = await Driver.start(test, operator);
      const statuses: number[] = [];
      for (let n = 0; n < 31; n++) statuses.push((await driver.post('buscar', { numero: '0000' })).status);
      expect(statuses).toEqual([...Array<number>(30).fill(200), 429]);
      const refused = await driver.post('tomar', { guia: '483920175567' });
      expectProblem(refused, 'demasiadas_solicitudes');
      expect((await find('0000')).length).toBeGreaterThanOrEqual(0);
    });
  });
});
