import { expectFaults, expectProblem } from '../support/problem.js';
import { RelayService } from '../../src/platform/events/relay.service.js';
import { ofEachText } from '../../src/guias/guia/guia-fields.js';
import { guiaBody } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('POST /api/v1/guias', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  /** Creates a guide and reads it back. */
  const create = async (over: Record<string, unknown> = {}, by = merchant) => {
    const created = await by.post(GUIAS, guiaBody(over));
    expect({ status: created.status, body: created.body }).toMatchObject({ status: 201 });
    return (await by.get(`${GUIAS}/${created.body.id}`)).body.guia;
  };

  it('answers 201 with exactly the documented fields', async () => {
    const answer = await merchant.post(GUIAS, guiaBody({ external_ref: 'a-1' }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({
      ok: true,
      guia: expect.stringMatching(/^\d{12}$/),
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      estado: 'aceptado',
      external_ref: 'a-1',
    });
    expect(answer.headers.get('location')).toBe(`${GUIAS}/${answer.body.id}`);
  });

  it('stores every field, and the detail shows them', async () => {
    const texts = {
      ...{ external_ref: 'todo', telefono: '+50255551234', direccion: '4a calle 5-10, zona 1' },
      ...{ departamento: 'Sacatepéquez', municipio: 'Antigua Guatemala', cod_amount: 349.55 },
      ...ofEachText(({ example }) => example),
    };
    const place = { lat: 14.123456789012345, lng: -90.98765432109877 };
    const recogida = { lat: 14.5, lng: -90.25, nombre: 'Bodega', direccion: '7a avenida 12-30' };
    const made = await create({ ...texts, ...place, recogida, nombre: 'Ana López' });
    const { guia, id, creada_en, actualizada_en, ...rest } = made;
    expect(rest).toEqual({
      ...texts,
      ...{ destinatario: 'Ana López', estado: 'aceptado', direccion_confirmada: true },
      ...{ advertencias: [], mensaje: null, impresa_en: null, sugerencias: [], pendientes: [] },
      ...{ moneda: 'GTQ', cod_cobrado: null, pago: null },
      seguimiento: expect.stringMatching(/^http:\/\/localhost:\d+\/c\/[\w-]{43}$/),
      recogida: { ...recogida, maps_url: null },
      destino: { ...place, maps_url: null },
    });
    expect(guia).toMatch(/^\d{12}$/);
    expect(creada_en).toBe(actualizada_en);
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(Date.parse(creada_en));
  });

  it.each([
    ['5555-5555', ['telefono_dudoso']],
    ['2345 6789', ['telefono_dudoso']],
    ['5555 1234', []],
  ])('warns of the phone %s: %j', async (telefono, advertencias) => {
    const guia = await create({ telefono });
    expect(guia).toMatchObject({ advertencias });
    const { body } = await merchant.patch(`${GUIAS}/${guia.id}`, { telefono: '5555 4321' });
    expect(body.guia).toMatchObject({ advertencias: [] });
    const again = await merchant.patch(`${GUIAS}/${guia.id}`, { telefono });
    expect(again.body.guia).toMatchObject({ advertencias });
  });

  it('accepts the largest valid guide: every text at its limit, in four-byte characters', async () => {
    const text = (max: number) => '😀'.repeat(max);
    const link = (base: string) => base.padEnd(4_096, 'x');
    const over = {
      external_ref: text(100),
      nombre: text(120),
      departamento: text(120),
      municipio: text(120),
      direccion: text(500),
      referencia: text(500),
      contenido: text(500),
      notas: text(1_000),
      cod_amount: 1_000_000,
      maps_url: link('https://maps.google.com/?q=14.5,-90.5&x='),
      recogida: {
        maps_url: link('https://waze.com/ul?ll=14.6,-90.6&x='),
        nombre: text(120),
        direccion: text(500),
      },
    };
    const { maps_url, recogida, nombre, ...same } = over;
    expect(await create(over)).toMatchObject({
      ...same,
      destinatario: nombre,
      destino: { lat: 14.5, lng: -90.5, maps_url },
      recogida: { lat: 14.6, lng: -90.6, ...recogida },
    });
  });

  it('refuses a link that says no place, and says that the area of a short plus code is missing', async () => {
    const view = 'https://www.google.com/maps/@14.6407,-90.5133,12z';
    const answer = await merchant.post(GUIAS, guiaBody({ maps_url: view, recogida: { maps_url: view } }));
    expectProblem(answer, 'enlace_sin_coordenadas');
    expect(answer.body.errores).toMatchObject([{ campo: 'recogida.maps_url' }, { campo: 'maps_url' }]);
    const code = await merchant.post(GUIAS, guiaBody({ maps_url: 'JGRP+7F Guatemala' }));
    expectFaults(code, ['maps_url: formato']);
    expect(code.body.errores[0].mensaje).toContain('le falta su zona');
  });

  it('accepts links of the services that the refusal of another host recommends', async () => {
    const other = await merchant.post(GUIAS, guiaBody({ maps_url: 'https://example.com/?ll=14.6,-90.5' }));
    expectProblem(other, 'enlace_no_soportado');
    for (const [service, maps_url] of [
      ['Google Maps', 'https://maps.google.com/?q=14.5,-90.5'],
      ['Waze', 'https://waze.com/ul?ll=14.5,-90.5'],
      ['Apple Maps', 'https://maps.apple.com/?ll=14.5,-90.5'],
    ]) {
      expect(other.body.detail).toContain(service);
      await create({ maps_url, recogida: { maps_url } });
    }
  });

  describe('that is invalid', () => {
    it('is told all faults at once, each with the path of its field', async () => {
      const answer = await merchant.post(GUIAS, {
        telefono: 'abc',
        municipio: '   ',
        recogida: { lat: 114.6, direccion: 5, sobra: 1 },
        external_ref: 'x'.repeat(101),
        cod_amount: -1,
        lng: '2',
        maps_url: 'aquí',
        estado: 'entregado',
      });
      expectFaults(answer, [
        'estado: campo_desconocido',
        'recogida.sobra: campo_desconocido',
        'telefono: formato',
        'departamento: requerido',
        'municipio: requerido',
        'recogida.lat: fuera_de_rango',
        'recogida.lng: incompleto',
        'recogida.direccion: tipo',
        'external_ref: demasiado_largo',
        'cod_amount: fuera_de_rango',
        'lat: incompleto',
        'lng: tipo',
        'maps_url: formato',
      ]);
      expect(answer.body.detail).toBe('13 campos no son válidos.');
    });

    it('is told the faults of its query first, and nothing of it is stored', async () => {
      const over = guiaBody({ telefono: 'abc', external_ref: 'nunca' });
      expectFaults(await merchant.post(`${GUIAS}?x=1&external_ref=a`, over), [
        'x: campo_desconocido',
        'external_ref: campo_desconocido',
      ]);
      const answer = await merchant.post(GUIAS, over);
      expectFaults(answer, ['telefono: formato']);
      expect(answer.body.detail).toBe('1 campo no es válido.');
      expect(await test.database.query(`select 1 from guias where external_ref = 'nunca'`)).toEqual([]);
    });
  });

  describe('records one event with the guide', () => {
    // Without the relay events stay as inserted.
    beforeAll(() => test.app.get(RelayService).beforeApplicationShutdown());
    afterAll(() => test.app.get(RelayService).start());

    const events = (id: string) =>
      test.database.query<Record<string, any>>(
        `select e.comercio_id, e.tipo, e.creado_en = g.creada_en as same_time, p.id is not null as pending,
           e.xmin = g.xmin as same_transaction
         from eventos e join guias g on g.id = e.guia_id left join eventos_pendientes p on p.id = e.id where g.id = $1 and e.tipo = 'guia.creada'`,
        [id],
      );

    it.each([
      ['the address is not confirmed', {}],
      ['a short link of the destination is not expanded yet', { maps_url: 'https://maps.app.goo.gl/abc' }],
      [
        'a short link of the pickup is not expanded yet',
        { lat: 14.5, lng: -90.5, recogida: { maps_url: 'https://maps.app.goo.gl/abc' } },
      ],
    ])('pending if %s', async (_, over) => {
      const { id } = await create(over);
      expect(await events(id)).toEqual([
        {
          ...{ comercio_id: merchant.id, tipo: 'guia.creada', same_time: true, pending: true },
          same_transaction: true,
        },
      ]);
    });
  });
});
