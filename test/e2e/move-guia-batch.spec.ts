import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { ERRORS } from '../../src/errors/error-codes.js';
import { withClient } from '../support/database.js';
import { Lives } from '../support/lives.js';
import { expectFaults, expectProblem } from '../support/problem.js';
import { createTestApp, type Answer, type TestApp, type TestOperator } from '../support/test-app.js';

const EVENTOS = '/api/v1/operaciones/eventos';
const LIMIT = 512 * 1024;
const UNKNOWN = '01a1fea2-cf03-7f3a-9c44-2b8e6f0d1a57';
const MOVE = { estado: 'en_camino_a_recoger' };

describe('a batch of events', () => {
  let test: TestApp;
  let operator: TestOperator;
  let lives: Lives;

  beforeAll(async () => {
    test = await createTestApp();
    operator = await test.operator();
    lives = new Lives(test, await test.merchant());
  });
  afterAll(() => test.close());

  const send = (eventos: unknown) => operator.post(EVENTOS, { eventos });
  /** Of each result its status; 201 where it is an event. */
  const statuses = ({ status, body }: Answer): number[] => {
    expect([status, body.ok]).toEqual([200, true]);
    return body.resultados.map((one: any) => (one.ok ? (one.duplicado ? 200 : 201) : one.status));
  };
  const faultsOf = (result: any) => result.errores.map(({ campo, codigo }: any) => `${campo}: ${codigo}`);

  it.each([1, 2, 100])('has a result for each of %d, in their order', async (count) => {
    const guias = await Promise.all(Array.from({ length: count }, () => lives.create()));
    const answer = await send(guias.map(({ guia }, i) => ({ guia, ...MOVE, ref: `r-${i}` })));
    expect(statuses(answer)).toEqual(Array(count).fill(201));
    expect(Object.keys(answer.body)).toEqual(['ok', 'resultados']);
    expect(answer.body.resultados).toEqual(
      guias.map((guia) => ({
        ok: true,
        ...guia,
        evento: expect.any(String),
        secuencia: 2,
        estado: 'en_camino_a_recoger',
        estado_anterior: 'aceptado',
        aplicado: true,
      })),
    );
  });

  it.each<[what: string, body: unknown, faults: Parameters<typeof expectFaults>[1]]>([
    ['none', { eventos: [] }, ['eventos: fuera_de_rango']],
    ['101', { eventos: Array(101).fill({ guia: 'x', ...MOVE }) }, ['eventos: fuera_de_rango']],
    ['no list', { eventos: { guia: 'x', ...MOVE } }, ['eventos: tipo']],
    ['a text', { eventos: 'x' }, ['eventos: tipo']],
    ['null', { eventos: null }, ['eventos: requerido']],
    ['nothing', {}, ['eventos: requerido']],
    [
      'an event in place of a batch',
      { guia: 'x', ...MOVE },
      ['eventos: requerido', 'guia: campo_desconocido', 'estado: campo_desconocido'],
    ],
    ['a list in place of a batch', [{ guia: 'x', ...MOVE }], ['cuerpo: tipo']],
    ['a number in place of a batch', 5, ['cuerpo: tipo']],
    ['null in place of a batch', 'null', ['cuerpo: tipo']],
    ['an unknown field beside it', { eventos: [MOVE], otro: 1 }, ['otro: campo_desconocido']],
    [
      'a name every object has beside it',
      { eventos: [MOVE], constructor: 1, toString: 1 },
      ['constructor: campo_desconocido', 'toString: campo_desconocido'],
    ],
  ])('is refused as a whole where it has %s', async (_, body, faults) => {
    expectFaults(await operator.post(EVENTOS, body), faults);
  });

  it('takes no query parameters', async () => {
    expectFaults(await operator.post(`${EVENTOS}?x=1`, { eventos: [MOVE] }), ['x: campo_desconocido']);
  });

  it('goes on where one is refused; each says what it would have been told alone', async () => {
    const [one, two, three] = [await lives.create(), await lives.create(), await lives.in('entregado')];
    const items = [
      { guia: one.guia, ...MOVE },
      { guia: one.guia, estado: 'entregado' },
      { guia: UNKNOWN, ...MOVE },
      { guia: three.id, estado: 'en_ruta' },
      { guia: two.id, estado: 'x', lat: 91 },
      { ...MOVE },
      { guia: two.id, ...MOVE },
    ];
    const answer = await send(items);
    expect(statuses(answer)).toEqual([201, 409, 404, 409, 400, 400, 201]);
    const { resultados } = answer.body;
    expect(resultados[1]).toEqual({
      ok: false,
      status: 409,
      codigo: 'transicion_invalida',
      detail: expect.stringContaining('recogido, aceptado, cancelado'),
      errores: [expect.objectContaining({ campo: 'estado' })],
    });
    expect(resultados[2]).toEqual({
      ok: false,
      status: 404,
      codigo: 'no_encontrado',
      detail: expect.any(String),
    });
    expect(faultsOf(resultados[4])).toEqual(['estado: formato', 'lat: fuera_de_rango', 'lng: incompleto']);
    expect(faultsOf(resultados[5])).toEqual(['guia: requerido']);
    for (const i of [1, 2, 3, 4]) {
      const { guia, ...body } = items[i] as { guia: string };
      const { status, codigo, detail, errores } = (await operator.move(guia, body)).body;
      expect({ ok: false, status, codigo, detail, ...(errores && { errores }) }).toEqual(resultados[i]);
    }
    expect((await lives.events(one)).map(({ estado }) => estado)).toEqual([
      'aceptado',
      'en_camino_a_recoger',
    ]);
    expect((await lives.read(two)).guia.estado).toBe('en_camino_a_recoger');
  });

  it('moves one guide several times, in order', async () => {
    const guia = await lives.create({ cod_amount: 10 });
    const way = ['en_camino_a_recoger', 'recogido', 'en_ruta', 'intento_fallido', 'en_ruta', 'entregado'];
    const items = way.map((estado) => ({ guia: guia.id, estado }));
    const answer = await send(items);
    expect(statuses(answer)).toEqual(way.map(() => 201));
    expect(answer.body.resultados.map(({ secuencia }: any) => secuencia)).toEqual([2, 3, 4, 5, 6, 7]);
    expect((await lives.events(guia)).map(({ estado }) => estado)).toEqual(['aceptado', ...way, null]);
  });

  it('may repeat itself, within and as a whole: nothing is recorded twice', async () => {
    const guia = await lives.create();
    const items = [
      { guia: guia.id, ...MOVE, ref: 'a' },
      { guia: guia.guia, ...MOVE, ref: 'a' },
      { guia: guia.id, estado: 'recogido', ref: 'b' },
      { guia: guia.id, ...MOVE, ref: 'a' },
    ];
    const first = await send(items);
    expect(statuses(first)).toEqual([201, 200, 201, 200]);
    const again = await send(items);
    expect(statuses(again)).toEqual([200, 200, 200, 200]);
    const ids = (answer: Answer) => answer.body.resultados.map(({ evento }: any) => evento);
    expect(ids(again)).toEqual(ids(first));
    expect(await lives.events(guia)).toHaveLength(3);
  });

  it('sent ten times at once records each event once', async () => {
    const guias = await Promise.all(Array.from({ length: 10 }, () => lives.create()));
    const items = guias.map(({ id }, i) => ({ guia: id, ...MOVE, ref: `vez-${i}` }));
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(items)));
    const all = answers.flatMap(statuses);
    expect(
      [all.filter((status) => status === 201), all.filter((status) => status === 200)].map(
        ({ length }) => length,
      ),
    ).toEqual([10, 90]);
    for (const guia of guias) expect(await lives.events(guia)).toHaveLength(2);
  });

  it('that takes too long says of each whether it was recorded, and may be sent again', async () => {
    const guias = await Promise.all(Array.from({ length: 4 }, () => lives.create()));
    const items = guias.map(({ id }, i) => ({ guia: id, ...MOVE, ref: `lenta-${i}` }));
    const hold = async (client: pg.Client, { id }: { id: string }) => {
      await client.query('begin');
      await client.query('select from guias where id = $1 for update', [id]);
    };
    await withClient(test.database.url, (briefly) =>
      withClient(test.database.url, async (longer) => {
        await hold(briefly, guias[1]!);
        await hold(longer, guias[2]!);
        const [answer] = await Promise.all([send(items), sleep(2_500).then(() => briefly.query('rollback'))]);
        expect(statuses(answer)).toEqual([201, 201, 503, 503]);
        expect(answer.body.resultados[2].detail).toMatch(/Repita este evento/);
      }),
    );
    const again = statuses(await send(items));
    // The third may have been recorded once its guide was free.
    expect(again.toSpliced(2, 1)).toEqual([200, 200, 201]);
    for (const guia of guias) expect(await lives.events(guia)).toHaveLength(2);
  });

  it.each(['null', 'true', '5', '"x"', '[]', '[[]]', '{}', '-0', '1e400', '""'])(
    'with %s for an event says so, and records the others',
    async (element) => {
      const [one, two] = [await lives.create(), await lives.create()];
      const item = (guia: string) => JSON.stringify({ guia, ...MOVE });
      const answer = await operator.post(
        EVENTOS,
        `{"eventos": [${item(one.id)}, ${element}, ${item(two.id)}]}`,
      );
      expect(statuses(answer)).toEqual([201, 400, 201]);
      expect(answer.body.resultados[1].codigo).toBe('validacion');
    },
  );

  it.each(['constructor', 'prototype', 'toString', 'hasOwnProperty', '__defineGetter__', 'then', 'length'])(
    'with an event that has a field named %s refuses that event alone',
    async (name) => {
      const guia = await lives.create();
      for (const value of ['"x"', 'null', '{"a": 1}', '[]']) {
        const trap = `{"guia": "${guia.id}", "estado": "en_camino_a_recoger", "${name}": ${value}}`;
        const answer = await operator.post(EVENTOS, `{"eventos": [${trap}]}`);
        expect(statuses(answer)).toEqual([400]);
        expect(faultsOf(answer.body.resultados[0])).toEqual([`${name}: campo_desconocido`]);
      }
      expect(await lives.events(guia)).toHaveLength(1);
    },
  );

  it.each(['{"__proto__": {"estado": "recogido"}}', '{"constructor": {"prototype": {"ok": true}}}'])(
    'that would change every object is no JSON to us: %s',
    async (trap) => {
      for (const body of [`{"eventos": [${trap}]}`, `{"eventos": [], "x": ${trap}}`, trap])
        expectProblem(await operator.post(EVENTOS, body), 'json_invalido');
      expect(({} as Record<string, unknown>).estado).toBeUndefined();
    },
  );

  it('that is nested too deep is refused', async () => {
    const deep = '['.repeat(20) + ']'.repeat(20);
    expectProblem(await operator.post(EVENTOS, `{"eventos": [${deep}]}`), 'json_invalido');
  });

  describe('may be large:', () => {
    /** A batch of so many bytes, its white space included. */
    const bytes = (body: string, length: number) => body + ' '.repeat(length - Buffer.byteLength(body));

    it('a hundred with the longest notes and refs, in four-byte characters', async () => {
      const { id } = await lives.create();
      const longest = {
        guia: id,
        ...MOVE,
        nota: '😀'.repeat(500),
        ref: '😀'.repeat(100),
        lat: -14.123456789012,
        lng: -90.123456789012,
      };
      const answer = await send(Array(100).fill(longest));
      expect(statuses(answer)).toEqual([201, ...Array<number>(99).fill(200)]);
    });

    it('512 KiB to the byte', async () => {
      const { id } = await lives.create();
      const body = bytes(JSON.stringify({ eventos: [{ guia: id, ...MOVE }] }), LIMIT);
      expect(statuses(await operator.post(EVENTOS, body))).toEqual([201]);
    });

    it('not a byte more: 413, and nothing is recorded', async () => {
      const guia = await lives.create();
      const body = bytes(JSON.stringify({ eventos: [{ guia: guia.id, ...MOVE }] }), LIMIT + 1);
      const answer = await operator.post(EVENTOS, body);
      expectProblem(answer, 'cuerpo_demasiado_grande');
      expect(answer.body.detail).toBe(ERRORS.cuerpo_demasiado_grande.detail);
      expect(await lives.events(guia)).toHaveLength(1);
    });

    it('a single event may not', async () => {
      const guia = await lives.create();
      const body = bytes(JSON.stringify(MOVE), 32 * 1024 + 1);
      expectProblem(
        await operator.post(`/api/v1/operaciones/guias/${guia.id}/eventos`, body),
        'cuerpo_demasiado_grande',
      );
    });
  });
});
