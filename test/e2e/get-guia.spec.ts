import { ofEachText } from '../../src/guias/guia/guia-fields.js';
import { eventually } from '../support/eventually.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { visitsDuring } from '../support/visits.js';
import { guiaBody } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';

describe('GET /api/v1/guias/{id}', () => {
  let guia: { id: string; guia: string };

  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  beforeAll(async () => {
    guia = (await merchant.post(GUIAS, guiaBody({ external_ref: 'a' }))).body;
    // The relay adds the message a moment after the create; from then on the detail stays the same.
    await eventually(async () => expect((await get(guia.id)).body.guia.mensaje).not.toBeNull());
  });

  const get = (id: string, by = merchant) => by.get(`${GUIAS}/${id}`);

  it('shows the guide by id with exactly the documented fields', async () => {
    const answer = await get(guia.id);
    expect(answer.status).toBe(200);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(answer.body).toEqual({
      ok: true,
      guia: {
        guia: guia.guia,
        id: guia.id,
        external_ref: 'a',
        estado: 'aceptado',
        destinatario: '',
        telefono: '+50255551234',
        direccion: '',
        departamento: 'Guatemala',
        municipio: 'Mixco',
        ...ofEachText(({ empty }) => empty),
        cod_amount: 0,
        direccion_confirmada: false,
        creada_en: time,
        actualizada_en: time,
        moneda: 'GTQ',
        seguimiento: expect.stringMatching(/^http:\/\/localhost:\d+\/c\/[\w-]{43}$/),
        cod_cobrado: null,
        pago: null,
        advertencias: [],
        mensaje: answer.body.guia.mensaje,
        impresa_en: null,
        sugerencias: [],
        pendientes: [],
        recogida: { lat: 14.6349, lng: -90.5069, maps_url: null, nombre: null, direccion: null },
        destino: { lat: null, lng: null, maps_url: null },
      },
    });
  });

  it('shows the same guide by number, and by id in any letter case', async () => {
    const { body } = await get(guia.id);
    for (const id of [guia.guia, guia.id.toUpperCase(), guia.id.replace(/^.{10}/, (s) => s.toUpperCase())]) {
      expect((await get(id)).body).toEqual(body);
    }
  });

  it('shows the stored advertencias', async () => {
    const { id } = (await merchant.post(GUIAS, guiaBody())).body;
    await test.database.query(`update guias set advertencias = '{uno,dos}' where id = $1`, [id]);
    expect((await get(id)).body.guia.advertencias).toEqual(['uno', 'dos']);
    await test.database.query('delete from guias where id = $1', [id]);
  });

  describe('an unknown municipality', () => {
    const UNKNOWN = { departamento: 'Guatemala', municipio: 'Mixko' };
    const warned = async (id: string) => {
      const { advertencias, sugerencias } = (await get(id)).body.guia;
      return { advertencias, sugerencias };
    };

    it('is a warning of the create, the batch and the detail, with the nearest names, and no refusal', async () => {
      const created = await merchant.post(GUIAS, guiaBody(UNKNOWN));
      expect([created.status, created.headers.get('guias-advertencia')]).toEqual([
        201,
        'municipio_desconocido',
      ]);
      const { id } = created.body;
      const sugerencias = [{ departamento: 'Guatemala', municipio: 'Mixco' }];
      expect(await warned(id)).toEqual({ advertencias: ['municipio_desconocido'], sugerencias });
      const batch = await merchant.post(`${GUIAS}/lote`, {
        guias: [guiaBody({ ...UNKNOWN, external_ref: 'l' })],
      });
      expect(batch.body.resultados[0].advertencias).toEqual(['municipio_desconocido']);
      const mended = await merchant.patch(`${GUIAS}/${id}`, { municipio: 'MIXCO ' });
      expect(mended.body.guia).toMatchObject({ advertencias: [], sugerencias: [] });
      expect(await warned(id)).toEqual({ advertencias: [], sugerencias: [] });
    });

    it('is in no list of warnings', async () => {
      const { id } = (await merchant.post(GUIAS, guiaBody(UNKNOWN))).body;
      const { body } = await merchant.get(`${GUIAS}?advertencia=cualquiera`);
      expect(body.guias.map((one: { id: string }) => one.id)).not.toContain(id);
      expectFaults(await merchant.get(`${GUIAS}?advertencia=municipio_desconocido`), [
        'advertencia: formato',
      ]);
    });

    it('is none where there is no table of the country', async () => {
      const abroad = await test.merchant({ country: 'US' });
      const { body, headers } = await abroad.post(GUIAS, guiaBody(UNKNOWN));
      expect(headers.get('guias-advertencia')).toBeNull();
      expect((await get(body.id, abroad)).body.guia).toMatchObject({ advertencias: [], sugerencias: [] });
    });
  });

  describe('the table of places', () => {
    const lugares = (query = '') => merchant.get(`/api/v1/lugares${query}`);

    it("is that of the merchant's country, or of another", async () => {
      const { body } = await lugares();
      expect(body).toMatchObject({ ok: true, pais: 'GT' });
      const names = body.departamentos.map(({ nombre }: { nombre: string }) => nombre);
      expect([names.length, names[0]]).toEqual([22, 'Alta Verapaz']);
      expect(body.departamentos[6]).toEqual({
        nombre: 'Guatemala',
        municipios: expect.arrayContaining(['Guatemala', 'Mixco']),
      });
      expect((await lugares('?pais=GT')).body).toEqual(body);
      expect((await lugares('?pais=sv')).body).toMatchObject({ pais: 'SV', departamentos: { length: 14 } });
      expect((await lugares('?pais=US')).body).toEqual({ ok: true, pais: 'US', departamentos: [] });
    });
  });

  describe('answers 404', () => {
    /** The merchant with a key that is in the cache, so that requests need no query for it. */
    const known = async () => {
      const by = await test.keyOf(merchant.id);
      await get('x', by);
      return by;
    };

    it("for the same merchant's guide of the other mode, and names the key that it needs", async () => {
      const tester = await test.tester(merchant.id);
      const trial = (await tester.post(GUIAS, guiaBody())).body;
      for (const [by, other, key] of [
        [merchant, trial, 'gk_test_'],
        [tester, guia, 'gk_live_'],
      ] as const)
        for (const id of [other.id, other.guia]) {
          const answer = await get(id, by);
          expectProblem(answer, 'no_encontrado');
          expect(answer.body.detail).toContain(key);
        }
      const { body } = await get(trial.id, await test.tester());
      expect(body.detail).not.toContain('gk_');
    });

    it('for a number with any single wrong digit, without a query', async () => {
      const by = await known();
      const visits = await visitsDuring(test, async () => {
        for (let i = 0; i < 12; i++) {
          const digit = String((Number(guia.guia[i]) + 1) % 10);
          expectProblem(
            await get(guia.guia.slice(0, i) + digit + guia.guia.slice(i + 1), by),
            'no_encontrado',
          );
        }
      });
      expect(visits).toBe(0);
      expect(await visitsDuring(test, () => get(guia.guia, by))).toBe(1);
    });

    it.each([
      ...['x', '%00', "'; drop table guias; --", '01a1fea2cf037f3a9c442b8e6f0d1a57'],
      ...['01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57%0a', '٠١٢٣٤٥٦٧٨٩٠١', '000000000000'],
    ])('for %j, which is neither id nor number, without a query', async (id) => {
      const by = await known();
      const visits = await visitsDuring(test, async () => expectProblem(await get(id, by), 'no_encontrado'));
      expect(visits).toBe(0);
    });
  });

  it('refuses query parameters', async () => {
    expectFaults(await get(`${guia.id}?x=1`), ['x: campo_desconocido']);
  });

  it('answers HEAD like GET, without a body', async () => {
    const headers = { authorization: `Bearer ${merchant.key}` };
    const get200 = await get(guia.id);
    const head = await test.request(`${GUIAS}/${guia.id}`, { method: 'HEAD', headers });
    expect({ status: head.status, text: head.text }).toEqual({ status: 200, text: '' });
    expect(head.headers.get('content-length')).toBe(get200.headers.get('content-length'));
    expect((await test.request(`${GUIAS}/x`, { method: 'HEAD', headers })).status).toBe(404);
    expect((await test.request(`${GUIAS}/${guia.id}`, { method: 'HEAD' })).status).toBe(401);
  });
});
