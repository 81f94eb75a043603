import { pageHeaders } from '../../src/web/destinatario/page-headers.js';
import { dump, type MadeGuia } from '../support/messaging.js';
import { eventually } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { type Answer } from '../support/test-app.js';
import { opened, useBridgedApp } from '../support/use.js';

const PLACE = { lat: 14.6407, lng: -90.5133 };
const WITHOUT_COORDINATES = 'https://www.google.com/maps/place/Parque+Central/';
const UNKNOWN = `/c/${'A'.repeat(24)}`;

interface Asked extends MadeGuia {
  /** Of the link. */
  path: string;
  token: string;
}

describe("the recipient's link", () => {
  const app = useBridgedApp();
  const merchant = opened(() => app.test.merchant());

  const asked = async (over: Record<string, unknown> = {}, owner = merchant): Promise<Asked> => {
    const guia = await app.messaging.create(owner, over);
    await app.messaging.reached(guia, 'aceptado');
    const path = new URL(app.bridge.sentTo(guia.telefono).at(-1)!.json.enlace).pathname;
    return { ...guia, path, token: path.split('/')[2]! };
  };
  const get = (path: string, init: RequestInit = {}) => app.test.request(path, init);
  const postJson = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    get(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const postForm = (path: string, body: Record<string, string>) =>
    get(path, { method: 'POST', body: new URLSearchParams(body), redirect: 'error' });
  const detail = (guia: MadeGuia) => app.messaging.detail(merchant, guia);
  const stored = (guia: MadeGuia) =>
    app.test.database.query('select to_jsonb(g) as guia from guias g where id = $1', [guia.id]);
  const expire = ({ id }: MadeGuia) =>
    app.test.database.query('update confirmaciones set expira_en = now() where guia_id = $1', [id]);

  describe('changes nothing', () => {
    it.each([
      ['GET', {}],
      ['HEAD', {}],
      ['GET', { 'user-agent': 'WhatsApp/2.23.20.0' }],
      ['GET', { 'user-agent': 'facebookexternalhit/1.1', purpose: 'prefetch' }],
    ])('by %s %j, however often', async (method, headers) => {
      const guia = await asked();
      const before = await stored(guia);
      for (let i = 0; i < 3; i++) expect((await get(guia.path, { method, headers })).status).toBe(200);
      await get(`${guia.path}?lat=14.6&lng=-90.5&confirmar=1`, { method, headers });
      expect(await stored(guia)).toEqual(before);
      expect((await app.messaging.events(guia)).map(({ tipo }) => tipo)).toEqual(['guia.creada']);
    });

    it.each(['PUT', 'PATCH', 'DELETE'])('by %s, which is refused', async (method) => {
      const guia = await asked();
      expectProblem(await get(guia.path, { method }), 'metodo_no_permitido');
      expect((await detail(guia)).direccion_confirmada).toBe(false);
    });
  });

  it.each([1, 250, 3_000])('is answered by a page where %i characters were added to it', async (count) => {
    const { path } = await asked();
    const { status, headers, text } = await get(path + 'x'.repeat(count));
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<h1>Este enlace no está disponible</h1>');
  });

  describe('confirms its guide', () => {
    it('by JSON with coordinates', async () => {
      const guia = await asked();
      const answer = await postJson(guia.path, { ...PLACE, precision: 12.5, referencia: 'portón verde' });
      expect({ status: answer.status, body: answer.body }).toEqual({
        status: 200,
        body: { ok: true, guia: guia.guia, direccion_confirmada: true, corregible_hasta: null },
      });
      expect(await detail(guia)).toMatchObject({
        direccion_confirmada: true,
        destino: { ...PLACE, maps_url: null },
        referencia: 'portón verde',
        advertencias: [],
      });
    });

    it.each<[string, Record<string, string>]>([
      ['coordinates', { lat: '14.6407', lng: '-90.5133', maps_url: '', referencia: '' }],
      ['coordinates with a decimal comma', { lat: '14,6407', lng: '-90,5133' }],
      ['a map link', { lat: '', lng: '', maps_url: '14.6407, -90.5133' }],
    ])('by form with %s', async (_, form) => {
      const guia = await asked();
      const answer = await postForm(guia.path, form);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      expect(answer.text).toContain(guia.guia.match(/\d{4}/g)!.join(' '));
      expect(await detail(guia)).toMatchObject({ direccion_confirmada: true, destino: PLACE });
    });

    it('with one event, which does not contain the place', async () => {
      const guia = await asked();
      await postJson(guia.path, { ...PLACE, precision: 8 });
      expect(await app.messaging.events(guia)).toEqual([
        { tipo: 'guia.creada', datos: null },
        { tipo: 'guia.confirmada', datos: { estado: 'aceptado', origen: 'pagina', precision: 8 } },
      ]);
    });

    it('and no other guide of any merchant', async () => {
      const guia = await asked();
      const same = { telefono: guia.telefono };
      const others = [await asked(same), await asked(same, await app.test.merchant())];
      const before = await Promise.all(others.map(stored));
      await postJson(guia.path, PLACE);
      expect(await Promise.all(others.map(stored))).toEqual(before);
    });

    it.each<[string, Record<string, unknown>]>([
      ['coordinates', PLACE],
      ['a map link', { maps_url: 'https://www.google.com/maps/search/?api=1&query=14.6407,-90.5133' }],
      ['a landmark', { ...PLACE, referencia: 'portón verde' }],
    ])('once: the same answer again, as a reloaded page sends it, records no event: %s', async (_, body) => {
      const guia = await asked();
      const first = await postJson(guia.path, body);
      const { actualizada_en } = await detail(guia);
      const form = Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));
      const again = await Promise.all([
        postJson(guia.path, body),
        postForm(guia.path, form),
        postJson(guia.path, body),
      ]);
      expect(again.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(again[0].body).toEqual(first.body);
      expect(again[1].text).toContain('<h1>Ya confirmaste</h1>');
      const confirmed = async () =>
        (await app.messaging.events(guia)).filter(({ tipo }) => tipo === 'guia.confirmada').length;
      expect([await confirmed(), (await detail(guia)).actualizada_en]).toEqual([1, actualizada_en]);
      await postJson(guia.path, { ...body, referencia: 'tocar el timbre' });
      expect(await confirmed()).toBe(2);
    });

    it('with a landmark alone, once there is a place', async () => {
      const guia = await asked();
      expectFaults(await postJson(guia.path, { referencia: 'portón' }), ['maps_url: requerido']);
      await postJson(guia.path, PLACE);
      expect((await postJson(guia.path, { referencia: 'portón' })).status).toBe(200);
      expect(await detail(guia)).toMatchObject({ destino: PLACE, referencia: 'portón' });
    });

    it('once, also when the same answer arrives several times at the same moment', async () => {
      const guia = await asked();
      const answers = await Promise.all(Array.from({ length: 8 }, () => postJson(guia.path, PLACE)));
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
      expect((await app.messaging.events(guia)).map(({ tipo }) => tipo)).toEqual([
        'guia.creada',
        'guia.confirmada',
      ]);
    });

    it('and removes the landmark that the form showed and the recipient emptied', async () => {
      const guia = await asked();
      const form = { lat: '14.6407', lng: '-90.5133' };
      await postForm(guia.path, { ...form, referencia: 'portón verde' });
      expect((await get(guia.path)).text).toContain('portón verde</textarea>');
      await postForm(guia.path, { ...form, referencia: '' });
      expect((await detail(guia)).referencia).toBeNull();
    });

    it('again after a denial, although with the same place', async () => {
      const guia = await asked();
      await postJson(guia.path, PLACE);
      await postJson(guia.path, { niega: 'si' });
      expect((await postJson(guia.path, PLACE)).status).toBe(200);
      expect((await detail(guia)).advertencias).toEqual([]);
    });
  });

  it.each(['JGRP+7F Guatemala', 'https://maps.google.com/?q=JGRP%2B7F+Guatemala'])(
    'says that a plus code lacks its area: %s',
    async (link) => {
      const guia = await asked();
      const program = await postJson(guia.path, { maps_url: link });
      expect(program.body.errores[0].mensaje).toContain('Al código plus le falta su zona.');
      const page = await postForm(guia.path, { maps_url: link });
      expect(page.status).toBe(program.status);
      expect(page.text).toContain('A ese código le falta su zona');
    },
  );

  it('reads texts that a shop has escaped for HTML, wherever a person reads them', async () => {
    const escaped = {
      ...{ nombre: 'Ana L&oacute;pez', direccion: '4&ordf; calle&#10;5-10' },
      ...{ referencia: 'Port&amp;oacute;n &amp; reja', contenido: 'Zapatos &#8211; AT&T, R&D;' },
      ...{ notas: 'D&#x27;Angelo', departamento: 'Quich&eacute;', municipio: 'Nebaj' },
    };
    const guia = await asked({ ...escaped, external_ref: 'a&amp;b' });
    expect(app.bridge.sentTo(guia.telefono).at(-1)!.json.texto).toContain('Ana López');
    expect(await detail(guia)).toMatchObject({
      ...{ destinatario: 'Ana López', direccion: '4ª calle\n5-10', referencia: 'Portón & reja' },
      ...{ contenido: 'Zapatos – AT&T, R&D;', notas: "D'Angelo", departamento: 'Quiché' },
      external_ref: 'a&amp;b',
    });
    expect((await get(guia.path)).text).toContain('Zapatos – AT&amp;T, R&amp;D;');
    await merchant.patch(`/api/v1/guias/${guia.id}`, { nombre: 'Mar&iacute;a' });
    await postJson(guia.path, { ...PLACE, nota: '&iquest;Qui&eacute;n?' });
    expect(await detail(guia)).toMatchObject({ destinatario: 'María' });
    expect((await app.messaging.events(guia)).at(-1)!.datos).toMatchObject({ nota: '¿Quién?' });
  });

  describe('confirms nothing', () => {
    it.each([
      ['a link without coordinates', { maps_url: WITHOUT_COORDINATES }, 422, 'enlace_sin_coordenadas'],
      ['a link of no map', { maps_url: 'https://example.com/?q=14.6,-90.5' }, 422, 'enlace_no_soportado'],
      ['no link', { maps_url: 'frente al parque' }, 400, 'validacion'],
      ['half a point', { lat: 14.6 }, 400, 'validacion'],
    ])('for %s', async (_, body, status, codigo) => {
      const guia = await asked();
      const answer = await postJson(guia.path, body);
      expect([answer.status, answer.body.codigo]).toEqual([status, codigo]);
      expect(await detail(guia)).toMatchObject({
        direccion_confirmada: false,
        destino: { lat: null, lng: null },
      });
    });
  });

  it.each(['.', ')', '*', ',', '»', '\u200b', '%20'])(
    'works with %j behind it, which its app took into the link',
    async (mark) => {
      const guia = await asked();
      expect((await get(guia.path + mark)).status).toBe(200);
      expect((await postJson(guia.path + mark, PLACE)).status).toBe(200);
      expect(await detail(guia)).toMatchObject({ direccion_confirmada: true });
    },
  );

  describe('is answered like an unknown one once it has expired', () => {
    const notWorking = async (): Promise<Record<string, string>> => {
      const expired = await asked();
      await expire(expired);
      return { unknown: UNKNOWN, malformed: '/c/x', expired: expired.path };
    };
    const looks = ({ status, headers, text }: Answer) => {
      const names = [...headers.keys()].filter((name) => !['date', 'x-request-id'].includes(name));
      return {
        status,
        headers: names.map((name) => `${name}: ${headers.get(name)}`),
        text: text.replace(headers.get('x-request-id')!, 'REQUEST'),
      };
    };

    it.each<[string, (path: string) => Promise<Answer>]>([
      ['by GET', (path) => get(path)],
      ['by POST of a form', (path) => postForm(path, { lat: '14.6', lng: '-90.5' })],
      ['by POST of JSON', (path) => postJson(path, PLACE)],
    ])('%s', async (_, ask) => {
      const paths = await notWorking();
      const seen = await Promise.all(
        Object.entries(paths).map(async ([name, path]) => [name, looks(await ask(path))] as const),
      );
      const [, expected] = seen[0]!;
      expect(expected.status).toBe(404);
      expect(seen).toEqual(seen.map(([name]) => [name, expected]));
    });
  });

  it('shows the progress of a confirmed guide after it has expired, but accepts no other place', async () => {
    const guia = await asked();
    await postJson(guia.path, PLACE);
    await expire(guia);
    expect((await get(guia.path)).status).toBe(200);
    expectProblem(await postJson(guia.path, { lat: 15, lng: -91 }), 'guia_no_modificable');
    expect((await detail(guia)).destino).toMatchObject(PLACE);
  });

  describe('is a secret that', () => {
    it('stores only its hash, also in the queues', async () => {
      const guia = await asked();
      await get(guia.path);
      await postJson(guia.path, PLACE);
      const everything = await dump(app.test.database);
      expect(everything).toContain(guia.id);
      expect(everything).not.toContain(guia.token);
      expect(everything).not.toContain(Buffer.from(guia.token, 'base64url').toString('hex'));
    });

    it('appears in no log, and neither does the answer', async () => {
      const guia = await asked();
      await get(guia.path);
      await postJson(guia.path, { lat: 14.123456, lng: -90.654321, referencia: 'portón secreto' });
      await postJson(guia.path, { maps_url: WITHOUT_COORDINATES });
      await eventually(() => expect(JSON.stringify(app.test.logs)).toContain('/c/'));
      const logs = JSON.stringify(app.test.logs);
      for (const secret of [guia.token, guia.telefono.slice(1), '14.123456', 'secreto', 'Parque'])
        expect({ secret, isLogged: logs.includes(secret) }).toEqual({ secret, isLogged: false });
    });

    it("cannot be replaced by a merchant's key", async () => {
      const guia = await asked();
      const authorization = `Bearer ${merchant.key}`;
      for (const path of [UNKNOWN, `/c/${guia.id}`, `/c/${guia.guia}`])
        expect((await postJson(path, PLACE, { authorization })).status).toBe(404);
      expect((await detail(guia)).direccion_confirmada).toBe(false);
      expect((await postJson(guia.path, PLACE)).status).toBe(200);
    });
  });

  it.each([
    ['the page', (guia: Asked) => get(guia.path)],
    ['the answer to a form', (guia: Asked) => postForm(guia.path, { lat: '14.6', lng: '-90.5' })],
    ['the answer to a wrong form', (guia: Asked) => postForm(guia.path, {})],
    ['the page of a link that does not work', () => get(UNKNOWN)],
  ])('is private, never framed, never indexed and sets no cookie: %s', async (_, ask) => {
    const { headers } = await ask(await asked());
    expect(headers.get('set-cookie')).toBeNull();
    for (const [name, value] of Object.entries(pageHeaders(null))) expect(headers.get(name)).toBe(value);
  });
});
