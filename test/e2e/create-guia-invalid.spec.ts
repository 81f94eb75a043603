import type { FieldErrorCode } from '../../src/errors/error-codes.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, sharedApp, type TestApp, type TestMerchant } from '../support/test-app.js';

const GUIAS = '/api/v1/guias';
const PICKUP = { lat: 14.6349, lng: -90.5069 };

describe('POST /api/v1/guias with an invalid request', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await sharedApp();
    merchant = await test.merchant();
  });
  afterAll(() => test.close());

  const post = (over: Record<string, unknown>) => merchant.post(GUIAS, guiaBody(over));

  it('reports all faults at once, each with the path of its field', async () => {
    const answer = await merchant.post(GUIAS, {
      telefono: 'abc',
      municipio: '   ',
      recogida: { lat: 114.6, direccion: 5, sobra: 1 },
      external_ref: 'x'.repeat(101),
      cod_amount: -1,
      lng: '2',
      maps_url: 'aquí',
      Notas: 'x',
    });
    expectFaults(answer, [
      'Notas: campo_desconocido',
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

  it('reports the four required fields of an empty object', async () => {
    const answer = await merchant.post(GUIAS, {});
    expectFaults(answer, [
      'telefono: requerido',
      'departamento: requerido',
      'municipio: requerido',
      'recogida: requerido',
    ]);
  });

  it('writes the detail of a single fault in the singular', async () => {
    const { body } = await post({ lat: 91, lng: 170 });
    expect(body.detail).toBe('1 campo no es válido.');
    expect(body.errores).toEqual([
      { campo: 'lat', codigo: 'fuera_de_rango', mensaje: 'Debe estar entre -90 y 90.' },
    ]);
  });

  type Fault = [over: Record<string, unknown>, fault: `${string}: ${FieldErrorCode}`];
  const faults: Fault[] = [
    ...['telefono', 'departamento', 'municipio', 'recogida'].flatMap((campo): Fault[] => [
      [{ [campo]: null }, `${campo}: requerido`],
      [{ [campo]: 5 }, `${campo}: tipo`],
      [{ [campo]: [] }, `${campo}: tipo`],
    ]),
    [{ telefono: '' }, 'telefono: requerido'],
    [{ telefono: '+50255' }, 'telefono: formato'],
    [{ telefono: '555' }, 'telefono: formato'],
    [{ telefono: '+50255551234 llamar' }, 'telefono: formato'],
    [{ telefono: '+999 5555 1234' }, 'telefono: formato'],
    [{ telefono: `+50255551234${' '.repeat(100)}5` }, 'telefono: formato'],
    [{ telefono: { e164: '+50255551234' } }, 'telefono: tipo'],
    [{ recogida: {} }, 'recogida: requerido'],
    [{ recogida: { nombre: 'Bodega' } }, 'recogida: requerido'],
    [{ recogida: { maps_url: '' } }, 'recogida: requerido'],
    [{ recogida: [PICKUP] }, 'recogida: tipo'],
    [{ recogida: '14.6,-90.5' }, 'recogida: tipo'],
    [{ recogida: { lat: 14.6 } }, 'recogida.lng: incompleto'],
    [{ recogida: { lng: -90.5 } }, 'recogida.lat: incompleto'],
    [{ recogida: { lat: '14.6', lng: -90.5 } }, 'recogida.lat: tipo'],
    [{ recogida: { lat: 14.6, lng: 180.001 } }, 'recogida.lng: fuera_de_rango'],
    [{ recogida: { lat: 0, lng: 0 } }, 'recogida.lat: fuera_de_rango'],
    [{ recogida: { lat: -0, lng: 0 } }, 'recogida.lat: fuera_de_rango'],
    [{ recogida: { ...PICKUP, maps_url: 5 } }, 'recogida.maps_url: tipo'],
    [{ recogida: { ...PICKUP, nombre: 'x'.repeat(121) } }, 'recogida.nombre: demasiado_largo'],
    [{ recogida: { ...PICKUP, nombre: 'a\nb' } }, 'recogida.nombre: formato'],
    [{ recogida: { ...PICKUP, direccion: 'x'.repeat(501) } }, 'recogida.direccion: demasiado_largo'],
    [{ lat: 14.6 }, 'lng: incompleto'],
    [{ lng: -90.5 }, 'lat: incompleto'],
    [{ lat: 14.6, lng: null }, 'lng: incompleto'],
    [{ lat: -90.001, lng: 0 }, 'lat: fuera_de_rango'],
    [{ lat: 0, lng: 0 }, 'lat: fuera_de_rango'],
    [{ lat: true, lng: 1 }, 'lat: tipo'],
    [{ cod_amount: '5' }, 'cod_amount: tipo'],
    [{ cod_amount: 1_000_000.01 }, 'cod_amount: fuera_de_rango'],
    [{ cod_amount: -0.01 }, 'cod_amount: fuera_de_rango'],
    [{ cod_amount: 1.005 }, 'cod_amount: formato'],
    [{ external_ref: 1042 }, 'external_ref: tipo'],
    [{ external_ref: 'a\nb' }, 'external_ref: formato'],
    [{ external_ref: '😀'.repeat(101) }, 'external_ref: demasiado_largo'],
    [{ nombre: 'x'.repeat(121) }, 'nombre: demasiado_largo'],
    [{ departamento: 'x'.repeat(121) }, 'departamento: demasiado_largo'],
    [{ municipio: 'x'.repeat(121) }, 'municipio: demasiado_largo'],
    [{ direccion: 'x'.repeat(501) }, 'direccion: demasiado_largo'],
    [{ referencia: 'x'.repeat(501) }, 'referencia: demasiado_largo'],
    [{ contenido: 'x'.repeat(501) }, 'contenido: demasiado_largo'],
    [{ contenido: 'a\tb' }, 'contenido: formato'],
    [{ notas: 'x'.repeat(1_001) }, 'notas: demasiado_largo'],
    [{ notas: { texto: 'x' } }, 'notas: tipo'],
  ];
  it.each(faults.map(([over, fault]) => [JSON.stringify(over).slice(0, 80), fault, over] as const))(
    'refuses %s with %s',
    async (_, fault, over) => {
      expectFaults(await post(over), [fault]);
    },
  );

  const EDITABLE = [
    'telefono',
    'nombre',
    'departamento',
    'municipio',
    'direccion',
    'referencia',
    'contenido',
  ];
  it.each([...EDITABLE, 'notas', 'cod_amount', 'lat', 'lng', 'maps_url'])(
    'an edit accepts and refuses the same values of %s, with the same faults',
    async (campo) => {
      const { id } = (await post({})).body;
      const values = ['', '   ', 5, 'x', 'x\0', []];
      const overs = values.map((value) => ({ [campo]: value }));
      // Null counts as absent: an edit keeps what there is.
      const known = faults.map(([over]) => over).filter((over) => (over[campo] ?? null) !== null);
      for (const over of [...overs, ...known]) {
        const [created, edited] = await Promise.all([post(over), merchant.patch(`${GUIAS}/${id}`, over)]);
        const answerOf = ({ status, body }: typeof created) => ({
          isAccepted: status < 300,
          faults: body.errores?.map((fault: any) => `${fault.campo}: ${fault.codigo}`),
        });
        expect({ over, ...answerOf(edited) }).toEqual({ over, ...answerOf(created) });
      }
    },
  );

  it('accepts both ends of the coordinate ranges', async () => {
    for (const [lat, lng] of [
      [90, 180],
      [-90, -180],
      [0, 0.000001],
    ]) {
      const answer = await post({ lat, lng, recogida: { lat, lng } });
      expect({ lat, lng, status: answer.status }).toEqual({ lat, lng, status: 201 });
    }
  });

  it.each([
    ['external-ref', 'external_ref'],
    ['externalRef', 'external_ref'],
    ['telefno', 'telefono'],
    ['Nombre', 'nombre'],
  ])('refuses the misspelt field %s and suggests %s', async (name, nearest) => {
    const answer = await post({ [name]: 'x' });
    expectFaults(answer, [`${name}: campo_desconocido`]);
    expect(answer.body.errores[0].mensaje).toContain(nearest);
  });

  it.each(['guias', '__x', 'a'.repeat(120), '', ' telefono', 'toString', 'hasOwnProperty', 'recogida.lat'])(
    'refuses the unknown field %j',
    async (name) => {
      expectFaults(await post({ [name]: 1 }), [`${name.slice(0, 100)}: campo_desconocido`]);
    },
  );

  it.each(['?x=1', '?external_ref=a', '?limit=5', '?__proto__=1', '?x=1&x=2'])(
    'refuses query parameters: %s',
    async (query) => {
      const answer = await merchant.post(`${GUIAS}${query}`, guiaBody());
      expectFaults(answer, [`${/\w+/.exec(query)![0]}: campo_desconocido`]);
    },
  );

  it('reports all faults of the query, then all of the body', async () => {
    const invalid = guiaBody({ telefono: 'abc', cod_amount: -1 });
    expectFaults(await merchant.post(`${GUIAS}?x=1&y=2`, invalid), [
      'x: campo_desconocido',
      'y: campo_desconocido',
    ]);
    expectFaults(await merchant.post(GUIAS, invalid), ['telefono: formato', 'cod_amount: fuera_de_rango']);
  });

  it.each(['[]', '[{}]', 'null', '5', '"texto"', 'true'])(
    'refuses the body %s, which is not an object',
    async (body) => {
      expectFaults(await merchant.post(GUIAS, body), ['cuerpo: tipo']);
    },
  );

  it('refuses a request without a body', async () => {
    const headers = { authorization: `Bearer ${merchant.key}` };
    expectFaults(await test.request(GUIAS, { method: 'POST', headers }), ['cuerpo: tipo']);
  });

  it.each([
    ['id', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
    ['guia', '483920175567'],
    ['estado', 'entregado'],
    ['merchant_id', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
    ['comercio_id', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'],
    ['direccion_confirmada', true],
    ['creada_en', '2020-01-01T00:00:00.000Z'],
    ['actualizada_en', '2020-01-01T00:00:00.000Z'],
    ['advertencias', ['x']],
    ['destinatario', 'Ana'],
    ['destino_lat', 14.5],
    ['recogida_lat', 14.5],
  ])('refuses %s, which only the server sets', async (name, value) => {
    expectFaults(await post({ [name]: value }), [`${name}: campo_desconocido`]);
    expectFaults(await post({ recogida: { ...PICKUP, [name]: value } }), [
      `recogida.${name}: campo_desconocido`,
    ]);
  });

  it('stores nothing of a refused request', async () => {
    const before = await merchant.get(`${GUIAS}?limit=100`);
    expectProblem(await post({ telefono: 'abc', external_ref: 'nunca' }), 'validacion');
    expect((await merchant.get(`${GUIAS}?limit=100`)).body).toEqual(before.body);
    const rows = await test.database.query(`select 1 from guias where external_ref = 'nunca'`);
    expect(rows).toEqual([]);
  });
});
