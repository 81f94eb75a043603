import { KeyLimits } from '../../src/auth/key-limits.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { guiaBody, type Answer } from '../support/test-app.js';
import { opened, useSharedApp } from '../support/use.js';

const GUIAS = '/api/v1/guias';
const LOTE = `${GUIAS}/lote`;
const MIB = 1024 * 1024;

describe('POST /api/v1/guias/lote with a list', () => {
  const test = useSharedApp();
  const merchant = opened(() => test.merchant());

  const send = (guias: unknown, by = merchant) => by.post(LOTE, { guias });
  const bodies = (count: number, prefix: string) =>
    Array.from({ length: count }, (_, n) => guiaBody({ external_ref: `${prefix}-${n}` }));
  /** The status of each result. */
  const statuses = ({ status, body }: Answer): number[] => {
    expect([status, body.ok]).toEqual([200, true]);
    return body.resultados.map((one: any) => one.status);
  };
  const counts = ({ body: { creadas, duplicadas, rechazadas } }: Answer) => [creadas, duplicadas, rechazadas];
  const stored = (prefix: string, { id } = merchant) =>
    test.database.query<{ external_ref: string; eventos: number }>(
      `select g.external_ref, count(e.id)::int as eventos from guias g
       join eventos e on e.guia_id = g.id and e.tipo = 'guia.creada'
       where g.comercio_id = $1 and g.external_ref like $2 group by 1`,
      [id, `${prefix}-%`],
    );

  it.each([1, 65])('of %d guides has a result for each, in order', async (count) => {
    const answer = await send(bodies(count, `n${count}`));
    expect(statuses(answer)).toEqual(Array(count).fill(201));
    expect(counts(answer)).toEqual([count, 0, 0]);
    expect(Object.keys(answer.body)).toEqual(['ok', 'creadas', 'duplicadas', 'rechazadas', 'resultados']);
    expect(answer.body.resultados).toEqual(
      Array.from({ length: count }, (_, indice) => ({
        ...{ indice, status: 201, guia: expect.stringMatching(/^\d{12}$/), id: expect.any(String) },
        ...{ estado: 'aceptado', external_ref: `n${count}-${indice}`, duplicada: false },
      })),
    );
    expect((await stored(`n${count}`)).map(({ eventos }) => eventos)).toEqual(Array(count).fill(1));
  });

  it('makes what a single create makes', async () => {
    const body = guiaBody({
      ...{ nombre: 'Ana López', direccion: '4a calle\n5-10', referencia: 'Portón verde' },
      ...{ contenido: 'Zapatos', notas: 'Llamar', cod_amount: 349.5, lat: 14.6407, lng: -90.5133 },
    });
    const one = (await merchant.post(GUIAS, { ...body, external_ref: 'igual-1' })).body;
    const [other] = (await send([{ ...body, external_ref: 'igual-2' }])).body.resultados;
    const [detail, otherDetail] = await Promise.all(
      [one.id, other.id].map(async (id) => (await merchant.get(`${GUIAS}/${id}`)).body.guia),
    );
    const own = { id: '', guia: '', external_ref: '', seguimiento: '', creada_en: '', actualizada_en: '' };
    expect({ ...otherDetail, ...own }).toEqual({ ...detail, ...own });
  });

  it('says what differs in a repeat, and that the existing guide is cancelled', async () => {
    const guia = guiaBody({ external_ref: 'distinta-1' });
    const { id } = (await merchant.post(GUIAS, guia)).body;
    await merchant.post(`${GUIAS}/${id}/cancelar`);
    const { body } = await send([{ ...guia, contenido: 'Libros', cod_amount: 5 }]);
    expect(body.resultados).toMatchObject([
      {
        ...{ indice: 0, status: 200, id, estado: 'cancelado', duplicada: true },
        ...{ advertencias: ['cancelada'], campos_distintos: ['contenido', 'cod_amount'] },
      },
    ]);
  });

  it('warns of a guide without external_ref, also with an Idempotency-Key', async () => {
    const answer = await merchant.post(LOTE, { guias: [guiaBody()] }, { 'idempotency-key': 'k' });
    expect(statuses(answer)).toEqual([201]);
    expect(answer.body.resultados[0]).toMatchObject({
      external_ref: null,
      advertencias: ['sin_external_ref'],
    });
  });

  it('continues after a refused guide; each refusal is what a single create would get', async () => {
    const items = [
      guiaBody({ external_ref: 'sigue-0' }),
      { external_ref: 'sigue-1', lat: 91, extenal_ref: 'x' },
      guiaBody({ external_ref: 'sigue-2', recogida: { maps_url: 'https://example.com/x' } }),
      guiaBody({ external_ref: 'sigue-3', telefono: 'no' }),
      guiaBody({ external_ref: 'sigue-4' }),
    ];
    const answer = await send(items);
    expect(statuses(answer)).toEqual([201, 400, 422, 400, 201]);
    expect(counts(answer)).toEqual([2, 0, 3]);
    for (const n of [1, 2, 3]) {
      const { status, codigo, detail, errores } = (await merchant.post(GUIAS, items[n])).body;
      const refused = { indice: n, status, external_ref: `sigue-${n}`, codigo, detail, errores };
      expect(answer.body.resultados[n]).toEqual(refused);
    }
    expect(await stored('sigue')).toHaveLength(2);
  });

  it.each(['null', '[[]]', '1e400'])(
    'with %s in place of a guide refuses that one and creates the others',
    async (element) => {
      const guia = JSON.stringify(guiaBody());
      const answer = await merchant.post(LOTE, `{"guias": [${guia}, ${element}, ${guia}]}`);
      expect(statuses(answer)).toEqual([201, 400, 201]);
      expect(answer.body.resultados[1]).toMatchObject({ codigo: 'validacion', external_ref: null });
    },
  );

  it.each<[what: string, body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
    ['no guides', { guias: [] }, ['guias: fuera_de_rango']],
    ['a list in place of a batch', [guiaBody()], ['cuerpo: tipo']],
  ])('is refused as a whole: %s', async (_, body, faults) => {
    const before = await test.database.query('select 1 from guias');
    expectFaults(await merchant.post(LOTE, body), faults);
    expect(await test.database.query('select 1 from guias')).toHaveLength(before.length);
  });

  it('refuses query parameters, broken JSON and prototypes', async () => {
    expectFaults(await merchant.post(`${LOTE}?x=1`, { guias: [guiaBody()] }), ['x: campo_desconocido']);
    for (const body of ['{"guias": [', '{"guias": [{"__proto__": {"x": 1}}]}'])
      expectProblem(await merchant.post(LOTE, body), 'json_invalido');
  });

  it('names 50 faults of a guide at most, and only the first of each once there are thousands', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`x${n}`, 1]));
    const answer = await send(Array(100).fill(unknown));
    expect(statuses(answer)).toEqual(Array(100).fill(400));
    const named = answer.body.resultados.map(({ errores }: any) => errores.length);
    expect([named[0], named[99]]).toEqual([50, 1]);
    expect(answer.body.resultados[99].detail).toMatch(/se nombran 1 de 50/);
    expect(answer.text.length).toBeLessThan(MIB);
  });

  it('takes 1 MiB and no more, while a single create still takes 32 KiB', async () => {
    const padded = (length: number) => {
      const body = JSON.stringify({ guias: [guiaBody()] });
      return body + ' '.repeat(length - body.length);
    };
    expect(statuses(await merchant.post(LOTE, padded(MIB)))).toEqual([201]);
    const larger = await merchant.post(LOTE, padded(MIB + 1));
    expectProblem(larger, 'cuerpo_demasiado_grande');
    expect(larger.body.detail).toMatch(/hasta 1 MiB\. Divida el lote/);
    const single = JSON.stringify(guiaBody()).padEnd(32 * 1024 + 1);
    expectProblem(await merchant.post(GUIAS, single), 'cuerpo_demasiado_grande');
  });

  /** Lets the database refuse inserts of guides, for a reason, while `run` runs. */
  const whileRefused = async (errcode: string, of: string, run: () => Promise<void>) => {
    await test.database.query(`
      create function refuse() returns trigger language plpgsql as $$
        begin raise exception 'no' using errcode = '${errcode}'; end $$;
      create trigger refuse before insert on guias for each ${of} execute function refuse()`);
    try {
      await run();
    } finally {
      await test.database.query('drop trigger refuse on guias; drop function refuse');
    }
  };
  const WITH_NOTE = `row when (new.notas = 'imposible')`;

  it('refuses only the guide that the database refuses', async () => {
    const guias = bodies(40, 'negada');
    guias[17]!.notas = 'imposible';
    await whileRefused('22023', WITH_NOTE, async () =>
      expect(statuses(await send(guias))).toEqual(guias.map((_, n) => (n === 17 ? 400 : 201))),
    );
  });

  it('gets 503 as a whole where nothing could be written, and may be sent again', async () => {
    const guias = bodies(100, 'luego');
    await whileRefused('57014', 'statement', async () => {
      const answer = await send(guias);
      expectProblem(answer, 'no_disponible');
      expect(answer.headers.get('retry-after')).toBe('1');
    });
    expect(counts(await send(guias))).toEqual([100, 0, 0]);
  });

  it('answers 503 to the guides that the database did not take, beside those that it took', async () => {
    const guias = bodies(100, 'mitad');
    guias[99]!.notas = 'imposible';
    await whileRefused('57014', WITH_NOTE, async () => {
      const answer = await send(guias);
      expect(statuses(answer).slice(0, 64)).toEqual(Array(64).fill(201));
      expect(statuses(answer)[99]).toBe(503);
      expect(answer.body.resultados[99]).toMatchObject({ codigo: 'no_disponible', external_ref: 'mitad-99' });
    });
    expect(statuses(await send(guias)).every((status) => status < 300)).toBe(true);
    expect(await stored('mitad')).toHaveLength(100);
  });

  it('answers in time although the map service of its short links is silent: they are expanded later', async () => {
    const guias = Array.from({ length: 100 }, (_, n) =>
      guiaBody({ external_ref: `corto-${n}`, maps_url: `https://maps.app.goo.gl/lote${n}` }),
    );
    expect(statuses(await send(guias))).toEqual(Array(100).fill(201));
    const pending = await test.database.query(
      `select 1 from guias where external_ref like 'corto-%' and enlaces_pendientes = '{destino}'`,
    );
    expect(pending).toHaveLength(100);
  });

  it('is counted by its items', async () => {
    const charge = jest.spyOn(test.app.get(KeyLimits), 'charge');
    for (const count of [1, 10, 11, 100]) await send(bodies(count, `cuenta${count}`));
    expect(charge.mock.calls.map(([, , cost]) => cost)).toEqual([1, 1, 2, 10]);
  });
});
