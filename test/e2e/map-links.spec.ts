import { guiaBody, sharedApp, type Answer, type TestApp, type TestMerchant } from '../support/test-app.js';
import type { ErrorCode } from '../../src/errors/error-codes.js';
import { expectFaults, expectProblem } from '../support/problem.js';

const GUIAS = '/api/v1/guias';
const SHORT = 'https://maps.app.goo.gl/AbCdEf123';
const PLACE = 'https://www.google.com/maps/place/Parque+Central/';
const FOREIGN = 'https://example.com/?ll=14.6,-90.5';

describe('POST /api/v1/guias with map links', () => {
  let test: TestApp;
  let merchant: TestMerchant;

  beforeAll(async () => {
    test = await sharedApp();
    merchant = await test.merchant();
  });
  afterAll(() => test.close());

  const post = (over: Record<string, unknown>) => merchant.post(GUIAS, guiaBody(over));
  const create = async (over: Record<string, unknown>) => {
    const answer = await post(over);
    expect({ over, status: answer.status, body: answer.body }).toMatchObject({ status: 201 });
    return (await merchant.get(`${GUIAS}/${answer.body.id}`)).body.guia;
  };
  const expectLinkError = (answer: Answer, codigo: ErrorCode, ...campos: string[]) => {
    expectProblem(answer, codigo);
    expect(answer.status).toBe(422);
    expect(answer.body.errores).toEqual(
      campos.map((campo) => ({ campo, codigo, mensaje: expect.any(String) })),
    );
  };

  describe('confirms the destination', () => {
    it.each([
      ['by lat and lng', { lat: 14.5, lng: -90.5 }, { lat: 14.5, lng: -90.5, maps_url: null }],
      [
        'by a link with coordinates',
        { maps_url: '14.5,-90.5' },
        { lat: 14.5, lng: -90.5, maps_url: '14.5,-90.5' },
      ],
      ['by a short link, which is stored', { maps_url: SHORT }, { lat: null, lng: null, maps_url: SHORT }],
      [
        'by the link of a place without coordinates, which is stored',
        { maps_url: PLACE },
        { lat: null, lng: null, maps_url: PLACE },
      ],
    ])('%s', async (_, over, destino) => {
      expect(await create(over)).toMatchObject({ direccion_confirmada: true, destino });
    });

    it('by no other field', async () => {
      const texts = { nombre: 'Ana', direccion: '4a calle', referencia: 'portón', notas: '14.5, -90.5' };
      const guia = await create({ ...texts, recogida: { lat: 1, lng: 1, maps_url: SHORT, direccion: 'x' } });
      expect(guia).toMatchObject({
        direccion_confirmada: false,
        destino: { lat: null, lng: null, maps_url: null },
      });
    });
  });

  it('reads the coordinates in links of the pickup point and the destination', async () => {
    const pickup = 'https://waze.com/ul?ll=14.6349,-90.5069&navigate=yes';
    const destination = 'https://www.google.com/maps/search/?api=1&query=14.8347,-91.5181';
    expect(await create({ maps_url: destination, recogida: { maps_url: pickup } })).toMatchObject({
      destino: { lat: 14.8347, lng: -91.5181, maps_url: destination },
      recogida: { lat: 14.6349, lng: -90.5069, maps_url: pickup },
    });
  });

  it('prefers coordinates to a link, and stores both', async () => {
    const link = 'https://maps.google.com/?q=1.5,2.5';
    const both = { lat: 14.5, lng: -90.5, maps_url: link };
    expect(await create({ ...both, recogida: both })).toMatchObject({ destino: both, recogida: both });
  });

  it('stores a short link of the pickup point, to be expanded later', async () => {
    expect(await create({ recogida: { maps_url: SHORT } })).toMatchObject({
      recogida: { lat: null, lng: null, maps_url: SHORT },
    });
  });

  it.each(['14.6407, -90.5133', '  14.6407,-90.5133 '])(
    'reads %j in maps_url as coordinates',
    async (maps_url) => {
      const point = { lat: 14.6407, lng: -90.5133 };
      expect(await create({ maps_url, recogida: { maps_url } })).toMatchObject({
        destino: point,
        recogida: point,
      });
    },
  );

  it('refuses a pickup link without coordinates: 422 enlace_sin_coordenadas', async () => {
    const answer = await post({ recogida: { maps_url: PLACE } });
    expectLinkError(answer, 'enlace_sin_coordenadas', 'recogida.maps_url');
  });

  it.each([
    ['a map without a place', 'https://www.google.com/maps'],
    ['a view of a whole town', 'https://www.google.com/maps/@14.6407,-90.5133,12z'],
    ['a route without an end', 'https://www.google.com/maps/dir/14.6,-90.5/'],
    ['a short plus code', 'https://maps.google.com/?q=JGRP%2B7F'],
  ])('refuses the destination link of %s: 422 enlace_sin_coordenadas', async (_what, maps_url) => {
    expectLinkError(await post({ maps_url }), 'enlace_sin_coordenadas', 'maps_url');
    expectLinkError(await post({ recogida: { maps_url } }), 'enlace_sin_coordenadas', 'recogida.maps_url');
  });

  it('says that the area of a short plus code is missing', async () => {
    const answer = await post({ maps_url: 'JGRP+7F Guatemala' });
    expectFaults(answer, ['maps_url: formato']);
    expect(answer.body.errores[0].mensaje).toContain('le falta su zona');
  });

  it('reads a text of several lines, and stores it as it was sent', async () => {
    const maps_url = 'Casa de Ana\n*https://maps.google.com/?q=14.6407,-90.5133*';
    expect(await create({ maps_url })).toMatchObject({ destino: { lat: 14.6407, lng: -90.5133, maps_url } });
  });

  it('accepts a pickup link without coordinates if lat and lng are sent too', async () => {
    const recogida = { lat: 14.5, lng: -90.5, maps_url: PLACE };
    expect(await create({ recogida })).toMatchObject({ recogida });
  });

  it.each([
    [{ recogida: { maps_url: FOREIGN } }, ['recogida.maps_url']],
    [{ maps_url: FOREIGN }, ['maps_url']],
    [{ maps_url: FOREIGN, recogida: { maps_url: FOREIGN } }, ['recogida.maps_url', 'maps_url']],
    [{ lat: 1, lng: 1, maps_url: FOREIGN }, ['maps_url']],
  ])('refuses a link of another host in either place: %j', async (over, campos) => {
    expectLinkError(await post(over), 'enlace_no_soportado', ...campos);
  });

  it.each([
    'https://www.google.com.evil.example/maps?q=14.6,-90.5',
    'https://maps.google.com@evil.example/?q=14.6,-90.5',
    'https://maps.google.com:8443/?q=14.6,-90.5',
    'http://127.0.0.1/maps?q=14.6,-90.5',
    'https://goo.gl/not-maps',
    'https://www.google.com/search?q=14.6,-90.5',
  ])('refuses %s, which only looks like a map service', async (maps_url) => {
    expectLinkError(await post({ maps_url }), 'enlace_no_soportado', 'maps_url');
  });

  it('accepts links of the services that the refusal recommends', async () => {
    const { detail } = (await post({ maps_url: FOREIGN })).body;
    const links: Record<string, string> = {
      'Google Maps': 'https://maps.google.com/?q=14.5,-90.5',
      Waze: 'https://waze.com/ul?ll=14.5,-90.5',
      'Apple Maps': 'https://maps.apple.com/?ll=14.5,-90.5',
    };
    const refused: string[] = [];
    for (const [service, maps_url] of Object.entries(links)) {
      if (!detail.includes(service)) continue;
      if ((await post({ maps_url, recogida: { maps_url } })).status !== 201) refused.push(service);
    }
    expect(refused).toEqual([]);
  });

  it.each([
    'Parque Central',
    'ftp://maps.google.com/',
    'javascript:alert(1)',
    '14.6',
    '91, 0',
    '0, 0',
    'maps.google.com',
  ])(
    'answers 400 formato to %j, which is neither a link nor coordinates, in both places',
    async (maps_url) => {
      const answer = await post({ maps_url, recogida: { maps_url } });
      expectFaults(answer, ['maps_url: formato', 'recogida.maps_url: formato']);
    },
  );

  it('accepts a link of 4,096 characters and refuses one of 4,097', async () => {
    const link = (length: number) => 'https://maps.google.com/?q=14.5,-90.5&x='.padEnd(length, 'x');
    expect((await create({ maps_url: link(4_096) })).destino.maps_url).toHaveLength(4_096);
    expectFaults(await post({ maps_url: link(4_097) }), ['maps_url: demasiado_largo']);
  });
});
