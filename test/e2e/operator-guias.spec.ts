import { seedGuias } from '../support/guias-seed.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, type TestOperator } from '../support/test-app.js';
import { opened, useTestApp } from '../support/use.js';

const GUIAS = '/api/v1/operaciones/guias';

describe("what operators read: all merchants' guides", () => {
  // Of its own: operators' lists show the guides of all merchants.
  const test = useTestApp();
  let all: any[];
  let piloto: string;

  const ana = opened(() => test.merchant());
  const bea = opened(() => test.merchant());
  const operator = opened(() => test.operator());
  const reader = opened(() => test.operator('Lectora', { scopes: ['operaciones:leer'] }));

  beforeAll(async () => {
    for (const { id } of [ana, bea])
      await seedGuias(test.database, id, {
        count: 40,
        at: `${Date.UTC(2026, 8, 21)} + n / 3`,
        changedAt: `${Date.UTC(2026, 8, 21)} + 100 + n * 7 % 13`,
        estado: `(array['aceptado', 'en_ruta', 'entregado'])[n % 3 + 1]`,
        telefono: `'+5025555000' || n % 4`,
        confirmada: 'n % 5 = 0',
        externalRef: `case when n % 2 = 0 then 'ref-' || n end`,
      });
    await test.database.query(`update guias set
      municipio = (array['Mixco', 'MIXCÓ', 'Flores', 'San José'])[substr(guia, 11, 1)::int % 4 + 1],
      departamento = (array['Guatemala', 'Petén'])[substr(guia, 10, 1)::int % 2 + 1],
      advertencias = case when substr(guia, 11, 1) = '1' then array['cod_distinto'] else '{}' end`);
    piloto = (await operator.post('/api/v1/operaciones/pilotos', { nombre: 'Marvin' })).body.piloto.id;
    await test.database.query(`update guias set piloto_id = $1 where substr(guia, 11, 1)::int % 3 = 0`, [
      piloto,
    ]);
    all = await walk({});
  });

  const list = (query: Record<string, string>, by: Pick<TestOperator, 'get'> = reader) =>
    by.get(`${GUIAS}?${new URLSearchParams(query).toString()}`);

  /** Every page of a list. */
  async function walk(query: Record<string, string>): Promise<any[]> {
    const guias: any[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await list({ limit: '7', ...query, ...(cursor !== null && { cursor }) });
      expect({ query, status }).toEqual({ query, status: 200 });
      guias.push(...body.guias);
      cursor = body.siguiente_cursor;
      expect(body.guias.length === 7 || cursor === null).toBe(true);
    } while (cursor !== null);
    return guias;
  }

  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .toLowerCase();
  const MATCHES: Record<string, (guia: any, value: string) => boolean> = {
    comercio: (guia, value) => guia.comercio.id === value,
    departamento: (guia, value) => plain(guia.departamento) === plain(value),
    municipio: (guia, value) => plain(guia.municipio) === plain(value),
    estado: (guia, value) => value.split(',').includes(guia.estado),
    advertencia: (guia, value) =>
      guia.advertencias.some((one: string) => [one, 'cualquiera'].includes(value)),
    telefono: (guia, value) => guia.telefono === value,
    direccion_confirmada: (guia, value) => String(guia.direccion_confirmada) === value,
    external_ref: (guia, value) => guia.external_ref === value,
    piloto: (guia, value) => (value === 'ninguno' ? guia.piloto === null : guia.piloto?.id === value),
    desde: (guia, value) => guia.creada_en >= value,
    actualizada_desde: (guia, value) => guia.actualizada_en >= value,
  };

  it('shows every guide once, newest first, with its merchant, its places and its warnings', async () => {
    const keys = all.map(({ creada_en, id }) => `${creada_en} ${id}`);
    expect(keys).toEqual([...keys].sort().reverse());
    expect(new Set(keys).size).toBe(80);
    const own = all.find(({ comercio, piloto: of }) => comercio.id === ana.id && of !== null);
    const { body } = await ana.get(`/api/v1/guias/${own.id}`);
    const {
      pendientes: _,
      seguimiento: __,
      sugerencias: ___,
      mensaje: ____,
      impresa_en: _____,
      advertencias,
      ...guia
    } = body.guia;
    expect(all).toContainEqual({
      ...guia,
      // Its merchant alone is told how its municipality may be written.
      advertencias: advertencias.filter((code: string) => code !== 'municipio_desconocido'),
      comercio: { id: ana.id, nombre: 'Tienda' },
      piloto: { id: piloto, nombre: 'Marvin' },
    });
  });

  it.each(['NFC', 'NFD'])('finds a place however its accents are written, here as %s', async (form) => {
    // Of test guides, which the lists of the others do not show.
    const merchant = await test.tester();
    const body = guiaBody({ departamento: 'Petén'.normalize(form), municipio: 'Peñalolén'.normalize(form) });
    const { id } = (await merchant.post('/api/v1/guias', body)).body;
    const edited = await merchant.patch(`/api/v1/guias/${id}`, {
      municipio: 'Peñaflor de Jesús'.normalize(form),
    });
    expect(edited.body.guia).toMatchObject({
      departamento: 'Petén'.normalize('NFC'),
      municipio: 'Peñaflor de Jesús'.normalize('NFC'),
    });
    for (const place of ['departamento=Petén', 'departamento=peten', 'municipio=PEÑAFLOR DE JESUS'])
      for (const sent of ['NFC', 'NFD']) {
        const query = new URLSearchParams(`modo=prueba&${place}`.normalize(sent)).toString();
        const { body: found } = await operator.get(`${GUIAS}?${query}`);
        expect([place, sent, found.guias[0]?.id]).toEqual([place, sent, id]);
      }
  });

  const FILTERS: Record<string, string[]> = {
    comercio: ['ana'],
    departamento: ['peten', 'GUATEMALA'],
    municipio: ['mixco', ' San Jose', 'nada'],
    estado: ['aceptado', 'en_ruta,entregado', 'extraviado'],
    advertencia: ['cualquiera', 'mensaje_fallido'],
    telefono: ['+50255550001'],
    direccion_confirmada: ['true', 'false'],
    external_ref: ['ref-2'],
    piloto: ['marvin', 'ninguno'],
    desde: ['2026-09-21T00:00:00.005Z'],
    actualizada_desde: ['2026-09-21T00:00:00.105Z'],
  };
  const singles = Object.entries(FILTERS).flatMap(([name, values]) =>
    values.map((value) => ({ [name]: value })),
  );
  /** Each with the next one of another name: `operator-guias.queries.spec.ts` has every pair. */
  const pairs = singles.map((one, i) => ({ ...one, ...singles[(i + 3) % singles.length] }));

  it.each([...singles, ...pairs].map((filter) => [filter]))('filters by %j', async (given) => {
    const filter = {
      ...given,
      ...('comercio' in given && { comercio: ana.id }),
      ...('piloto' in given && given.piloto !== 'ninguno' && { piloto }),
    } as Record<string, string>;
    const key = ({ creada_en, actualizada_en, id }: any) =>
      `${'actualizada_desde' in filter ? actualizada_en : creada_en} ${id}`;
    const expected = all
      .filter((guia) => Object.entries(filter).every(([name, value]) => MATCHES[name]!(guia, value.trim())))
      .map(key)
      .sort();
    if (!('actualizada_desde' in filter)) expected.reverse();
    expect((await walk(filter)).map(key)).toEqual(expected);
  });

  it("reads a local phone in the service's country", async () => {
    const [local, whole] = [await list({ telefono: '5555-0001' }), await list({ telefono: '+50255550001' })];
    expect(local.body).toEqual(whole.body);
    expect(local.body.guias).not.toEqual([]);
  });

  it('finds one guide by its number', async () => {
    const [guia] = all;
    expect((await list({ guia: guia.guia })).body).toEqual({
      ok: true,
      guias: [guia],
      siguiente_cursor: null,
    });
    expect((await list({ guia: guia.guia, municipio: 'nada' })).body.guias).toEqual([]);
  });

  it.each([
    [{ comercio: 'x' }, 'comercio: formato'],
    [{ municipio: ' ' }, 'municipio: formato'],
    [{ departamento: 'x'.repeat(121) }, 'departamento: demasiado_largo'],
    [{ telefono: '5555 000' }, 'telefono: formato'],
    [{ estado: 'perdido' }, 'estado: formato'],
    [{ ciudad: 'x' }, 'ciudad: campo_desconocido'],
  ] as const)('refuses %j', async (query, fault) => {
    expectFaults(await list(query), [fault]);
  });

  it('binds the cursor to the operator and the filters', async () => {
    const { siguiente_cursor: cursor } = (await list({ limit: '1', estado: 'aceptado' })).body;
    expect((await list({ limit: '1', estado: 'aceptado', cursor })).status).toBe(200);
    expectProblem(await list({ limit: '1', cursor }), 'cursor_invalido');
    expectProblem(await list({ limit: '1', estado: 'aceptado', cursor }, operator), 'cursor_invalido');
  });

  it('shows one guide and its history, by id and by number', async () => {
    const { body } = await bea.post('/api/v1/guias', guiaBody({ direccion: '4a calle' }));
    await operator.move(body.guia, { estado: 'en_camino_a_recoger' });
    for (const name of [body.id, body.guia]) {
      const { guia } = (await reader.get(`${GUIAS}/${name}`)).body;
      expect(guia).toMatchObject({ guia: body.guia, direccion: '4a calle', comercio: { id: bea.id } });
      expect(guia.recogida).toMatchObject({ lat: 14.6349, lng: -90.5069 });
      const { eventos } = (await reader.get(`${GUIAS}/${name}/eventos`)).body;
      const ofMerchant = (await bea.get(`/api/v1/guias/${name}/eventos`)).body.eventos;
      expect(eventos).toEqual(ofMerchant.map((evento: object) => ({ ...evento, piloto: null })));
    }
    for (const name of ['x', '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57'])
      for (const path of ['', '/eventos'])
        expectProblem(await reader.get(`${GUIAS}/${name}${path}`), 'no_encontrado');
  });

  it('is for operators alone, and a key that reads moves nothing', async () => {
    const [guia] = all;
    for (const path of ['', `/${guia.id}`, `/${guia.id}/eventos`]) {
      expectProblem(await ana.get(`${GUIAS}${path}`), 'sin_permiso');
      expect((await operator.get(`${GUIAS}${path}`)).status).toBe(200);
    }
    expectProblem(await reader.move(guia.id, { estado: 'en_camino_a_recoger' }), 'sin_permiso');
    expectProblem(await reader.post('/api/v1/operaciones/eventos', { eventos: [] }), 'sin_permiso');
  });
});
